/** The budgets of requests to hubs on DynamoDB: one row per hub and period in which an instance had many requests; it expires. */
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { HubBudgets, Period } from '../../kubernetes/hub-budget.ts';
import { rowFormats } from './row-formats.ts';
import { seconds, Table, tableStore } from './table.ts';

export class DynamoDbHubBudgets implements HubBudgets {
  readonly #table: Table;

  constructor(client: DynamoDBClient, table: string) {
    this.#table = new Table(client, table, rowFormats.budgets);
  }

  async take(hub: string, { number, end }: Period, requests: number, most: number): Promise<boolean> {
    const row = await this.#table.update(
      { pk: `BUDGET#${hub}`, sk: `PERIOD#${number}` },
      'SET expiresAt = :end ADD taken :requests',
      {
        condition: 'attribute_not_exists(taken) OR taken <= :rest',
        values: { ':end': seconds(end), ':requests': requests, ':rest': most - requests },
      },
    );
    return row !== undefined;
  }
}

export const awsBudgets = tableStore<HubBudgets>(DynamoDbHubBudgets);
