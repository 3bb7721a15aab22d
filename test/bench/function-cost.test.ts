/** The cost of a rebalance in dollars, from invented counts, with expected values computed by hand. */
import { describe, expect, it } from 'vitest';
import { billOf, totalOf } from '../../bench/function-cost/bill.ts';
import { Counter, gbSecondsOf, type InvocationCounts } from '../../bench/function-cost/counts.ts';
import { prices } from '../../bench/function-cost/prices.ts';

const nothing: InvocationCounts = {
  invocations: {},
  ...{ hookRequests: 0, events: 0, queueRequests: 0, schedules: 0, writeUnits: 0, readUnits: 0, logBytes: 0 },
  hubRequests: 0,
};
const gigabyte = () => 1024;

function dollarsOf(counts: Partial<InvocationCounts>, workloads = 1000): number {
  return totalOf(billOf({ ...nothing, ...counts }, workloads, gigabyte));
}

describe('the bill of a million workloads', () => {
  it.each([
    // 1,000,000 of each for 1,000,000 workloads.
    ['events', { events: 1000 }, 1],
    ['requests of queues', { queueRequests: 1000 }, 0.4],
    ['write units', { writeUnits: 1000 }, 0.625],
    ['read units', { readUnits: 1000 }, 0.125],
    ['one-time schedules', { schedules: 1000 }, 1],
    ['requests of the hook', { hookRequests: 1000 }, 1],
    // 1 kB per workload is 1 GB.
    ['logs', { logBytes: 1_000_000 }, 0.5],
    // An invocation of one second with 1 GB per workload: 1,000,000 GB-seconds, and 1,000,000 invocations.
    ['invocations', { invocations: { a: { count: 1000, ms: 1_000_000 } } }, 13.3334 + 0.2],
    // Requests to the hub are not billed by AWS.
    ['requests to the hub', { hubRequests: 1000 }, 0],
  ])('counts %s', (_, counts, dollars) => {
    expect(dollarsOf(counts)).toBeCloseTo(dollars, 9);
  });

  it('has a line for every price, with its count', () => {
    const lines = billOf({ ...nothing, events: 29 }, 1000, gigabyte);
    expect(lines.map(({ unit }) => unit)).toEqual(Object.values(prices).map(({ unit }) => unit));
    expect(lines.find(({ unit }) => unit.startsWith('events'))).toMatchObject({
      ...{ counted: 29, price: '$1 for 1,000,000' },
    });
  });

  it('is independent of the number of measured workloads', () => {
    expect(dollarsOf({ events: 58 }, 2000)).toBe(dollarsOf({ events: 29 }, 1000));
  });

  it('bills the configured memory of a function for its duration', () => {
    const invocations = { small: { count: 1, ms: 2000 }, large: { count: 1, ms: 1000 } };
    expect(gbSecondsOf({ ...nothing, invocations }, (name) => (name === 'small' ? 512 : 1024))).toBe(2);
  });

  it('bills started milliseconds as whole ones, also of failed invocations', async () => {
    const counter = new Counter();
    await counter.timed('a', async () => 'done');
    await expect(counter.timed('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    const { count, ms = 0 } = counter.counts().invocations.a ?? {};
    expect([count, Number.isInteger(ms), ms >= 2]).toEqual([2, true, true]);
  });
});
