/** The contract of the queue port on the emulator's SQS, with separate queues that are created as the stack creates them. */
import { randomUUID } from 'node:crypto';
import { CreateQueueCommand, SQSClient } from '@aws-sdk/client-sqs';
import type { KnownQueue } from '../../../../shared/aws/sqs/sqs-queues.ts';
import { DEAD_LETTERS } from '../../../../shared/core/environment.ts';
import { queuesContract } from '../../../contracts/queues.contract.ts';
import { sqsScene } from '../../../contracts/sqs-scene.ts';
import { startAwsEmulator } from '../../parts/aws-emulator.ts';
import { rigOfSuite } from '../rig-of-suite.ts';

queuesContract("MiniStack's SQS", async () => {
  const client = new SQSClient((await startAwsEmulator(rigOfSuite())).client());
  const run = randomUUID().slice(0, 8);
  const url = async (name: string) =>
    (await client.send(new CreateQueueCommand({ QueueName: `contract-${run}-${name}` }))).QueueUrl ?? '';
  const known = async (name: string): Promise<KnownQueue> => ({
    name,
    function: `part/${name}`,
    url: await url(name),
    deadLetterUrl: await url(`${name}${DEAD_LETTERS}`),
  });
  return sqsScene(client, [await known('first'), await known('second')]);
});
