/** When the practice hub's scheduler acts, when it does not, and its conditions and Events. */
import { describe, expect, it } from 'vitest';
import {
  byAvailable,
  deployment,
  type PracticeFleet,
  policy,
  startPracticeFleet,
  three,
  user,
} from '../fakes/practice-fleet.ts';

const web = { namespace: 'shop', name: 'web' };
const webBinding = { namespace: 'shop', name: 'web-deployment' };

function withPlacement(placement: object, replicas = 6): PracticeFleet {
  const hub = startPracticeFleet({ members: three });
  hub.store.create('propagationpolicies', policy('web', placement), user);
  hub.store.create('deployments', deployment('web', { replicas }), user);
  hub.clock.runAll();
  return hub;
}

function setPlacement(hub: PracticeFleet, placement: object): void {
  const body = [{ op: 'replace', path: '/spec/placement', value: placement }];
  hub.store.patch('propagationpolicies', web, { type: 'json', body }, user);
  hub.clock.runAll();
}

function taint(hub: PracticeFleet, name: string, taints: readonly object[]): void {
  hub.store.patch('clusters', { namespace: '', name }, { type: 'merge', body: { spec: { taints } } }, user);
  hub.clock.runAll();
}

function scale(hub: PracticeFleet, replicas: number): void {
  hub.store.patch('deployments', web, { type: 'merge', body: { spec: { replicas } } }, user);
  hub.clock.runAll();
}

const named = (...clusterNames: string[]) => ({ ...byAvailable, clusterAffinity: { clusterNames } });
const events = (hub: PracticeFleet) =>
  hub.store.list('events', 'shop').map(({ reason, message, count, type }) => ({ type, reason, message, count }));

describe('the scheduler', () => {
  it('acts Steady on a changed placement: fitting replicas stay, the rest moves', () => {
    const hub = withPlacement(byAvailable);
    setPlacement(hub, named('member1', 'member2'));
    expect(hub.assigned('web')).toEqual({ member1: 3, member2: 3 });
    setPlacement(hub, byAvailable);
    expect(hub.assigned('web')).toEqual({ member1: 3, member2: 3 });
  });

  it('acts on assigned replicas that do not add up, by any writer', () => {
    const hub = withPlacement(byAvailable);
    const clusters = [{ name: 'member1', replicas: 2 }];
    hub.store.patch('resourcebindings', webBinding, { type: 'merge', body: { spec: { clusters } } }, user);
    hub.clock.runAll();
    // 4 more, weighted 18 : 20 : 20; whether or not the removed pods are gone when it schedules, member1 keeps its own.
    const assigned = hub.assigned('web');
    expect(Object.values(assigned).reduce((sum, replicas) => sum + replicas, 0)).toBe(6);
    expect(assigned.member1).toBeGreaterThanOrEqual(2);
  });

  it('does nothing while it is paused, and catches up when it is resumed', () => {
    const hub = withPlacement(byAvailable);
    hub.fleet.pauseScheduler();
    scale(hub, 9);
    expect(hub.assigned('web')).toEqual({ member1: 2, member2: 2, member3: 2 });
    expect(hub.binding('web').spec?.replicas).toBe(9);
    hub.fleet.resumeScheduler();
    hub.clock.runAll();
    expect(hub.assigned('web')).toEqual({ member1: 3, member2: 3, member3: 3 });
  });

  it('counts as settled while it is paused, because nothing will happen', async () => {
    const hub = withPlacement(byAvailable);
    hub.fleet.pauseScheduler();
    hub.trigger('web', '2030-01-01T00:00:00Z');
    hub.clock.runAll();
    await hub.fleet.settled();
    expect(hub.lastScheduled('web')).toMatch(/^2026-/);
  });

  it('ignores bindings of another scheduler and suspended ones', () => {
    const hub = withPlacement(byAvailable);
    const patch = (spec: object) => {
      hub.store.patch('resourcebindings', webBinding, { type: 'merge', body: { spec } }, user);
      hub.clock.runAll();
    };
    patch({ suspension: { scheduling: true }, rescheduleTriggeredAt: '2030-01-01T00:00:00Z' });
    expect(hub.lastScheduled('web')).toBe('2026-11-21T10:00:00Z');
    patch({ suspension: null, schedulerName: 'evenkeel' });
    expect(hub.lastScheduled('web')).toBe('2026-11-21T10:00:00Z');
  });

  it('reports NoClusterFit with the reasons and removes the assignment', () => {
    const hub = withPlacement(byAvailable);
    setPlacement(hub, named('member9'));
    expect(hub.assigned('web')).toEqual({});
    expect(hub.condition('web', 'Scheduled')).toMatchObject({
      status: 'False',
      reason: 'NoClusterFit',
      message: '0/3 clusters are available: 3 cluster(s) did not match the placement cluster affinity constraint.',
    });
    expect(hub.lastScheduled('web')).toBe('2026-11-21T10:00:00Z');
  });

  it('schedules no new replicas under a NoSchedule taint and keeps the existing ones', () => {
    const hub = withPlacement(named('member1', 'member2'));
    taint(hub, 'member1', [{ key: 'maintenance', effect: 'NoSchedule' }]);
    expect(hub.assigned('web')).toEqual({ member1: 3, member2: 3 });
    taint(hub, 'member3', [{ key: 'maintenance', effect: 'NoSchedule' }]);
    setPlacement(hub, byAvailable);
    scale(hub, 12);
    expect(Object.keys(hub.assigned('web'))).toEqual(['member1', 'member2']);
  });

  it('keeps replicas on a failed cluster for the toleration of the placement', () => {
    const key = 'cluster.karmada.io/not-ready';
    const tolerating = (more: object) => ({
      ...byAvailable,
      clusterTolerations: [{ key, operator: 'Exists', effect: 'NoExecute', ...more }],
    });
    const forever = withPlacement(tolerating({}));
    forever.fleet.fail('member1');
    forever.clock.advance(86_400_000);
    expect(forever.assigned('web')).toEqual({ member1: 2, member2: 2, member3: 2 });
    const aMinute = withPlacement(tolerating({ tolerationSeconds: 60 }));
    aMinute.fleet.fail('member1');
    aMinute.clock.advance(59_000);
    expect(aMinute.assigned('web')).toEqual({ member1: 2, member2: 2, member3: 2 });
    aMinute.clock.advance(2_000);
    expect(aMinute.assigned('web')).toEqual({ member2: 3, member3: 3 });
    const aMonth = withPlacement(tolerating({ tolerationSeconds: 30 * 86_400 }));
    aMonth.fleet.fail('member1');
    aMonth.clock.advance(30 * 86_400_000 - 1000);
    expect(aMonth.assigned('web')).toEqual({ member1: 2, member2: 2, member3: 2 });
    aMonth.clock.advance(2000);
    expect(aMonth.assigned('web')).toEqual({ member2: 3, member3: 3 });
  });

  it('gives a Duplicated workload its copy in a cluster that recovers', () => {
    const hub = withPlacement({}, 2);
    hub.fleet.fail('member1');
    hub.clock.runAll();
    expect(hub.assigned('web')).toEqual({ member2: 2, member3: 2 });
    hub.fleet.recover('member1');
    hub.clock.runAll();
    expect(hub.assigned('web')).toEqual({ member1: 2, member2: 2, member3: 2 });
  });

  it('records an Event for each outcome, and increments its count for the same one', () => {
    const hub = withPlacement(named('member1'), 2);
    scale(hub, 30);
    scale(hub, 31);
    scale(hub, 2);
    hub.trigger('web', '2026-11-21T10:30:00Z');
    hub.clock.runAll();
    // One of each outcome on the binding, one on the workload.
    expect(events(hub).filter(({ reason }) => String(reason).startsWith('ScheduleBinding'))).toHaveLength(4);
    expect(events(hub)).toContainEqual({
      type: 'Warning',
      reason: 'ScheduleBindingFailed',
      message: 'Clusters available replicas 18 are not enough to schedule.',
      count: 1,
    });
    expect(events(hub)).toContainEqual({
      type: 'Normal',
      reason: 'ScheduleBindingSucceed',
      message: 'Binding has been scheduled successfully. Result: {member1:2}',
      count: 2,
    });
  });

  it('records the owners of fields in managedFields', () => {
    const { managedFields = [] } = withPlacement(byAvailable).binding('web').metadata;
    const writers = managedFields.map(({ manager, subresource = '' }) => `${manager} ${subresource}`.trim()).sort();
    expect(writers).toEqual([
      'karmada-controller-manager',
      'karmada-controller-manager status',
      'karmada-scheduler',
      'karmada-scheduler status',
    ]);
  });

  it('continues with the others if a cluster or a binding cannot be read', () => {
    const hub = startPracticeFleet({ members: three });
    const header = { apiVersion: 'cluster.karmada.io/v1alpha1', kind: 'Cluster' };
    hub.store.create('clusters', { ...header, metadata: { name: 'odd' }, spec: { taints: 'many' } }, user);
    hub.store.create('propagationpolicies', policy('odd', { clusterAffinity: 'all' }), user);
    hub.store.create('deployments', deployment('odd', { replicas: 1 }), user);
    hub.store.create('propagationpolicies', policy('web', byAvailable), user);
    hub.store.create('deployments', deployment('web', { replicas: 3 }), user);
    hub.clock.runAll();
    expect(hub.assigned('web')).toEqual({ member1: 1, member2: 1, member3: 1 });
    const clusters = [{ name: 'member1', replicas: 1 }];
    const at = { namespace: 'shop', name: 'odd-deployment' };
    hub.store.patch('resourcebindings', at, { type: 'merge', body: { spec: { clusters } } }, user);
    hub.fleet.fail('member1');
    hub.clock.runAll();
    expect(Object.keys(hub.assigned('web'))).toEqual(['member2', 'member3']);
    expect(hub.faults.length).toBeGreaterThan(0);
  });
});
