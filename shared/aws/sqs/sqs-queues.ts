/** The queues of a deployment on SQS, for operators. */
import { GetQueueAttributesCommand, type QueueAttributeName, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import type { DeadLetter, QueueStatus, Queues, Redrive } from '../../bus/queues.ts';
import { routes } from '../../bus/routes.ts';
import { unknownQueue } from '../../bus/unknown-queue.ts';
import { eachAtOnce } from '../../core/each-at-once.ts';
import { DEAD_LETTERS, readEnvironment } from '../../core/environment.ts';
import type { InvocationContext } from '../../core/invocation.ts';
import { awsFault } from '../aws-fault.ts';
import { clientConfig, type Environment } from '../client-config.ts';
import type { ReceivedDeadLetter } from './dead-letter.ts';
import { DeadLetterReceiver } from './dead-letter-receiver.ts';
import type { QueueUrls } from './sqs-source-queue.ts';

export interface KnownQueue extends QueueUrls {
  readonly name: string;
  /** The function that it triggers. */
  readonly function: string;
}

/** Limit of one call, so that it ends in time; for more dead letters the caller repeats it. */
const MOST = 5000;
/** Listing takes less than a second; after a crash the messages stay invisible for this long. */
const LIST_SECONDS = 30;
/** Receiving and sending 5,000 messages takes about a minute. */
const REDRIVE_SECONDS = 300;
/** Messages of a concurrent list are visible again within a second. */
const LIST_WAIT_SECONDS = 1;
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

  statuses(): Promise<readonly QueueStatus[]> {
    return eachAtOnce(this.#queues, AT_ONCE, async (queue) => {
      const [counts, deadLetters] = await Promise.all([this.#counts(queue.url), this.#deadLettersIn(queue)]);
      return { name: queue.name, function: queue.function, ...counts, deadLetters };
    }).catch(raise);
  }

  async deadLetters(limit: number, name?: string): Promise<readonly DeadLetter[]> {
    const seen = await eachAtOnce(this.#named(name), AT_ONCE, async (queue) => {
      const known = await this.#deadLettersIn(queue);
      if (known === 0 && name === undefined) return [];
      const deadLetters = new DeadLetterReceiver(this.#client, queue);
      const most = Math.min(limit, known === 0 ? limit : known);
      const held = await deadLetters.take({ most, forSeconds: LIST_SECONDS, waitSeconds: LIST_WAIT_SECONDS });
      await deadLetters.giveBack([...held.values()]);
      return [...held.values()].map(({ deadLetter }) => deadLetter);
    }).catch(raise);
    return seen.flat().sort(newestFirst).slice(0, limit);
  }

  async redrive({ queue: name, ids }: Redrive): Promise<number> {
    const wanted = ids && new Set(ids);
    const counts = await eachAtOnce(this.#named(name), AT_ONCE, (queue) => this.#redriveOf(queue, wanted)).catch(raise);
    return counts.reduce((sum, count) => sum + count, 0);
  }

  /** All are received before the first is sent: one that fails at once becomes a dead letter again, and would be redriven endlessly. */
  async #redriveOf(queue: KnownQueue, ids: ReadonlySet<string> | undefined): Promise<number> {
    const known = await this.#deadLettersIn(queue);
    const deadLetters = new DeadLetterReceiver(this.#client, queue);
    const isEnough = (found: ReadonlyMap<string, ReceivedDeadLetter>) =>
      ids === undefined ? known > 0 && found.size >= known : [...ids].every((id) => found.has(id));
    const held = await deadLetters.take({
      most: MOST,
      isEnough,
      forSeconds: REDRIVE_SECONDS,
      waitSeconds: known > 0 ? REDRIVE_WAIT_SECONDS : LIST_WAIT_SECONDS,
    });
    const chosen = [...held.values()].filter(({ id }) => ids?.has(id) ?? true);
    await deadLetters.giveBack([...held.values()].filter(({ id }) => ids !== undefined && !ids.has(id)));
    const unsent = new Set(chosen);
    try {
      await eachAtOnce(chosen, AT_ONCE, async (each) => {
        await this.#client.send(new SendMessageCommand({ QueueUrl: queue.url, MessageBody: each.deadLetter.body }));
        unsent.delete(each);
        await deadLetters.remove(each);
      });
    } catch (thrown) {
      // Otherwise they stay invisible for minutes. If this fails too, they do.
      await deadLetters.giveBack([...unsent]).catch(() => undefined);
      throw thrown;
    }
    return chosen.length;
  }

  /** The approximate number, including messages in flight. */
  async #deadLettersIn({ deadLetterUrl }: KnownQueue): Promise<number> {
    const counts = await this.#counts(deadLetterUrl);
    return counts.waiting + counts.inFlight;
  }

  async #counts(url: string): Promise<Pick<QueueStatus, 'waiting' | 'inFlight'>> {
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

/** Deterministic order. */
function newestFirst(a: DeadLetter, b: DeadLetter): number {
  return (b.sentAt ?? 0) - (a.sentAt ?? 0) || (a.id < b.id ? -1 : 1);
}

function raise(thrown: unknown): never {
  throw awsFault('SQS', thrown);
}

export function awsQueues(_: InvocationContext, environment: Environment): Queues {
  const urls = readEnvironment(environment, 'queuesUrl');
  const queues = routes.map(({ name, function: feeds }) => {
    const url = `${urls}${name}`;
    return { name, function: feeds, url, deadLetterUrl: `${url}${DEAD_LETTERS}` };
  });
  return new SqsQueues(new SQSClient(clientConfig), queues);
}
