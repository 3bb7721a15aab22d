/** DynamoDB Local, in memory. */
import { dynamoDbLocal } from '../cache/dynamodb-local.ts';
import type { Rig } from '../rig.ts';

/** Its endpoint. */
export async function startDynamoDbLocal(rig: Rig): Promise<string> {
  const port = await rig.port('dynamodb-local');
  const endpoint = `http://127.0.0.1:${port}`;
  await rig.start({
    name: 'dynamodb-local',
    command: [...(await dynamoDbLocal()), '-inMemory', '-sharedDb', '-disableTelemetry', '-port', String(port)],
    // It rejects unsigned requests: any response shows that it is ready.
    ready: () => fetch(endpoint),
  });
  return endpoint;
}
