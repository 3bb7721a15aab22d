/** A client of the table that counts what DynamoDB would bill for. */
import { setTimeout as wait } from 'node:timers/promises';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { tasksByHub } from '../../shared/core/environment.ts';
import type { Counter } from './counts.ts';

/** The fields of requests and responses that are counted. */
interface Call {
  readonly input: { ReturnConsumedCapacity?: string; readonly Key?: object; readonly Item?: object };
}
interface CountedOutput {
  readonly output: { readonly ConsumedCapacity?: { readonly CapacityUnits?: number } };
}

export function countedTable(endpoint: string, counter: Counter, latencyMs: number): DynamoDBClient {
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  const client = new DynamoDBClient({ endpoint, region: 'local', credentials });
  client.middlewareStack.add(
    (next, { commandName = '' }) =>
      async (call) => {
        const { input } = call as Call;
        input.ReturnConsumedCapacity = 'TOTAL';
        await wait(latencyMs);
        const answer = await next(call);
        const units = (answer as CountedOutput).output.ConsumedCapacity?.CapacityUnits ?? 1;
        if (/^(Get|Query)/.test(commandName)) counter.readUnits += units;
        // The emulated table omits its index, to which a task's own row is written too.
        else counter.writeUnits += isIndexed(input) ? 2 * units : units;
        return answer;
      },
    { step: 'initialize', name: 'countCapacity' },
  );
  return client;
}

function isIndexed({ Key, Item }: Call['input']): boolean {
  return JSON.stringify(Key ?? {}).includes('"META"') || JSON.stringify(Item ?? {}).includes(`"${tasksByHub.key}"`);
}
