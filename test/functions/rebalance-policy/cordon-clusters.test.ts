import { describe, expect, it } from 'vitest';
import { taintChanges } from '../../../functions/rebalance-policy/cordon-clusters.ts';
import { drainTaintPatch, taintedClusters } from '../../../shared/karmada/drain-taint.ts';
import { DRAIN_TAINT, parseMember } from '../../../shared/karmada/member-cluster.ts';
import { parseClusterDrain } from '../../../shared/rebalance-policy/cluster-drain.ts';
import { clusterObject } from '../../placed-objects.ts';
import { policy } from '../../shared/rebalance-policy/candidates.ts';

const ours = { key: DRAIN_TAINT, value: 'away', effect: 'NoSchedule' };
const other = { key: 'gpu', value: 'yes', effect: 'NoSchedule', timeAdded: '2026-11-21T09:00:00Z' };
const member = (name: string, taints: readonly object[] = []) => parseMember(clusterObject(name, { taints }));

const now = Date.parse('2026-11-21T12:00:00Z');

function drain(cluster: string, spec: object = {}, metadata: object = {}) {
  const of = { name: 'away', uid: 'u', resourceVersion: '1', creationTimestamp: '2026-11-21T09:00:00Z', ...metadata };
  return parseClusterDrain({ metadata: of, spec: { cluster, ...spec } });
}

describe('the taint of a drain', () => {
  it.each([
    ['is set on its cluster', [member('m1'), member('m2')], [drain('m1')], [{ cluster: 'm1', drain: 'away' }]],
    ['is set once', [member('m1', [ours])], [drain('m1')], []],
    ['is removed when there is no drain any more', [member('m1', [other, ours])], [], [{ cluster: 'm1' }]],
    [
      'is removed while the drain is being deleted',
      [member('m1', [ours])],
      [drain('m1', {}, { deletionTimestamp: '2026-11-21T10:00:00Z' })],
      [{ cluster: 'm1' }],
    ],
    [
      'is removed when the time of its drain is over',
      [member('m1', [ours])],
      [drain('m1', { until: '2026-11-21T12:00:00Z' })],
      [{ cluster: 'm1' }],
    ],
    ['stays until then', [member('m1', [ours])], [drain('m1', { until: '2026-11-21T12:00:01Z' })], []],
    [
      'stays for another drain of the cluster',
      [member('m1', [ours])],
      [drain('m1', { until: '2026-11-21T11:00:00Z' }), drain('m1')],
      [],
    ],
    ['is not set by a dry run', [member('m1')], [drain('m1', { dryRun: true })], []],
    ['stays while the drain is suspended', [member('m1', [ours])], [drain('m1', { suspend: true })], []],
    ['is not set by a RebalancePolicy', [member('m1')], [policy()], []],
  ])('%s', (_, members, drains, changes) => {
    expect(taintChanges(members, drains, { isAccepted: () => true, now })).toEqual(changes);
  });

  it.each([
    ['is not set', [], []],
    ['stays if it is set', [ours], []],
  ])('of a drain that is not accepted %s', (_, taints, changes) => {
    const changed = taintChanges([member('m1', taints)], [drain('m1')], { isAccepted: () => false, now });
    expect(changed).toEqual(changes);
  });

  it('is written beside the others, on the version that was read', () => {
    const read = (taints: readonly object[]) => taintedClusters.parse(clusterObject('m1', { taints }));
    const merge = (taints: readonly object[] | null) => ({
      merge: { metadata: { resourceVersion: '1' }, spec: { taints } },
    });
    expect(drainTaintPatch(read([other]), 'away')).toEqual(merge([other, ours]));
    expect(drainTaintPatch(read([ours, other]), undefined)).toEqual(merge([other]));
    expect(drainTaintPatch(taintedClusters.parse({ metadata: { ...metadataOf('m1') } }), undefined)).toEqual(
      merge(null),
    );
  });
});

function metadataOf(name: string): object {
  return { name, uid: 'u', resourceVersion: '1', creationTimestamp: '2026-11-20T09:00:00Z' };
}
