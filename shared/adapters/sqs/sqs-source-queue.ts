/** What a function may do with a message besides handling it, on SQS. */
import { ChangeMessageVisibilityCommand, SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import type { Fault } from '../../model/fault.ts';
import type { QueueMessage, SourceQueue } from '../../ports/source-queue.ts';

export interface QueueUrls {
  readonly url: string;
  readonly deadLetterUrl: string;
}

const MAX_ATTRIBUTE = 1024;

export class SqsSourceQueue implements SourceQueue {
  readonly maxReceives: number;
  readonly #client: SQSClient;
  readonly #urls: QueueUrls;

  constructor(client: SQSClient, urls: QueueUrls, maxReceives: number) {
    this.#client = client;
    this.#urls = urls;
    this.maxReceives = maxReceives;
  }

  async deadLetter(message: QueueMessage, fault: Fault): Promise<void> {
    const attribute = (text: string) => ({ DataType: 'String', StringValue: text.slice(0, MAX_ATTRIBUTE) || '-' });
    await this.#client.send(
      new SendMessageCommand({
        QueueUrl: this.#urls.deadLetterUrl,
        MessageBody: message.body,
        MessageAttributes: {
          reason: attribute(fault.reason),
          error: attribute(fault.message),
          deliveries: attribute(String(message.receiveCount)),
        },
      }),
    );
  }

  async deliverAgain(message: QueueMessage, seconds: number): Promise<void> {
    await this.#client.send(
      new ChangeMessageVisibilityCommand({
        QueueUrl: this.#urls.url,
        ReceiptHandle: message.receipt,
        VisibilityTimeout: seconds,
      }),
    );
  }
}
