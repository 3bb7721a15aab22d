/** The deployed queues, by their names on AWS. */
import {
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  GetQueueUrlCommand,
  ListQueuesCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
  SetQueueAttributesCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import type { TappedEvent } from './event-tap.ts';

const PREFIX = 'evenkeel-';
const DEAD_LETTERS = '-dead-letters';

export interface DeadLetter {
  readonly body: string;
  readonly reason: string | undefined;
  readonly deliveries: string | undefined;
}

export class Queues {
  readonly #sqs: SQSClient;

  constructor(sqs: SQSClient) {
    this.#sqs = sqs;
  }

  /** A line for each message of a dead-letter queue, with its queue, reason and body, and one for the messages of a queue that a reader holds. */
  async deadLetters(): Promise<readonly string[]> {
    const { QueueUrls: urls = [] } = await this.#sqs.send(new ListQueuesCommand({ QueueNamePrefix: PREFIX }));
    const deadLetterQueues = urls.filter((url) => url.endsWith(DEAD_LETTERS));
    if (deadLetterQueues.length === 0) throw new Error('no dead-letter queue is deployed');
    return (await Promise.all(deadLetterQueues.map((url) => this.#described(url)))).flat();
  }

  /** Throws with the messages: CI keeps an error's text, not its difference. */
  async areWithoutDeadLetters(): Promise<void> {
    const deadLetters = await this.deadLetters();
    if (deadLetters.length > 0)
      throw new Error(`there are ${deadLetters.length} dead letters:\n${deadLetters.join('\n')}`);
  }

  async #described(url: string): Promise<readonly string[]> {
    const waiting = Number(await this.#attribute(url, 'ApproximateNumberOfMessages'));
    const held = Number(await this.#attribute(url, 'ApproximateNumberOfMessagesNotVisible'));
    const lines = held === 0 ? [] : [`${nameOf(url)}: ${held} held by a reader`];
    if (waiting === 0) return lines;
    const receive = new ReceiveMessageCommand({
      QueueUrl: url,
      MessageAttributeNames: ['All'],
      MaxNumberOfMessages: 10,
      VisibilityTimeout: 0,
    });
    const { Messages: messages = [] } = await this.#sqs.send(receive);
    return [
      ...lines,
      ...messages.map(({ Body, MessageAttributes }) => {
        const reason = MessageAttributes?.reason?.StringValue ?? 'received too often';
        return `${nameOf(url)}: ${reason}, ${MessageAttributes?.error?.StringValue ?? ''}: ${Body ?? ''}`;
      }),
    ];
  }

  /** Sends an event to the queue of a route, as the bus would. */
  async send(route: string, event: TappedEvent): Promise<void> {
    await this.#sqs.send(
      new SendMessageCommand({ QueueUrl: await this.#url(route), MessageBody: JSON.stringify(event) }),
    );
  }

  /** Receives and deletes a message of a route's dead-letter queue, if there is one. */
  async takeDeadLetter(route: string): Promise<DeadLetter | undefined> {
    const QueueUrl = `${await this.#url(route)}${DEAD_LETTERS}`;
    const receive = new ReceiveMessageCommand({ QueueUrl, MessageAttributeNames: ['All'] });
    const [message] = (await this.#sqs.send(receive)).Messages ?? [];
    if (message === undefined) return undefined;
    await this.#sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle: message.ReceiptHandle }));
    const { reason, deliveries } = message.MessageAttributes ?? {};
    return { body: message.Body ?? '', reason: reason?.StringValue, deliveries: deliveries?.StringValue };
  }

  /** The number of messages that wait in the queue of a route, or are in flight. */
  async depth(route: string): Promise<number> {
    const inFlight = await this.#attribute(await this.#url(route), 'ApproximateNumberOfMessagesNotVisible');
    return (await this.waiting(route)) + Number(inFlight);
  }

  /** The number of messages that wait for their function. */
  async waiting(route: string): Promise<number> {
    return Number(await this.#attribute(await this.#url(route), 'ApproximateNumberOfMessages'));
  }

  /** During `act`, a message whose function is killed is redelivered after `seconds` instead of the deployed minutes. */
  async withVisibilityTimeout(routes: readonly string[], seconds: number, act: () => Promise<void>): Promise<void> {
    const urls = await Promise.all(routes.map((route) => this.#url(route)));
    const deployed = await Promise.all(urls.map((url) => this.#attribute(url, 'VisibilityTimeout')));
    await Promise.all(urls.map((url) => this.#setVisibilityTimeout(url, String(seconds))));
    try {
      await act();
    } finally {
      await Promise.all(urls.map((url, index) => this.#setVisibilityTimeout(url, deployed[index] ?? '')));
    }
  }

  async #setVisibilityTimeout(url: string, seconds: string): Promise<void> {
    await this.#sqs.send(new SetQueueAttributesCommand({ QueueUrl: url, Attributes: { VisibilityTimeout: seconds } }));
  }

  async #url(route: string): Promise<string> {
    const { QueueUrl } = await this.#sqs.send(new GetQueueUrlCommand({ QueueName: `${PREFIX}${route}` }));
    return QueueUrl ?? '';
  }

  async #attribute(
    url: string,
    name: 'ApproximateNumberOfMessages' | 'ApproximateNumberOfMessagesNotVisible' | 'VisibilityTimeout',
  ): Promise<string> {
    const { Attributes } = await this.#sqs.send(
      new GetQueueAttributesCommand({ QueueUrl: url, AttributeNames: [name] }),
    );
    return Attributes?.[name] ?? '';
  }
}

function nameOf(url: string): string {
  return url.split('/').at(-1) ?? url;
}
