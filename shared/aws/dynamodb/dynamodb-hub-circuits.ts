/** The circuit breakers of hubs on DynamoDB: one row per hub that has failed. */
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Circuit, HubCircuits } from '../../kubernetes/hub-circuit.ts';
import { rowFormats } from './row-formats.ts';
import { type RowKey, Table, type TableRow, tableStore, type WriteCondition } from './table.ts';

export class DynamoDbHubCircuits implements HubCircuits {
  readonly #table: Table;

  constructor(client: DynamoDBClient, table: string) {
    this.#table = new Table(client, table, rowFormats.circuits);
  }

  async read(hub: string): Promise<Circuit | undefined> {
    const row = await this.#table.read(rowKey(hub));
    return row && circuitOf(row);
  }

  async write(hub: string, circuit: Circuit, before: Circuit | undefined): Promise<'done' | 'changed'> {
    return (await this.#table.put({ ...rowKey(hub), ...circuit }, stillAt(before))) ? 'done' : 'changed';
  }
}

function circuitOf({ state, openUntil, streak, silentAfterMs }: TableRow): Circuit {
  return {
    state: state as Circuit['state'],
    openUntil: openUntil as number,
    streak: streak as number,
    silentAfterMs: silentAfterMs as number,
  };
}

function stillAt(before: Circuit | undefined): WriteCondition {
  if (before === undefined) return { condition: 'attribute_not_exists(pk)' };
  return { condition: 'openUntil = :before', values: { ':before': before.openUntil } };
}

function rowKey(hub: string): RowKey {
  return { pk: `CIRCUIT#${hub}`, sk: 'STATE' };
}

export const awsCircuits = tableStore<HubCircuits>(DynamoDbHubCircuits);
