/** One queue of dead letters on SQS: takes letters in hand, so that nobody else gets them meanwhile, and gives them back. */
import {
  ChangeMessageVisibilityCommand,
  DeleteMessageCommand,
  ReceiveMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import { type Held, heldOf } from './dead-letter.ts';
import { eachAtOnce } from './each-at-once.ts';

export interface LettersOf {
  /** Of the route. */
  readonly name: string;
  readonly deadLetterUrl: string;
}

export interface Wanted {
  /** Enough once so many are in hand. */
  readonly most: number;
  /** Enough as well once this holds. */
  readonly isEnough?: (held: ReadonlyMap<string, Held>) => boolean;
  /** How long nobody else gets those that are in hand, should we die. */
  readonly forSeconds: number;
  /** How long one that somebody else has in hand is waited for. */
  readonly waitSeconds: number;
}

/** SQS's own limit. */
const BATCH = 10;

export class HeldLetters {
  readonly #client: SQSClient;
  readonly #of: LettersOf;

  constructor(client: SQSClient, of: LettersOf) {
    this.#client = client;
    this.#of = of;
  }

  /** By id: SQS may give one twice, and only the receipt that came last counts. */
  async take({ most, isEnough, forSeconds, waitSeconds }: Wanted): Promise<ReadonlyMap<string, Held>> {
    const held = new Map<string, Held>();
    while (held.size < most && !isEnough?.(held)) {
      const { Messages: messages = [] } = await this.#client.send(
        new ReceiveMessageCommand({
          QueueUrl: this.#of.deadLetterUrl,
          MaxNumberOfMessages: Math.min(BATCH, most - held.size),
          VisibilityTimeout: forSeconds,
          WaitTimeSeconds: waitSeconds,
          MessageAttributeNames: ['All'],
          MessageSystemAttributeNames: ['SentTimestamp'],
        }),
      );
      if (messages.length === 0) break;
      for (const message of messages) {
        const each = heldOf(this.#of.name, message);
        held.set(each.id, each);
      }
    }
    return held;
  }

  async giveBack(held: readonly Held[]): Promise<void> {
    const { deadLetterUrl: QueueUrl } = this.#of;
    await eachAtOnce(held, BATCH, ({ receipt: ReceiptHandle }) =>
      this.#client.send(new ChangeMessageVisibilityCommand({ QueueUrl, ReceiptHandle, VisibilityTimeout: 0 })),
    );
  }

  async remove({ receipt }: Held): Promise<void> {
    await this.#client.send(new DeleteMessageCommand({ QueueUrl: this.#of.deadLetterUrl, ReceiptHandle: receipt }));
  }
}
