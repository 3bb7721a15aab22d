/** What sets a policy off, and when to look again. */
import { describe, expect, it } from 'vitest';
import { setOff, whyNoRun } from '../../../functions/rebalance-policy/evaluate-policies.ts';
import { parseMember } from '../../../shared/karmada/member-cluster.ts';
import type { HandledTriggers, PolicyState } from '../../../shared/rebalance-policy/policy-run.ts';
import {
  parseRebalancePolicy,
  planOf,
  type RebalancePolicy,
} from '../../../shared/rebalance-policy/rebalance-policy.ts';
import { clusterObject } from '../../placed-objects.ts';

const at = (text: string) => Date.parse(`2026-11-21T${text}:00Z`);
const member = parseMember(clusterObject('m1'));

/** Made at 09:00. */
function policy(spec: object): RebalancePolicy {
  const metadata = { name: 'p', uid: 'u', resourceVersion: '1', creationTimestamp: '2026-11-21T09:00:00Z' };
  return parseRebalancePolicy({ metadata, spec });
}

interface Case {
  readonly spec: object;
  readonly answered?: HandledTriggers;
  readonly readySince?: string;
  readonly now?: string;
  readonly joined?: boolean;
}

function look({ spec, answered = { clusters: {} }, readySince, now = '10:00', joined = false }: Case) {
  const seen = joined ? { ...member, createdAt: at('09:30') } : member;
  const observations = { 'uid-m1': { name: 'm1', ...(readySince && { readySince: at(readySince) }) } };
  return setOff({ policy: policy(spec), answered }, { members: [seen], observations }, at(now));
}

const both = { triggers: { clusterRecovered: {}, clusterJoined: { stableFor: '20m' } } };

describe('a cluster that recovered', () => {
  it('sets it off once it is stable, and until then names the time', () => {
    expect(look({ spec: both, readySince: '09:56' })).toMatchObject({ triggers: [], evaluateAt: at('10:01') });
    expect(look({ spec: both, readySince: '09:55' })).toMatchObject({
      triggers: [{ type: 'ClusterRecovered', cluster: 'm1', uid: 'uid-m1', at: at('09:55') }],
      evaluateAt: Number.POSITIVE_INFINITY,
    });
  });

  it('does not, where it did so before the policy was made, or was answered', () => {
    expect(look({ spec: both, readySince: '08:00' }).triggers).toEqual([]);
    expect(
      look({ spec: both, readySince: '09:50', answered: { clusters: { 'uid-m1': at('09:50') } } }).triggers,
    ).toEqual([]);
  });

  it('sets it off again where it has been away since', () => {
    const answered = { clusters: { 'uid-m1': at('09:20') } };
    expect(look({ spec: both, readySince: '09:50', answered }).triggers).toHaveLength(1);
  });

  it('is passed by a policy that does not wait for it: added later, the trigger means what comes then', () => {
    const spec = { triggers: { capacityFreed: {} } };
    const { triggers, passed } = look({ spec, readySince: '09:50' });
    expect(triggers).toEqual([{ type: 'CapacityFreed' }]);
    expect(passed).toEqual({ clusters: { 'uid-m1': at('09:50') } });
  });
});

describe('a cluster that joined', () => {
  it('sets it off as one that joined, by its own time', () => {
    expect(look({ spec: both, readySince: '09:45', joined: true })).toMatchObject({
      triggers: [],
      evaluateAt: at('10:05'),
    });
    expect(look({ spec: both, readySince: '09:40', joined: true }).triggers).toMatchObject([{ type: 'ClusterJoined' }]);
  });

  it('recovers as any other once that was answered', () => {
    const answered = { clusters: { 'uid-m1': at('09:40') } };
    expect(look({ spec: both, readySince: '09:50', joined: true, answered }).triggers).toMatchObject([
      { type: 'ClusterRecovered' },
    ]);
  });
});

describe('a calendar', () => {
  const spec = { triggers: { schedule: { cron: '30 * * * *' } } };
  const calendar = { text: '30 * * * * UTC', at: at('09:10') };

  it('begins when it is first seen, or has changed: what came before was not asked for', () => {
    const first = look({ spec });
    expect(first).toMatchObject({
      triggers: [],
      passed: { calendar: { text: '30 * * * * UTC', at: at('10:00') } },
      evaluateAt: at('10:30'),
    });
    const old = { text: '0 * * * * UTC', at: at('09:00') };
    expect(look({ spec, answered: { clusters: {}, calendar: old } }).triggers).toEqual([]);
  });

  it('sets it off at its time, once for all times that were missed', () => {
    const due = look({ spec, answered: { clusters: {}, calendar }, now: '12:00' });
    expect(due).toMatchObject({ triggers: [{ type: 'Schedule', at: at('11:30') }], evaluateAt: at('12:30') });
    const answered = { clusters: {}, calendar: { ...calendar, at: at('11:30') } };
    expect(look({ spec, answered, now: '12:00' }).triggers).toEqual([]);
  });
});

describe('a requested run', () => {
  const spec = { triggers: { requestedAt: '2026-11-21T09:30:00Z' } };

  it.each([
    ['at its time', '09:30', undefined, { triggers: [{ type: 'Requested', at: at('09:30') }] }],
    ['not before, with the time of the next evaluation', '09:29', undefined, { triggers: [], evaluateAt: at('09:30') }],
    ['after an earlier one was handled', '10:00', at('09:29'), { triggers: [{ type: 'Requested', at: at('09:30') }] }],
    ['not again', '10:00', at('09:30'), { triggers: [], passed: { requestedAt: at('09:30') } }],
  ])('sets it off %s', (_, now, requestedAt, expected) => {
    const answered = { clusters: {}, ...(requestedAt !== undefined && { requestedAt }) };
    expect(look({ spec, answered, now })).toMatchObject(expected);
  });

  it('does not, where it was requested before the policy was created', () => {
    const before = { triggers: { requestedAt: '2026-11-21T09:00:00Z' } };
    expect(look({ spec: before })).toMatchObject({ triggers: [], evaluateAt: Number.POSITIVE_INFINITY });
  });

  it('is no change of the plan of a run in progress', () => {
    expect(planOf(policy(spec))).toBe(planOf(policy({ triggers: {} })));
  });
});

describe('a policy starts nothing', () => {
  const state = (over: object): PolicyState => ({
    hub: 'h',
    uid: 'u',
    name: 'p',
    version: 1,
    answered: { clusters: {} },
    ...over,
  });

  it('while it is suspended, its run is under way, or it was stopped and its spec is unchanged', () => {
    const suspended = policy({ ...both, suspend: true });
    const stopped = state({ stoppedPlan: planOf(policy(both)) });
    expect(whyNoRun(suspended, undefined)).toBe('it is suspended');
    expect(whyNoRun(policy(both), state({ run: { state: 'Running' } }))).toBe('its run is under way');
    expect(whyNoRun(policy(both), stopped)).toBe('it was stopped, and is unchanged since');
  });

  it('no longer when it was edited since it was stopped', () => {
    const stopped = state({ stoppedPlan: planOf(policy({ ...both, strategy: { waves: { size: 5 } } })) });
    expect(whyNoRun(policy(both), stopped)).toBeUndefined();
  });
});
