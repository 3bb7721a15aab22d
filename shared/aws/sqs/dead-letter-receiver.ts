/** Receives dead-letter messages of one queue with a visibility timeout, and makes them visible again. */
import {
  ChangeMessageVisibilityCommand,
  DeleteMessageCommand,
  ReceiveMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import { eachAtOnce } from '../../core/each-at-once.ts';
import { type ReceivedDeadLetter, receivedDeadLetterOf } from './dead-letter.ts';

export interface DeadLetterQueue {
  /** Name of the route. */
  readonly name: string;
  readonly deadLetterUrl: string;
}

export interface ReceiveLimits {
  /** Maximum number of messages. */
  readonly most: number;
  /** Stops earlier when this is true. */
  readonly isEnough?: (held: ReadonlyMap<string, ReceivedDeadLetter>) => boolean;
  /** Visibility timeout, in case this process crashes. */
  readonly forSeconds: number;
  /** How long to wait for messages that are in flight elsewhere. */
  readonly waitSeconds: number;
}

/** Limit of SQS. */
const BATCH = 10;

export class DeadLetterReceiver {
  readonly #client: SQSClient;
  readonly #of: DeadLetterQueue;

  constructor(client: SQSClient, of: DeadLetterQueue) {
    this.#client = client;
    this.#of = of;
  }

  /** By id: SQS may deliver a message twice, and only the last receipt is valid. */
  async take({
    most,
    isEnough,
    forSeconds,
    waitSeconds,
  }: ReceiveLimits): Promise<ReadonlyMap<string, ReceivedDeadLetter>> {
    const held = new Map<string, ReceivedDeadLetter>();
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
        const each = receivedDeadLetterOf(this.#of.name, message);
        held.set(each.id, each);
      }
    }
    return held;
  }

  async giveBack(held: readonly ReceivedDeadLetter[]): Promise<void> {
    const { deadLetterUrl: QueueUrl } = this.#of;
    await eachAtOnce(held, BATCH, ({ receipt: ReceiptHandle }) =>
      this.#client.send(new ChangeMessageVisibilityCommand({ QueueUrl, ReceiptHandle, VisibilityTimeout: 0 })),
    );
  }

  async remove({ receipt }: ReceivedDeadLetter): Promise<void> {
    await this.#client.send(new DeleteMessageCommand({ QueueUrl: this.#of.deadLetterUrl, ReceiptHandle: receipt }));
  }
}
