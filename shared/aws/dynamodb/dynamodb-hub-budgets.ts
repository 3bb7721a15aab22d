/** The budgets of requests to hubs on DynamoDB: one row per hub and period in which an instance had many requests; it expires. */
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { readEnvironment } from '../../core/environment.ts';
import { SECOND } from '../../core/time.ts';
import type { HubBudgets, Period } from '../../kubernetes/hub-budget.ts';
import { clientConfig, type Environment } from '../client-config.ts';
import { rowFormats } from './row-formats.ts';
import { Table } from './table.ts';

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
        values: { ':end': Math.ceil(end / SECOND), ':requests': requests, ':rest': most - requests },
      },
    );
    return row !== undefined;
  }
}

export function awsBudgets(environment: Environment): HubBudgets {
  return new DynamoDbHubBudgets(new DynamoDBClient(clientConfig), readEnvironment(environment, 'tableName'));
}
