/** The monthly bill in dollars, from invented counts, with expected values computed by hand from AWS's price rules. A month has 730 hours. */
import { describe, expect, it } from 'vitest';
import type { HubCounts } from '../../bench/monthly-cost/hub-counts.ts';
import { dollarsOf, type MonthlyCounts, monthlyBill } from '../../bench/monthly-cost/monthly-bill.ts';
import { functionNames } from '../../shared/bus/functions.ts';
import { routes } from '../../shared/bus/routes.ts';

const nothing: HubCounts = {
  invocations: {},
  ...{ hookRequests: 0, events: 0, queueRequests: 0, schedules: 0, writeUnits: 0, readUnits: 0, logBytes: 0 },
  ...{ hubRequests: 0, secretReads: 0, eventBytes: 0, groupedRequests: 0, bytesToHub: 0, bytesFromHub: 0 },
  hubMetrics: [],
};
const HUBS = 100;

interface Given {
  readonly hour?: Partial<HubCounts>;
  readonly sixHourly?: Partial<HubCounts>;
  readonly fixed?: Partial<HubCounts>;
  readonly storedBytes?: number;
}

function countsOf({ hour, sixHourly, fixed, storedBytes = 0 }: Given): MonthlyCounts {
  const schedules = [{ hubs: HUBS, counts: { ...nothing, ...fixed } }];
  return { hour: { ...nothing, ...hour }, sixHourly: { ...nothing, ...sixHourly }, schedules, storedBytes };
}

function billOf(given: Given) {
  return monthlyBill(countsOf(given), HUBS, () => 512);
}

/** Of the one line whose unit begins so. */
function dollars(given: Given, unit: string): number {
  const lines = billOf(given).filter((line) => line.unit.startsWith(unit));
  expect(lines).toHaveLength(1);
  return lines[0]?.dollars ?? Number.NaN;
}

describe('the monthly bill of 100 hubs', () => {
  // 1,000 an hour and hub are 73,000,000 a month.
  it.each<[string, Partial<HubCounts>, number]>([
    ['events (EventBridge)', { events: 1000 }, 73],
    ['requests with a message group', { groupedRequests: 1000 }, 7.3],
    ['requests of the hook', { hookRequests: 1000 }, 73],
    ['read request units', { readUnits: 1000 }, 9.125],
    ['write request units', { writeUnits: 1000 }, 45.625],
    ['requests (Secrets Manager)', { secretReads: 1000 }, 365],
    ['invocations (Lambda)', { invocations: { a: { count: 1000, ms: 0 } } }, 14.6],
    // 1,000 s with half a GB are 500 GB-seconds: 36,500,000 a month.
    ['GB-seconds', { invocations: { a: { count: 1, ms: 1_000_000 } } }, 486.6691],
    // 1 MB an hour and hub is 73 GB a month.
    ['GB of logs (CloudWatch)', { logBytes: 1_000_000 }, 36.5],
    // Kept for 30 days, of 30.4167: 72 GB.
    ['GB of logs stored', { logBytes: 1_000_000 }, 2.16],
    ['GB archived', { eventBytes: 1_000_000 }, 7.3],
    // Kept for 7 days: 16.8 GB.
    ['GB stored in the archive', { eventBytes: 1_000_000 }, 0.3864],
    ['GB sent to hubs', { bytesToHub: 1_000_000 }, 6.57],
    ['GB received from hubs', { bytesFromHub: 1_000_000 }, 0],
    // One of each hub, and two of the deployment.
    ['custom metrics', { hubMetrics: ['ReductionsHeld'] }, 30.6],
  ])('counts %s', (unit, hour, expected) => {
    expect(dollars({ hour }, unit)).toBeCloseTo(expected, 9);
  });

  it('has a secret for each hub', () => {
    expect(dollars({}, 'secrets')).toBeCloseTo(40, 9);
  });

  it('adds what is due every six hours a sixth time, and the schedules of the deployment once', () => {
    expect(dollars({ sixHourly: { events: 6000 } }, 'events')).toBeCloseTo(73, 9);
    expect(dollars({ fixed: { readUnits: 1_000_000 } }, 'read request units')).toBeCloseTo(91.25, 9);
  });

  it('bills five polls of 20 s of each queue, and the requests of messages', () => {
    const polls = (730 * 3600 * 5 * routes.length) / 20;
    expect(dollars({ hour: { queueRequests: 1000 } }, 'requests (SQS')).toBeCloseTo(29.2 + polls * 0.0000004, 9);
  });

  it('bills a request to the key for each read of a secret, and every five minutes for each function and table', () => {
    const tables = functionNames.length * 2 * 12 * 730;
    expect(dollars({ hour: { secretReads: 1000 } }, 'requests (KMS)')).toBeCloseTo(219 + tables * 0.000003, 9);
  });

  it('invokes the schedule of the deployment each minute', () => {
    expect(dollars({}, 'schedules invoked')).toBeCloseTo(0.0438, 9);
  });

  it('stores the rows of each hub, with their backup', () => {
    expect(dollars({ storedBytes: 10_000_000 }, 'GB stored, with')).toBeCloseTo(0.45, 9);
  });

  it('is the sum of its lines', () => {
    const more = dollarsOf(billOf({ hour: { events: 1000, hookRequests: 1000 } })) - dollarsOf(billOf({}));
    expect(more).toBeCloseTo(146, 9);
  });

  it('is rejected for a number of hubs whose schedules are not counted', () => {
    expect(() => monthlyBill(countsOf({}), 7, () => 512)).toThrow('the schedules of 7 hubs are not counted');
  });
});
