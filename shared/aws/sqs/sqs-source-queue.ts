/** What a function may do with a message besides handling it, on SQS. */
import { ChangeMessageVisibilityCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import type { QueueMessage, SourceQueue } from '../../bus/source-queue.ts';
import { environmentNames } from '../../core/environment.ts';
import { Fault } from '../../core/fault.ts';
import type { InvocationContext } from '../../core/invocation.ts';
import { clientConfig, type Environment, jsonEnvironment } from '../client-config.ts';

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

  async sendAgain(message: QueueMessage, hub: string, seconds: number): Promise<void> {
    await this.#client.send(
      new SendMessageCommand({
        QueueUrl: this.#urls.url,
        MessageBody: message.body,
        DelaySeconds: seconds,
        MessageGroupId: hub,
      }),
    );
  }
}

let sqs: SQSClient | undefined;

export function awsSourceQueue(arn: string, { settings }: InvocationContext, environment: Environment): SourceQueue {
  const urls = jsonEnvironment<QueueUrls>(environment, 'queues')[arn];
  if (urls === undefined) {
    throw new Fault('terminal', `${environmentNames.queues} does not know the queue ${arn}`, {
      reason: 'InvalidEnvironment',
    });
  }
  sqs ??= new SQSClient(clientConfig);
  return new SqsSourceQueue(sqs, urls, settings.maxReceives);
}
