/** Generates the monthly bill in docs/operations/cost.md from bench/results/monthly-cost.json. */
import type { z } from 'zod';
import { gbSecondsOf, memoryMb } from '../bench/function-cost/counts.ts';
import { monthlyPrices, PRICES_READ, prices } from '../bench/function-cost/prices.ts';
import type { HubCounts } from '../bench/monthly-cost/hub-counts.ts';
import {
  dollarsOf,
  HUB_NUMBERS,
  historyDetailsSchema,
  MONTH_HOURS,
  monthlyBill,
  monthlyDetailsSchema,
  POLL_SECONDS,
  POLLERS,
} from '../bench/monthly-cost/monthly-bill.ts';
import type { Result } from '../bench/result.ts';
import { settingDefinitions } from '../shared/core/settings.ts';
import { plain, type TableFormat } from './bench-docs.ts';

type Details = z.infer<typeof monthlyDetailsSchema>;

const GB = 1e9;
const { resyncMinutes, deschedulingMinutes, hubConnectionSeconds, placementHistoryDays } = settingDefinitions;

export function monthlyBlock(result: Result, history: Result, table: TableFormat): string {
  const details = monthlyDetailsSchema.parse(result.details);
  const { bindings, changed, latencyMs, counts } = details;
  const [idle, busy] = [billsOf(details, counts.idle), billsOf(details, counts.busy)];
  return `## Monthly bill

One deployment with 1, 100 and 1,000 hubs of ${plain(bindings)} bindings each: everything that AWS bills for ${MONTH_HOURS} hours. \`${result.command}\` counted one hour of one hub on ${result.measuredAt.slice(0, 10)}, with the
functions and their caches on a virtual clock ([monthly-cost.json](../../bench/results/monthly-cost.json)); simulated latencies: ${latencyText(latencyMs)}. The hub has the features \`--scheduler\`, \`--policies\` and
\`--graceful-reduction\`, its bindings are of our scheduler, and all settings have their defaults. A line is the fixed part + hubs × (counts of an hour × ${MONTH_HOURS} + counts of what is due every six hours × ${MONTH_HOURS} / 6), times its price. 
Prices of lines that the first table does not have were not checked against AWS's price pages on ${PRICES_READ}.

### Idle

Only schedules: resync every ${resyncMinutes.default} minutes, the check of the token, and a comparison of all bindings every six hours.

${table(head, billRows(idle))}

### With 1 % of the bindings changed per hour

${changed} bindings of each hub, evenly spread. A change is one scaling of the workload: Karmada writes the replicas, \`schedule-binding\` assigns them and writes the status, Karmada writes that they run. The API server sends
three audit batches for it, and a resync reads the binding again. Rebalances are extra: the first table has their cost per workload.

${table(head, billRows(busy))}

${historyBlock({ monthly: result, history }, table)}

### What is large, and what makes it smaller

${remarks(details)
  .map((text) => `- ${text}`)
  .join('\n')}

SQS: the fixed part is long polls, of which Lambda keeps about ${POLLERS} of ${POLL_SECONDS} s open on each queue. Three lines are upper bounds: requests to the key for tables (one per function, table and five minutes), stored logs (without compression), and
requests with a message group (each send, receive and delete). Not included: TLS handshakes, cold starts, users of the console, alarms and metrics of faults ($${metricPrice} for each hub and metric, in the hours of the fault), rotation of the key
($1 more per month after each of the first two yearly ones), and a NAT gateway if the functions run in your VPC ($0.045 per hour, and per GB in both directions).`;
}

/** What the history of placements costs more. */
function historyBlock({ monthly, history }: Record<'monthly' | 'history', Result>, table: TableFormat): string {
  const details = monthlyDetailsSchema.parse(monthly.details);
  const { changed, hourBytes, counts } = historyDetailsSchema.parse(history.details);
  const without = billsOf({ ...details, storedBytes: 0 }, counts.without);
  const recorded = billsOf({ ...details, storedBytes: hourBytes * 24 * placementHistoryDays.default }, counts.recorded);
  return `### Placement history

What the same ${changed} changes an hour cost more on a hub that has \`--history\` too ([Placement history](../guides/history.md)), with rows of ${placementHistoryDays.default} days (\`placementHistoryDays\`). \`${history.command}\` counted an hour without and one with it on ${history.measuredAt.slice(0, 10)}
([history-cost.json](../../bench/results/history-cost.json)). Lines without a difference are left out. A hub with \`--history\` alone also pays for the events, the requests of the hook, and the functions that consume the same events.

${table(head, differenceRows(without, recorded))}`;
}

/** What the second bills have more than the first. */
function differenceRows(bills: Bills, more: Bills): readonly (readonly string[])[] {
  const differences = more.map((bill, i) =>
    bill.map((line, place) => {
      const { quantity = 0, dollars: paid = 0 } = bills[i]?.[place] ?? {};
      return { ...line, quantity: line.quantity - quantity, dollars: line.dollars - paid };
    }),
  );
  return billRows(differences).filter(([unit, , quantity]) => unit === '**total**' || quantity !== '0');
}

const head = [
  'unit',
  'price',
  'units with 1 hub',
  ...HUB_NUMBERS.map((hubs) => `${plain(hubs)} ${hubs === 1 ? 'hub' : 'hubs'}`),
];
const metricPrice = monthlyPrices.metric.dollars.toFixed(2);

type Bills = readonly ReturnType<typeof monthlyBill>[];

function billsOf({ counts, storedBytes }: Details, hour: HubCounts): Bills {
  const { sixHourly, schedules } = counts;
  return HUB_NUMBERS.map((hubs) => monthlyBill({ hour, sixHourly, schedules, storedBytes }, hubs, memoryMb));
}

function billRows(bills: Bills): readonly (readonly string[])[] {
  const [first = []] = bills;
  const lines = first.map(({ unit, price, quantity }, index) => [
    ...[unit, price, plain(quantity)],
    ...bills.map((bill) => dollars(bill[index]?.dollars ?? Number.NaN)),
  ]);
  return [...lines, ['**total**', '', '', ...bills.map((bill) => `**${dollars(dollarsOf(bill))}**`)]];
}

/** One per line that dominates, with the setting that lowers it. */
function remarks(details: Details): readonly string[] {
  const { counts, bindings } = details;
  const sweeps = (60 / deschedulingMinutes.default) * MONTH_HOURS;
  const sweptGb = (counts.sweep.bytesFromHub * sweeps) / GB;
  const sweepDollars = gbSecondsOf(counts.sweep, memoryMb) * sweeps * prices.lambdaDuration.dollars;
  const [quiet, busy] = [counts.idle, counts.busy].map((hour) => hostedGb(hour, counts.sixHourly));
  return [
    `Secrets: one per hub, for its connection ([decision 27](../decisions/0027-hubs-are-data.md)); no setting lowers it.`,
    `Requests to Secrets Manager and KMS: each scheduled invocation reads its hub's secret, because \`hubConnectionSeconds\` (${hubConnectionSeconds.default}) is shorter than the intervals. With 3,600 an instance reads it once an hour; but it keeps the connections of 100 hubs, so this does not help 1,000 hubs.`,
    `Custom metrics: a hub on which nothing is held, unassigned or faulty sends none. Each metric that it does send, such as \`ReductionsHeld\` above zero, costs $${metricPrice} in a month in which it is sent each hour.`,
    `Bytes from hubs cost nothing at AWS. A cloud that bills its egress at $${monthlyPrices.egressGb.dollars} per GB charges each hub ${plain(quiet ?? 0)} GB = ${dollars((quiet ?? 0) * monthlyPrices.egressGb.dollars)} idle, and ${plain(busy ?? 0)} GB = ${dollars((busy ?? 0) * monthlyPrices.egressGb.dollars)} with changes; most of it is the comparison every six hours.`,
    `A hub with an estimator has all its bindings read in each run of the descheduler: ${plain(counts.sweep.bytesFromHub / 1e6)} MB for ${plain(bindings)}, so ${plain(sweptGb)} GB per hub and month, which is ${dollars(sweepDollars)} of Lambda more, and ${dollars(sweptGb * monthlyPrices.egressGb.dollars)} of egress at the hub. A longer \`deschedulingMinutes\` lowers it in proportion.`,
  ];
}

/** What a hub sends in a month. */
function hostedGb(hour: HubCounts, sixHourly: HubCounts): number {
  return (MONTH_HOURS * (hour.bytesFromHub + sixHourly.bytesFromHub / 6)) / GB;
}

function latencyText(latencyMs: Details['latencyMs']): string {
  return Object.entries(latencyMs)
    .map(([what, ms]) => `${what} ${ms} ms`)
    .join(', ');
}

function dollars(value: number): string {
  return `$${value.toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`;
}
