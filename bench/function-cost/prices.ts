/** AWS's public prices for what a rebalance uses, in dollars: us-east-1, arm64, the first tier, without what is free each month. */

export const PRICES_READ = '2026-11-22';

interface Price {
  /** What is counted. */
  readonly unit: string;
  readonly dollars: number;
  /** For so many. */
  readonly of: number;
}

const MILLION = 1_000_000;

export const prices = {
  lambdaRequest: { unit: 'invocations (Lambda)', dollars: 0.2, of: MILLION },
  lambdaDuration: { unit: 'GB-seconds (Lambda, arm64)', dollars: 0.0000133334, of: 1 },
  httpRequest: { unit: 'requests of the hook (HTTP API)', dollars: 1, of: MILLION },
  event: { unit: 'events (EventBridge)', dollars: 1, of: MILLION },
  queueRequest: { unit: 'requests (SQS, standard)', dollars: 0.4, of: MILLION },
  schedule: { unit: 'one-time schedules (EventBridge Scheduler)', dollars: 1, of: MILLION },
  writeUnit: { unit: 'write request units (DynamoDB, on demand)', dollars: 0.625, of: MILLION },
  readUnit: { unit: 'read request units (DynamoDB, on demand)', dollars: 0.125, of: MILLION },
  logGb: { unit: 'GB of logs (CloudWatch)', dollars: 0.5, of: 1 },
} as const satisfies Record<string, Price>;

export type Priced = keyof typeof prices;
