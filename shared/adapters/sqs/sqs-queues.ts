/** The queues of a deployment on SQS, for those who look after it. */
import {
  GetQueueAttributesCommand,
  type QueueAttributeName,
  SendMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import { unknownQueue } from '../../model/unknown-queue.ts';
import type { DeadLetter, QueueSight, Queues, Redrive } from '../../ports/queues.ts';
import { awsFault } from '../aws/aws-fault.ts';
import type { Held } from './dead-letter.ts';
import { eachAtOnce } from './each-at-once.ts';
import { HeldLetters } from './held-letters.ts';
import type { QueueUrls } from './sqs-source-queue.ts';

export interface KnownQueue extends QueueUrls {
  readonly name: string;
  /** Which it feeds. */
  readonly function: string;
}

/** Of one call, so that it ends in time; whoever has more dead letters than that in a queue asks again. */
const MOST = 5000;
/** A look lasts less than a second; whoever dies over one hides its letters for so long. */
const LOOK_SECONDS = 30;
/** Taking 5,000 letters in hand and sending them takes about a minute. */
const REDRIVE_SECONDS = 300;
/** A letter that another looks at is back within a second. */
const LOOK_WAIT_SECONDS = 1;
const REDRIVE_WAIT_SECONDS = 3;
/** Requests under way at once. */
const AT_ONCE = 10;

const waiting = 'ApproximateNumberOfMessages';
const inFlight = 'ApproximateNumberOfMessagesNotVisible';

export class SqsQueues implements Queues {
  readonly #client: SQSClient;
  readonly #queues: readonly KnownQueue[];

  constructor(client: SQSClient, queues: readonly KnownQueue[]) {
    this.#client = client;
    this.#queues = queues;
  }

  sights(): Promise<readonly QueueSight[]> {
    return eachAtOnce(this.#queues, AT_ONCE, async (queue) => {
      const [counts, deadLetters] = await Promise.all([this.#counts(queue.url), this.#lettersIn(queue)]);
      return { name: queue.name, function: queue.function, ...counts, deadLetters };
    }).catch(raise);
  }

  async deadLetters(limit: number, name?: string): Promise<readonly DeadLetter[]> {
    const seen = await eachAtOnce(this.#named(name), AT_ONCE, async (queue) => {
      const known = await this.#lettersIn(queue);
      if (known === 0 && name === undefined) return [];
      const letters = new HeldLetters(this.#client, queue);
      const most = Math.min(limit, known === 0 ? limit : known);
      const held = await letters.take({ most, forSeconds: LOOK_SECONDS, waitSeconds: LOOK_WAIT_SECONDS });
      await letters.giveBack([...held.values()]);
      return [...held.values()].map(({ letter }) => letter);
    }).catch(raise);
    return seen.flat().sort(newestFirst).slice(0, limit);
  }

  async redrive({ queue: name, ids }: Redrive): Promise<number> {
    const wanted = ids && new Set(ids);
    const counts = await eachAtOnce(this.#named(name), AT_ONCE, (queue) => this.#redriveOf(queue, wanted)).catch(raise);
    return counts.reduce((sum, count) => sum + count, 0);
  }

  /** All are in hand before the first is sent: one that fails at once is a dead letter again, and would come round without end. */
  async #redriveOf(queue: KnownQueue, ids: ReadonlySet<string> | undefined): Promise<number> {
    const known = await this.#lettersIn(queue);
    const letters = new HeldLetters(this.#client, queue);
    const isEnough = (found: ReadonlyMap<string, Held>) =>
      ids === undefined ? known > 0 && found.size >= known : [...ids].every((id) => found.has(id));
    const held = await letters.take({
      most: MOST,
      isEnough,
      forSeconds: REDRIVE_SECONDS,
      waitSeconds: known > 0 ? REDRIVE_WAIT_SECONDS : LOOK_WAIT_SECONDS,
    });
    const chosen = [...held.values()].filter(({ id }) => ids?.has(id) ?? true);
    await letters.giveBack([...held.values()].filter(({ id }) => ids !== undefined && !ids.has(id)));
    const unsent = new Set(chosen);
    try {
      await eachAtOnce(chosen, AT_ONCE, async (each) => {
        await this.#client.send(new SendMessageCommand({ QueueUrl: queue.url, MessageBody: each.letter.body }));
        unsent.delete(each);
        await letters.remove(each);
      });
    } catch (thrown) {
      // Else they would be hidden for minutes. If that fails too, they are.
      await letters.giveBack([...unsent]).catch(() => undefined);
      throw thrown;
    }
    return chosen.length;
  }

  /** About how many, those included that somebody looks at now. */
  async #lettersIn({ deadLetterUrl }: KnownQueue): Promise<number> {
    const counts = await this.#counts(deadLetterUrl);
    return counts.waiting + counts.inFlight;
  }

  async #counts(url: string): Promise<Pick<QueueSight, 'waiting' | 'inFlight'>> {
    const names: QueueAttributeName[] = [waiting, inFlight];
    const { Attributes: counts = {} } = await this.#client.send(
      new GetQueueAttributesCommand({ QueueUrl: url, AttributeNames: names }),
    );
    return { waiting: Number(counts[waiting] ?? 0), inFlight: Number(counts[inFlight] ?? 0) };
  }

  #named(name: string | undefined): readonly KnownQueue[] {
    if (name === undefined) return this.#queues;
    const found = this.#queues.filter((queue) => queue.name === name);
    const known = this.#queues.map((queue) => queue.name);
    if (found.length === 0) throw unknownQueue(name, known);
    return found;
  }
}

/** In an order that does not depend on how SQS gave them. */
function newestFirst(a: DeadLetter, b: DeadLetter): number {
  return (b.sentAt ?? 0) - (a.sentAt ?? 0) || (a.id < b.id ? -1 : 1);
}

function raise(thrown: unknown): never {
  throw awsFault('SQS', thrown);
}
