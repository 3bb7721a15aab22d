/** Rows and events of each version as the other reads them. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { describe, expect, inject, it } from 'vitest';
import * as z from 'zod/mini';
import type * as hubRegistry from '../../shared/aws/dynamodb/dynamodb-hub-registry.ts';
import type * as localTable from '../../shared/aws/dynamodb/local-table.ts';
import type * as catalogue from '../../shared/bus/catalogue.ts';
import type * as events from '../../shared/bus/event.ts';
import { startStrictTable } from '../fakes/strict-table.ts';
import { rowSamples, type SampledStores } from '../row-samples.ts';

type RegistryModule = typeof hubRegistry;
type TableModule = typeof localTable;
type Catalogue = typeof catalogue;
type EventModule = typeof events;
type AnyDefinition = Catalogue['catalogue'][keyof Catalogue['catalogue']];

const HEAD = join(import.meta.dirname, '../..');
const base = inject('base');

async function modulesOf(folder: string) {
  const load = async <T>(path: string) => (await import(pathToFileURL(join(folder, path)).href)) as T;
  return {
    ...(await load<RegistryModule>('shared/aws/dynamodb/dynamodb-hub-registry.ts')),
    ...(await load<TableModule>('shared/aws/dynamodb/local-table.ts')),
    ...(await load<Catalogue>('shared/bus/catalogue.ts')),
    ...(await load<EventModule>('shared/bus/event.ts')),
  };
}

type Modules = Awaited<ReturnType<typeof modulesOf>>;

async function storesOf({ openLocalTable, DynamoDbHubRegistry }: Modules, endpoint: string) {
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  const client = new DynamoDBClient({ endpoint, region: 'local', credentials });
  const table = await openLocalTable(endpoint);
  const stores: SampledStores = { ...table, registry: new DynamoDbHubRegistry(client, 'hubs', () => undefined) };
  return { stores, close: () => [table, { close: () => client.destroy() }].forEach((each) => each.close()) };
}

/** Values that any event takes: its fields are names, ids and numbers. */
function detailOf({ schema }: AnyDefinition): Record<string, string | number> {
  const { properties = {} } = z.toJSONSchema(schema) as {
    readonly properties?: Readonly<Record<string, { readonly type?: string; readonly enum?: readonly string[] }>>;
  };
  const valueOf = (name: string) =>
    properties[name]?.enum?.[0] ?? (properties[name]?.type === 'number' ? 0 : values[name]);
  return Object.fromEntries(Object.keys(properties).map((name) => [name, valueOf(name) ?? 'web']));
}
const values: Readonly<Record<string, string>> = { hub: 'karmada' };

if ('missing' in base)
  it.skip(`the rows and events of the version before are not read: ${base.missing}`, () => undefined);
else
  describe(`rows and events of ${base.name} and of this version`, async () => {
    const both = { base: await modulesOf(base.folder), head: await modulesOf(HEAD) };
    const directions = [
      ['base', 'head'],
      ['head', 'base'],
    ] as const;

    it.each(directions)('have the same content for both versions: rows that %s writes', async (by) => {
      const table = await startStrictTable();
      await table.makeTable('hubs');
      const base = await storesOf(both.base, table.endpoint);
      const head = await storesOf(both.head, table.endpoint);
      const known = rowSamples.filter(({ store }) => store in base.stores);
      expect(known.length).toBeGreaterThan(20);
      for (const { kind, write, read } of known) {
        await write((by === 'base' ? base : head).stores);
        if (read === undefined) continue;
        const [older, newer] = [withoutOldFields(await read(base.stores)), await read(head.stores)];
        expect([kind, newer]).toMatchObject([kind, older]);
        expect([kind, newer]).not.toEqual([kind, undefined]);
      }
      base.close();
      head.close();
      await table.close();
    });

    it.each(directions)('are read by both versions: events that %s publishes for %s', (by, to) => {
      const read = Object.entries(both[by].catalogue).flatMap(([type, definition]) => {
        const other = both[to].catalogue[type as keyof Catalogue['catalogue']] as AnyDefinition | undefined;
        if (other === undefined || definition.external === true) return [];
        const detail = detailOf(definition);
        const event = (definition.of as (detail: object) => object)(detail) as { readonly detail: object };
        const envelope = JSON.stringify({ source: 'evenkeel', 'detail-type': type, detail: event.detail });
        const parsed = both[to].parseEvent([other as never], envelope);
        expect([type, parsed.detail]).toEqual([type, detail]);
        return [type];
      });
      expect(read.length).toBeGreaterThan(20);
    });
  });

/** Fields that only code from before rows had formats, or from before `eksClusters`, returns. */
const OLD_FIELDS = ['format', 'eksCluster'];

function withoutOldFields(read: unknown): unknown {
  if (Array.isArray(read)) return read.map(withoutOldFields);
  if (typeof read !== 'object' || read === null || read instanceof Map) return read;
  const kept = Object.entries(read).filter(([name]) => !OLD_FIELDS.includes(name));
  return Object.fromEntries(kept.map(([name, value]) => [name, withoutOldFields(value)]));
}
