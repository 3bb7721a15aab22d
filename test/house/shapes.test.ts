/** The recorded shape of every row and event: what the release before reads and writes beside this one. */
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { expect, it } from 'vitest';
import * as z from 'zod/mini';
import { DynamoDbHubRegistry } from '../../shared/aws/dynamodb/dynamodb-hub-registry.ts';
import { rowFormats } from '../../shared/aws/dynamodb/row-formats.ts';
import { catalogue } from '../../shared/bus/catalogue.ts';
import { startStrictTable } from '../fakes/strict-table.ts';
import { RawTable, readableRow, rowSamples, shapeOf } from '../row-samples.ts';

const RECORDED = join(import.meta.dirname, 'shapes.golden');
const REMEDY = `the shape of a row or an event has changed. During a deployment and after a rollback the release before reads it and writes its own:
- if that is safe (an added field that old code ignores, and that new code reads as absent), record it: npx vitest run test/house/shapes.test.ts --update
- if not, increase the row's number in shared/aws/dynamodb/row-formats.ts or the event's version in shared/bus/catalogue.ts, read the old shape too, and record it`;

it('every row and event has the shape that is recorded for its version', async () => {
  const table = await startStrictTable();
  await table.makeTable('hubs');
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  const client = new DynamoDBClient({ endpoint: table.strictEndpoint, region: 'local', credentials });
  const registry = new DynamoDbHubRegistry(client, 'hubs', () => undefined);
  const [main, hubs] = [new RawTable(table.endpoint, 'evenkeel'), new RawTable(table.endpoint, 'hubs')];
  const rows: Record<string, unknown> = {};
  for (const { kind, store, key, write } of rowSamples) {
    await write({ ...table, registry });
    rows[`${kind}, format ${rowFormats[store]}`] = shapeOf(
      readableRow(await (store === 'registry' ? hubs : main).row(key)),
    );
  }
  const events = Object.fromEntries(
    Object.values(catalogue).map(({ type, version, schema }) => [
      `${type}, version ${version}`,
      z.toJSONSchema(schema),
    ]),
  );
  main.close();
  hubs.close();
  client.destroy();
  await table.close();
  await expect(`${JSON.stringify({ rows, events }, null, 2)}\n`, REMEDY).toMatchFileSnapshot(RECORDED);
});
