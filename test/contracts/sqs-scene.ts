/** The queues' contract on something that speaks SQS: sends and gives up as bus and functions do. */
import { DeleteMessageCommand, ReceiveMessageCommand, SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import { type KnownQueue, SqsQueues } from '../../shared/aws/sqs/sqs-queues.ts';
import { SqsSourceQueue } from '../../shared/aws/sqs/sqs-source-queue.ts';
import { Fault } from '../../shared/core/fault.ts';
import type { QueuesScene } from './queues.contract.ts';

export function sqsScene(client: SQSClient, known: readonly [KnownQueue, KnownQueue]): QueuesScene {
  const [first, second] = known;
  const of = (name: string) => (name === first.name ? first : second);
  return {
    queues: new SqsQueues(client, known),
    first: first.name,
    second: second.name,
    feeds: first.function,
    send: async (name, body) => {
      await client.send(new SendMessageCommand({ QueueUrl: of(name).url, MessageBody: body }));
    },
    giveUp: (name, body, { reason, error }) =>
      new SqsSourceQueue(client, of(name), 7).deadLetter(
        { id: 'given-up', receipt: 'gone', body, receiveCount: 7 },
        new Fault('terminal', error, { reason }),
      ),
    receive: async (name) => {
      const QueueUrl = of(name).url;
      const found: { body: string; delivery: number }[] = [];
      for (;;) {
        const { Messages: messages = [] } = await client.send(
          new ReceiveMessageCommand({
            QueueUrl,
            MaxNumberOfMessages: 10,
            MessageSystemAttributeNames: ['ApproximateReceiveCount'],
          }),
        );
        if (messages.length === 0) return found;
        for (const { Body = '', ReceiptHandle, Attributes } of messages) {
          found.push({ body: Body, delivery: Number(Attributes?.ApproximateReceiveCount) });
          await client.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));
        }
      }
    },
  };
}
