/** What AWS bills for a month of a deployment, from the counted hours of a hub. */
import { z } from 'zod';
import { functionNames } from '../../shared/bus/functions.ts';
import { routes } from '../../shared/bus/routes.ts';
import { deploymentSchedule } from '../../shared/bus/schedules.ts';
import { type SettingName, settingDefinitions } from '../../shared/core/settings.ts';
import { gbSecondsOf, invocationsOf } from '../function-cost/counts.ts';
import { monthlyPrices, type Price, prices, priceText, standing } from '../function-cost/prices.ts';
import { type HubCounts, hubCountsSchema } from './hub-counts.ts';

/** For which the schedules are counted. */
export const HUB_NUMBERS = [1, 100, 1000] as const;

export const monthlyDetailsSchema = z.object({
  bindings: z.number(),
  changed: z.number(),
  latencyMs: z.record(z.string(), z.number()),
  /** By the rows of one hub. */
  storedBytes: z.number(),
  counts: z.object({
    idle: hubCountsSchema,
    busy: hubCountsSchema,
    /** Due once in six hours. */
    sixHourly: hubCountsSchema,
    /** One run of the descheduler on a hub with an estimator. */
    sweep: hubCountsSchema,
    /** An hour of resync/publish-due. */
    schedules: z.array(z.object({ hubs: z.number(), counts: hubCountsSchema })),
  }),
});

/** Of bench/history-cost.ts: an hour without and with the feature history. */
export const historyDetailsSchema = z.object({
  bindings: z.number(),
  changed: z.number(),
  /** Rows of an hour. */
  hourBytes: z.number(),
  counts: z.object({ without: hubCountsSchema, recorded: hubCountsSchema }),
});

export interface MonthlyCounts {
  /** One hour of one hub. */
  readonly hour: HubCounts;
  readonly sixHourly: HubCounts;
  readonly schedules: readonly { readonly hubs: number; readonly counts: HubCounts }[];
  readonly storedBytes: number;
}

export interface MonthlyLine {
  readonly unit: string;
  readonly price: string;
  readonly quantity: number;
  readonly dollars: number;
}

export const MONTH_HOURS = 730;
/** An SQS long poll; Lambda keeps five of them open on an empty queue. */
export const POLL_SECONDS = 20;
export const POLLERS = 5;
const GB = 1e9;
const MONTH_DAYS = MONTH_HOURS / 24;
/** DynamoDB requests the key of a table again after five minutes, for each function. */
const TABLES = 2;
const TABLE_KEYS_AN_HOUR = 12;

function pollsOfMonth(): number {
  return ((MONTH_HOURS * 3600) / POLL_SECONDS) * POLLERS * routes.length;
}

export function monthlyBill(
  { hour, sixHourly, schedules, storedBytes }: MonthlyCounts,
  hubs: number,
  memoryMb: (name: string) => number,
): readonly MonthlyLine[] {
  const publishing = schedules.find((counted) => counted.hubs === hubs)?.counts;
  if (publishing === undefined) throw new Error(`the schedules of ${hubs} hubs are not counted`);
  /** The fixed part, and that of each hub. */
  const month = (unitsOf: (counts: HubCounts) => number): number =>
    MONTH_HOURS * (unitsOf(publishing) + hubs * (unitsOf(hour) + unitsOf(sixHourly) / 6));
  const logGb = month(({ logBytes }) => logBytes) / GB;
  const eventGb = month(({ eventBytes }) => eventBytes) / GB;
  const secretReads = month((counts) => counts.secretReads);
  const keysOfTables = functionNames.length * TABLES * TABLE_KEYS_AN_HOUR * MONTH_HOURS;
  const metrics = hubs * hour.hubMetrics.length + DEPLOYMENT_METRICS;
  const { lambdaRequest, lambdaDuration, event, schedule, queueRequest, httpRequest, readUnit, writeUnit } = prices;
  const p = monthlyPrices;
  return [
    line(lambdaRequest, month(invocationsOf)),
    line(
      lambdaDuration,
      month((counts) => gbSecondsOf(counts, memoryMb)),
    ),
    line(
      event,
      month(({ events }) => events),
    ),
    line({ ...schedule, unit: 'schedules invoked (EventBridge Scheduler)' }, schedulesOf(month)),
    line(queueRequest, pollsOfMonth() + month(({ queueRequests }) => queueRequests)),
    line(
      p.fairRequest,
      month(({ groupedRequests }) => groupedRequests),
    ),
    line(
      httpRequest,
      month(({ hookRequests }) => hookRequests),
    ),
    line(
      readUnit,
      month(({ readUnits }) => readUnits),
    ),
    line(
      writeUnit,
      month(({ writeUnits }) => writeUnits),
    ),
    line(p.tableGb, (hubs * storedBytes) / GB),
    ...standing.map(({ unit, dollars, deployment, hub }) => line({ unit, dollars, of: 1 }, deployment + hubs * hub)),
    line(p.secretRequest, secretReads),
    line(p.keyRequest, secretReads + keysOfTables),
    line(p.metric, metrics),
    line(prices.logGb, logGb),
    line(p.storedLogGb, logGb * (days('logRetentionDays') / MONTH_DAYS)),
    line(p.archivedGb, eventGb),
    line(p.storedArchiveGb, eventGb * (days('archiveDays') / MONTH_DAYS)),
    line(p.egressGb, month(({ bytesToHub }) => bytesToHub) / GB),
    line(p.ingressGb, month(({ bytesFromHub }) => bytesFromHub) / GB),
  ];
}

/** `SchedulesPublished` and `ComparisonsInTime`, of all hubs. The other metrics of objectives are sent in the hours in which something moves. */
const DEPLOYMENT_METRICS = 2;

/** The recurring one of the deployment, and one-time schedules. */
function schedulesOf(month: (unitsOf: (counts: HubCounts) => number) => number): number {
  return (MONTH_HOURS * 60) / deploymentSchedule.minutes + month((counts) => counts.schedules);
}

function days(setting: Extract<SettingName, 'logRetentionDays' | 'archiveDays'>): number {
  return settingDefinitions[setting].default;
}

export function dollarsOf(bill: readonly MonthlyLine[]): number {
  return bill.reduce((sum, { dollars }) => sum + dollars, 0);
}

function line(price: Price, quantity: number): MonthlyLine {
  const { unit, dollars, of } = price;
  return { unit, price: priceText(price), quantity, dollars: (quantity * dollars) / of };
}
