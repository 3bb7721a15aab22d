/** Since when a cluster is Ready, by its observations. */
import { describe, expect, it } from 'vitest';
import { observeClusters } from '../../../functions/rebalance-policy/observe-clusters.ts';
import { type Member, parseMember } from '../../../shared/karmada/member-cluster.ts';
import { clusterObject } from '../../placed-objects.ts';

const NOW = Date.parse('2026-11-21T10:00:00Z');
const time = (text: string) => Date.parse(`2026-11-21T${text}:00Z`);

function member(over: { ready?: string; since?: string; taints?: object[]; deleting?: boolean } = {}): Member {
  const { ready = 'True', since = '08:00', taints = [], deleting = false } = over;
  const object = clusterObject('m1', { taints, deleting }) as { status: object };
  const conditions = [{ type: 'Ready', status: ready, lastTransitionTime: `2026-11-21T${since}:00Z` }];
  return parseMember({ ...object, status: { ...object.status, conditions } });
}

/** `before`: since when it was Ready, or "not ready"; undefined if it was never observed. */
function since(before: string | undefined, now: Member): number | undefined {
  const observation = { name: 'm1', ...(before && before !== 'not ready' && { readySince: time(before) }) };
  return observeClusters(before === undefined ? {} : { 'uid-m1': observation }, [now], NOW)['uid-m1']?.readySince;
}

describe('a cluster is Ready', () => {
  it.each([
    ['nothing', undefined, member(), '08:00'],
    ['not ready', 'not ready', member({ since: '09:58' }), '10:00'],
    ['ready since 08:00, and unreachable in between', '08:00', member({ since: '09:59' }), '09:59'],
    ['ready since 09:30', '09:30', member({ since: '08:00' }), '09:30'],
    ['nothing, and its clock is ahead of ours', undefined, member({ since: '11:00' }), '10:00'],
  ])('where %s was seen before', (_, before, now, expected) => {
    expect(since(before, now)).toBe(time(expected));
  });

  const taint = (key: string, effect: string) => ({ key, effect });

  it.each([
    ['not ready', member({ ready: 'False' })],
    ['of unknown readiness', member({ ready: 'Unknown' })],
    ['tainted by Karmada', member({ taints: [taint('cluster.karmada.io/not-ready', 'NoSchedule')] })],
    ['cordoned', member({ taints: [taint('cluster.karmada.io/unschedulable', 'NoSchedule')] })],
    ['drained', member({ taints: [taint('maintenance', 'NoExecute')] })],
    ['leaving', member({ deleting: true })],
  ])('not while it is %s', (_, now) => {
    expect(since('08:00', now)).toBeUndefined();
  });

  it('while a taint only restricts which workloads may use it', () => {
    expect(since('08:00', member({ taints: [taint('dedicated', 'NoSchedule')] }))).toBe(time('08:00'));
  });

  it('and is forgotten when it is gone', () => {
    expect(observeClusters({ old: { name: 'm9', readySince: 1 } }, [], NOW)).toEqual({});
  });
});
