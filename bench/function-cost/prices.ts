/** AWS's public prices of the used services, in dollars: us-east-1, arm64, the first tier, without the free tier. */

export const PRICES_READ = '2026-11-22';

export interface Price {
  /** The counted unit. */
  readonly unit: string;
  readonly dollars: number;
  /** For this number of units. */
  readonly of: number;
}

const MILLION = 1_000_000;

/** As a table prints it. */
export function priceText({ dollars, of }: Price): string {
  return of === 1 ? `$${dollars}` : `$${dollars} for ${of.toLocaleString('en')}`;
}

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

/** Units of a month's bill that a rebalance has none of, besides the fixed ones. */
export const monthlyPrices = {
  fairRequest: { unit: 'requests with a message group (SQS fair queues, added)', dollars: 0.1, of: MILLION },
  tableGb: { unit: 'GB stored, with point-in-time recovery (DynamoDB)', dollars: 0.45, of: 1 },
  secretRequest: { unit: 'requests (Secrets Manager)', dollars: 0.05, of: 10_000 },
  keyRequest: { unit: 'requests (KMS)', dollars: 0.03, of: 10_000 },
  metric: { unit: 'custom metrics (CloudWatch)', dollars: 0.3, of: 1 },
  storedLogGb: { unit: 'GB of logs stored (CloudWatch)', dollars: 0.03, of: 1 },
  archivedGb: { unit: 'GB archived (EventBridge)', dollars: 0.1, of: 1 },
  storedArchiveGb: { unit: 'GB stored in the archive (EventBridge)', dollars: 0.023, of: 1 },
  egressGb: { unit: 'GB sent to hubs (data transfer to the internet)', dollars: 0.09, of: 1 },
  ingressGb: { unit: 'GB received from hubs (data transfer from the internet)', dollars: 0, of: 1 },
} as const satisfies Record<string, Price>;

/** Fixed monthly costs. test/infra/standing-cost.test.ts compares the numbers with the templates. */
export const standing = [
  { unit: 'metrics of alarms (CloudWatch)', dollars: 0.1, deployment: 135, hub: 0 },
  { unit: 'composite alarms (CloudWatch)', dollars: 0.5, deployment: 5, hub: 0 },
  { unit: 'dashboards (CloudWatch)', dollars: 3, deployment: 1, hub: 0 },
  { unit: 'keys (KMS)', dollars: 1, deployment: 1, hub: 0 },
  { unit: 'secrets (Secrets Manager)', dollars: 0.4, deployment: 0, hub: 1 },
] as const satisfies readonly Standing[];

interface Standing {
  readonly unit: string;
  /** For one unit and month. */
  readonly dollars: number;
  /** Number per deployment, and additional number per hub. */
  readonly deployment: number;
  readonly hub: number;
}
