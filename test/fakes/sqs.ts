/** SQS as far as looking after queues needs it, over the wire: messages, who has them in hand, attributes, counts. Nothing comes back by time. */
import { createHash } from 'node:crypto';
import { type AwsAnswer, type AwsCall, type AwsEndpoint, startAwsEndpoint } from './aws-endpoint.ts';

interface Message {
  readonly id: string;
  readonly body: string;
  readonly attributes: object | undefined;
  receipt: string | undefined;
  received: number;
}

export interface FakeSqs {
  readonly endpoint: AwsEndpoint;
  /** Bodies in a queue, those in hand included. */
  bodies(url: string): readonly string[];
  /** An error for a call, where it gives one. */
  reject: ((call: AwsCall) => string | undefined) | undefined;
}

export async function startFakeSqs(now: () => number = Date.now): Promise<FakeSqs> {
  const queues = new Map<string, Message[]>();
  let serial = 0;
  const queue = (url: unknown): Message[] => {
    const found = queues.get(String(url)) ?? [];
    queues.set(String(url), found);
    return found;
  };
  const operations: Readonly<Record<string, (input: Record<string, unknown>) => object>> = {
    SendMessage: ({ QueueUrl, MessageBody, MessageAttributes }) => {
      const body = String(MessageBody);
      const id = `message-${++serial}`;
      queue(QueueUrl).push({
        id,
        body,
        attributes: MessageAttributes as object | undefined,
        receipt: undefined,
        received: 0,
      });
      return { MessageId: id, MD5OfMessageBody: md5(body) };
    },
    ReceiveMessage: ({ QueueUrl, MaxNumberOfMessages = 1 }) => {
      const free = queue(QueueUrl).filter(({ receipt }) => receipt === undefined);
      const Messages = free.slice(0, Number(MaxNumberOfMessages)).map((message) => {
        message.receipt = `receipt-${++serial}`;
        message.received += 1;
        const { id, body, attributes, receipt, received } = message;
        const Attributes = { SentTimestamp: String(now()), ApproximateReceiveCount: String(received) };
        const fields = { MessageId: id, Body: body, MD5OfBody: md5(body), ReceiptHandle: receipt, Attributes };
        return { ...fields, ...(attributes && { MessageAttributes: attributes }) };
      });
      return Messages.length === 0 ? {} : { Messages };
    },
    DeleteMessage: ({ QueueUrl, ReceiptHandle }) => {
      const messages = queue(QueueUrl);
      const place = messages.findIndex(({ receipt }) => receipt === ReceiptHandle);
      if (place >= 0) messages.splice(place, 1);
      return {};
    },
    ChangeMessageVisibility: ({ QueueUrl, ReceiptHandle, VisibilityTimeout }) => {
      for (const message of queue(QueueUrl))
        if (message.receipt === ReceiptHandle && VisibilityTimeout === 0) message.receipt = undefined;
      return {};
    },
    GetQueueAttributes: ({ QueueUrl }) => {
      const inHand = queue(QueueUrl).filter(({ receipt }) => receipt !== undefined).length;
      const ApproximateNumberOfMessages = String(queue(QueueUrl).length - inHand);
      return { Attributes: { ApproximateNumberOfMessages, ApproximateNumberOfMessagesNotVisible: String(inHand) } };
    },
  };
  const answer = (call: AwsCall): AwsAnswer => {
    const error = fake.reject?.(call);
    if (error !== undefined) return { error };
    const operation = operations[call.operation];
    return operation === undefined ? { error: 'UnsupportedOperation' } : { body: operation(call.input) };
  };
  const endpoint = await startAwsEndpoint(answer);
  const fake: FakeSqs = { endpoint, reject: undefined, bodies: (url) => queue(url).map(({ body }) => body) };
  return fake;
}

function md5(text: string): string {
  return createHash('md5').update(text).digest('hex');
}
