/** The counts of a rebalance, as AWS would bill them for a million workloads. */
import { gbSecondsOf, type InvocationCounts, invocationsOf } from './counts.ts';
import { type Priced, prices, priceText } from './prices.ts';

export interface BillLine {
  readonly unit: string;
  /** For the measured workloads. */
  readonly counted: number;
  readonly price: string;
  readonly dollarsAMillion: number;
}

const MILLION = 1_000_000;

export function billOf(
  counts: InvocationCounts,
  workloads: number,
  memoryMb: (name: string) => number,
): readonly BillLine[] {
  const counted: Readonly<Record<Priced, number>> = {
    lambdaRequest: invocationsOf(counts),
    lambdaDuration: gbSecondsOf(counts, memoryMb),
    httpRequest: counts.hookRequests,
    event: counts.events,
    queueRequest: counts.queueRequests,
    schedule: counts.schedules,
    writeUnit: counts.writeUnits,
    readUnit: counts.readUnits,
    logGb: counts.logBytes / 1e9,
  };
  return (Object.keys(prices) as Priced[]).map((what) => {
    const { unit, dollars, of } = prices[what];
    return {
      unit,
      counted: counted[what],
      price: priceText(prices[what]),
      dollarsAMillion: (counted[what] / workloads) * MILLION * (dollars / of),
    };
  });
}

export function totalOf(bill: readonly BillLine[]): number {
  return bill.reduce((sum, { dollarsAMillion }) => sum + dollarsAMillion, 0);
}
