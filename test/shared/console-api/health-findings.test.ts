/** Expected findings by the meaning of each fact; the limits at their last good and first bad value. */
import { describe, expect, it } from 'vitest';
import {
  type HubFacts,
  hubFindings,
  type LoggedFacts,
  loggedFindings,
  queueFindings,
  rankOfFindings,
} from '../../../shared/console-api/health-findings.ts';
import { clockDifference } from '../../../shared/kubernetes/hub-clock.ts';

const MINUTE = 60_000;
const now = Date.parse('2026-11-23T10:00:00Z');
const facts = (over: Partial<HubFacts> = {}): HubFacts => ({
  ...{ name: 'eu', state: 'Active', reach: { state: 'Reachable', comparedAt: now } },
  ...over,
});
const codes = (over: Partial<HubFacts>) => hubFindings(facts(over)).map(({ code, level }) => `${level} ${code}`);
const comparedAt = now - 20 * MINUTE;
const pause = { since: now, reason: 'upgrade' };

describe('a hub', () => {
  it('has no finding while it answers, is compared and has our time', () => {
    expect(codes({})).toEqual([]);
    expect(codes({ clockDifferenceMs: 0 })).toEqual([]);
  });

  it('that does not answer is an error, also while it is paused', () => {
    const reach = { state: 'Unreachable', message: 'no answer', comparedAt } as const;
    expect(codes({ reach })).toEqual(['error HubUnreachable']);
    expect(codes({ reach, pause })).toEqual(['error HubUnreachable', 'warning HubPaused']);
    expect(hubFindings(facts({ reach }))[0]).toMatchObject({ text: 'no answer', section: 'silent-resync' });
  });

  it('that was not compared in time is an error, and a warning before its first comparison', () => {
    expect(codes({ reach: { state: 'NotCompared', comparedAt } })).toEqual(['error HubNotCompared']);
    expect(codes({ reach: { state: 'NotCompared' } })).toEqual(['warning HubNeverCompared']);
  });

  it('that is paused is not expected to be compared', () => {
    expect(codes({ reach: { state: 'NotCompared', comparedAt }, pause })).toEqual(['warning HubPaused']);
  });

  it('that is being removed is expected not to answer', () => {
    expect(codes({ state: 'Removing', reach: { state: 'Unreachable' } })).toEqual(['warning HubRemoving']);
  });

  it.each([
    [5000, []],
    [5001, ['warning ClocksApart']],
    [-5000, []],
    [-5001, ['warning ClocksApart']],
    [Number.NaN, []],
  ])('whose clock differs by %i ms has the findings %j', (clockDifferenceMs, expected) => {
    expect(codes({ clockDifferenceMs })).toEqual(expected);
  });
});

describe('the difference of clocks', () => {
  it('is 0 if the time of the hub is within the request, in whole seconds', () => {
    expect(clockDifference({ sent: 1999, received: 2300, serverTime: 1000 })).toBe(0);
    expect(clockDifference({ sent: 1000, received: 2300, serverTime: 2000 })).toBe(0);
  });

  it('is what the hub is ahead or behind at least, and unknown without its time', () => {
    expect(clockDifference({ sent: 10_000, received: 10_100, serverTime: 22_000 })).toBe(11_900);
    expect(clockDifference({ sent: 30_000, received: 30_100, serverTime: 22_000 })).toBe(-7000);
    expect(clockDifference({ sent: 1, received: 2, serverTime: undefined })).toBe(undefined);
  });
});

describe('the logs of a hub', () => {
  const time = { now, resyncMinutes: 5 };
  const logged = (over: Partial<LoggedFacts>) =>
    loggedFindings({ name: 'eu', silentEstimators: [], ...over }, time).map(({ code }) => code);
  const silent = (at: number) => [{ cluster: 'm1', at, error: 'late' }];

  it('give a finding for as long as an alarm on the same fault stays on', () => {
    expect(logged({ silentEstimators: silent(now - 15 * MINUTE) })).toEqual(['EstimatorSilent']);
    expect(logged({ silentEstimators: silent(now - 15 * MINUTE - 1) })).toEqual([]);
    expect(logged({ slowed: { at: now - 15 * MINUTE, inFlight: 4 } })).toEqual(['HubSlow']);
    expect(logged({ slowed: { at: now - 15 * MINUTE - 1, inFlight: 4 } })).toEqual([]);
  });

  it('give overdue reductions with their age until three resyncs in a row found none', () => {
    const overdue = { at: now - 15 * MINUTE, count: 2, since: now - 60 * MINUTE };
    expect(loggedFindings({ name: 'eu', silentEstimators: [], overdue }, time)).toMatchObject([
      {
        ...{ level: 'error', code: 'ReductionsOverdue', section: 'overdue-reductions' },
        text: '2 replica reductions still held, the grace period of the first ended at 2026-11-23T09:00:00Z',
      },
    ]);
    expect(logged({ overdue: { ...overdue, at: overdue.at - 1 } })).toEqual([]);
  });
});

describe('a queue', () => {
  const found = (waiting: number, deadLetters: number) =>
    queueFindings({ name: 'q', waiting, deadLetters }).map(({ code }) => code);

  it('has an error from the first dead letter on, and a warning above 1,000 waiting events', () => {
    expect(found(1000, 0)).toEqual([]);
    expect(found(1001, 1)).toEqual(['DeadLetters', 'QueueDeep']);
  });
});

it('the rank of findings is that of the most severe, and no finding is last', () => {
  const rank = (over: Partial<HubFacts>) => rankOfFindings(hubFindings(facts(over)));
  const away = rank({ reach: { state: 'Unreachable' }, pause });
  expect(away).toBe(0);
  expect([rank({ reach: { state: 'NotCompared' } }), rank({ pause }), rank({})].toSorted((a, b) => a - b)).toEqual([
    rank({ reach: { state: 'NotCompared' } }),
    rank({ pause }),
    rank({}),
  ]);
});
