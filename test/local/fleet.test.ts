/** The scenarios of a practice hub: spread, failure, inert recovery, triggered rescheduling, and a full cluster. */
import { describe, expect, it } from 'vitest';
import type { KubeObject } from '../../local/practice-hub/store/objects.ts';
import {
  byAvailable,
  deployment,
  type PracticeFleet,
  policy,
  startPracticeFleet,
  three,
  user,
} from '../fakes/practice-fleet.ts';

function withWeb(replicas: number, hub: PracticeFleet = startPracticeFleet({ members: three })): PracticeFleet {
  hub.store.create('propagationpolicies', policy('web', byAvailable), user);
  hub.store.create('deployments', deployment('web', { replicas }), user);
  hub.clock.runAll();
  return hub;
}

function scale(hub: PracticeFleet, replicas: number): void {
  const at = { namespace: 'shop', name: 'web' };
  hub.store.patch('deployments', at, { type: 'merge', body: { spec: { replicas } } }, user);
  hub.clock.runAll();
}

/** member1 has failed and recovered; its replicas are on the other members. */
function afterFailover(): PracticeFleet {
  const hub = withWeb(12);
  hub.fleet.fail('member1');
  hub.clock.runAll();
  hub.fleet.recover('member1');
  hub.clock.runAll();
  return hub;
}

const cluster = (hub: PracticeFleet, name: string): KubeObject | undefined =>
  hub.store.get('clusters', { namespace: '', name });

/** The generations that a member reports for the first version of a workload. */
const first = { generation: 1, observedGeneration: 1, resourceTemplateGeneration: 1 };

describe('a fleet of three members', () => {
  it("sums the members' reports on the Deployment: replicas and ready replicas", () => {
    const hub = startPracticeFleet({ members: three });
    const status = () => hub.store.get('deployments', { namespace: 'shop', name: 'web' })?.status;
    hub.store.create('propagationpolicies', policy('web', byAvailable), user);
    hub.store.create('deployments', deployment('web', { replicas: 12 }), user);
    hub.clock.advance(1000);
    expect(status()).toMatchObject({ replicas: 12, readyReplicas: 0 });
    hub.clock.runAll();
    expect(status()).toMatchObject({ replicas: 12, readyReplicas: 12, availableReplicas: 12, observedGeneration: 1 });
  });

  it('spreads 12 replicas by available replicas, and they become ready', () => {
    const hub = withWeb(12);
    expect(hub.assigned('web')).toEqual({ member1: 4, member2: 4, member3: 4 });
    expect(hub.ready('web')).toEqual({ member1: 4, member2: 4, member3: 4 });
    expect(hub.condition('web', 'Scheduled')).toMatchObject({
      status: 'True',
      reason: 'Success',
      message: 'Binding has been scheduled successfully.',
    });
    expect(hub.condition('web', 'FullyApplied')).toMatchObject({ status: 'True' });
    expect(hub.binding('web').status).toMatchObject({
      schedulerObservedGeneration: hub.binding('web').metadata.generation,
      aggregatedStatus: ['member1', 'member2', 'member3'].map((clusterName) => ({
        clusterName,
        applied: true,
        health: 'Healthy',
        status: { ...first, replicas: 4, updatedReplicas: 4, readyReplicas: 4, availableReplicas: 4 },
      })),
    });
    expect(hub.faults).toEqual([]);
  });

  it('reports no readyReplicas while no pod is ready', () => {
    const hub = startPracticeFleet({ members: three });
    hub.store.create('propagationpolicies', policy('web', byAvailable), user);
    hub.store.create('deployments', deployment('web', { replicas: 3 }), user);
    hub.clock.advance(1999);
    expect(hub.binding('web').status?.aggregatedStatus).toContainEqual({
      clusterName: 'member1',
      applied: true,
      health: 'Unhealthy',
      status: { ...first, replicas: 1, updatedReplicas: 1, unavailableReplicas: 1 },
    });
    hub.clock.advance(1);
    expect(hub.ready('web')).toEqual({ member1: 1, member2: 1, member3: 1 });
  });

  it('moves the replicas of a failed member after the toleration, and not before', () => {
    const hub = withWeb(12);
    hub.fleet.fail('member1');
    hub.clock.advance(500);
    expect(hub.assigned('web')).toEqual({ member1: 4, member2: 4, member3: 4 });
    expect(hub.ready('web')).toEqual({ member1: 0, member2: 4, member3: 4 });
    hub.clock.runAll();
    expect(hub.assigned('web')).toEqual({ member2: 6, member3: 6 });
    expect(hub.ready('web')).toEqual({ member2: 6, member3: 6 });
  });

  it('gives a failed member Ready=False and a NoExecute taint, and removes both when it recovers', () => {
    const hub = withWeb(1);
    hub.fleet.fail('member1');
    expect(cluster(hub, 'member1')).toMatchObject({
      spec: {
        taints: [{ key: 'cluster.karmada.io/not-ready', effect: 'NoExecute', timeAdded: expect.any(String) as string }],
      },
      status: { conditions: [{ type: 'Ready', status: 'False' }] },
    });
    hub.fleet.recover('member1');
    expect(cluster(hub, 'member1')).toMatchObject({
      spec: { taints: [] },
      status: { conditions: [{ type: 'Ready', status: 'True' }] },
    });
  });

  it('keeps the last report of a failed member until its replicas are removed', () => {
    const hub = withWeb(12);
    hub.fleet.fail('member1');
    hub.clock.advance(500);
    const before = hub.binding('web').status?.aggregatedStatus;
    expect(before).toContainEqual({
      clusterName: 'member1',
      applied: true,
      health: 'Healthy',
      status: { ...first, replicas: 4, updatedReplicas: 4, readyReplicas: 4, availableReplicas: 4 },
    });
    hub.clock.runAll();
    const after = hub.binding('web').status?.aggregatedStatus as { clusterName: string }[];
    expect(after.map(({ clusterName }) => clusterName)).toEqual(['member2', 'member3']);
  });

  it('moves nothing back on its own when the member recovers', () => {
    const hub = afterFailover();
    expect(hub.assigned('web')).toEqual({ member2: 6, member3: 6 });
    hub.clock.advance(3_600_000);
    expect(hub.assigned('web')).toEqual({ member2: 6, member3: 6 });
  });

  it('spreads over all three again when rescheduling is triggered after the last scheduling', () => {
    const hub = afterFailover();
    const before = hub.lastScheduled('web');
    hub.clock.advance(10_000);
    const trigger = new Date(hub.clock.now()).toISOString().replace(/\.\d+Z/, 'Z');
    hub.trigger('web', trigger);
    hub.clock.runAll();
    expect(hub.assigned('web')).toEqual({ member1: 4, member2: 4, member3: 4 });
    expect(hub.ready('web')).toEqual({ member1: 4, member2: 4, member3: 4 });
    expect(Date.parse(hub.lastScheduled('web'))).toBeGreaterThan(Date.parse(before));
    expect(Date.parse(hub.lastScheduled('web'))).toBeGreaterThanOrEqual(Date.parse(trigger));
  });

  it('ignores a trigger that is not later than the last scheduling, also in the same second', () => {
    const hub = afterFailover();
    const last = hub.lastScheduled('web');
    for (const at of [last, '2020-01-01T00:00:00Z']) {
      hub.trigger('web', at);
      hub.clock.advance(60_000);
      expect(hub.assigned('web')).toEqual({ member2: 6, member3: 6 });
      expect(hub.lastScheduled('web')).toBe(last);
    }
    expect(hub.binding('web').status?.schedulerObservedGeneration).toBe(hub.binding('web').metadata.generation);
  });

  it('adds replicas to the running ones when scaled up, also after a recovery', () => {
    const hub = afterFailover();
    scale(hub, 16);
    // 4 more replicas, weighted 20 : 14 : 14 by available replicas, are 2, 1, 1.
    expect(hub.assigned('web')).toEqual({ member1: 2, member2: 7, member3: 7 });
  });

  it('removes replicas in proportion when scaled down', () => {
    const hub = afterFailover();
    scale(hub, 4);
    expect(hub.assigned('web')).toEqual({ member2: 2, member3: 2 });
    expect(hub.ready('web')).toEqual({ member2: 2, member3: 2 });
  });

  it('empties a member at once that a user taints with NoExecute, and leaves it empty when the taint is removed', () => {
    const hub = withWeb(12);
    const taint = (taints: readonly object[]) =>
      hub.store.patch(
        'clusters',
        { namespace: '', name: 'member2' },
        { type: 'merge', body: { spec: { taints } } },
        user,
      );
    taint([{ key: 'maintenance', effect: 'NoExecute' }]);
    hub.clock.runAll();
    expect(hub.assigned('web')).toEqual({ member1: 6, member3: 6 });
    taint([]);
    hub.clock.runAll();
    expect(hub.assigned('web')).toEqual({ member1: 6, member3: 6 });
  });

  it('applies a new ready delay of a member to pods that start later', () => {
    const hub = startPracticeFleet({ members: three });
    hub.fleet.setReadyDelay('member1', 60_000);
    hub.store.create('propagationpolicies', policy('web', byAvailable), user);
    hub.store.create('deployments', deployment('web', { replicas: 3 }), user);
    hub.clock.advance(59_000);
    expect(hub.ready('web')).toEqual({ member1: 0, member2: 1, member3: 1 });
    hub.clock.advance(2_000);
    expect(hub.ready('web')).toEqual({ member1: 1, member2: 1, member3: 1 });
  });

  it('rejects failing an unknown member, and names the known ones', () => {
    expect(() => startPracticeFleet({ members: three }).fleet.fail('member9')).toThrow('member1, member2, member3');
  });
});

describe('a fleet without capacity', () => {
  it('schedules nothing and reports why, and schedules when capacity is freed', () => {
    const hub = withWeb(61);
    expect(hub.assigned('web')).toEqual({});
    expect(hub.condition('web', 'Scheduled')).toMatchObject({
      status: 'False',
      reason: 'Unschedulable',
      message: 'Clusters available replicas 60 are not enough to schedule.',
    });
    expect(hub.binding('web').status?.lastScheduledTime).toBeUndefined();
    scale(hub, 60);
    expect(hub.ready('web')).toEqual({ member1: 20, member2: 20, member3: 20 });
  });

  it('leaves evicted replicas unscheduled while the others are full, and schedules them when the member recovers', () => {
    const hub = withWeb(45);
    hub.fleet.fail('member1');
    hub.clock.runAll();
    expect(hub.assigned('web')).toEqual({ member2: 15, member3: 15 });
    expect(hub.condition('web', 'Scheduled')).toMatchObject({
      reason: 'Unschedulable',
      message: 'Clusters available replicas 10 are not enough to schedule.',
    });
    hub.fleet.recover('member1');
    hub.clock.runAll();
    // 15 more replicas, weighted 20 : 5 : 5, are 10 : 2.5 : 2.5; the uid decides whether the first or the last name gets the remainder.
    expect(hub.assigned('web').member1).toBe(10);
    expect(hub.condition('web', 'Scheduled')).toMatchObject({ status: 'True' });
  });

  it('keeps pods pending if more are assigned than fit, and starts them when a slot is free', () => {
    const hub = startPracticeFleet({ members: [{ name: 'member1', capacity: 5, readyDelayMs: 1000 }] });
    hub.store.create('propagationpolicies', policy('all', {}, {}), user);
    hub.store.create('deployments', deployment('big', { replicas: 4 }), user);
    hub.store.create('deployments', deployment('web', { replicas: 3 }), user);
    hub.clock.runAll();
    // Without replicaScheduling they are duplicated: every cluster gets all replicas, whatever its capacity.
    expect(hub.assigned('web')).toEqual({ member1: 3 });
    expect(hub.ready('web')).toEqual({ member1: 1 });
    expect(cluster(hub, 'member1')?.status?.resourceSummary).toMatchObject({
      allocatable: { pods: '5' },
      allocated: { pods: '5' },
      allocating: { pods: '2' },
    });
    hub.store.delete('deployments', { namespace: 'shop', name: 'big' }, user);
    hub.clock.runAll();
    expect(hub.ready('web')).toEqual({ member1: 3 });
  });

  it('does not assign the same capacity to two bindings that are scheduled together', () => {
    const hub = startPracticeFleet({ members: [{ name: 'member1', capacity: 10, readyDelayMs: 1000 }] });
    hub.store.create('propagationpolicies', policy('all', byAvailable, {}), user);
    for (const name of ['a', 'b', 'c']) hub.store.create('deployments', deployment(name, { replicas: 4 }), user);
    hub.clock.runAll();
    expect(['a', 'b', 'c'].map((name) => hub.condition(name, 'Scheduled').reason)).toEqual([
      'Success',
      'Success',
      'Unschedulable',
    ]);
  });

  it('counts CPU cores as well as pod slots', () => {
    const hub = startPracticeFleet({ members: [{ name: 'member1', capacity: 4, readyDelayMs: 1000 }] });
    hub.store.create('propagationpolicies', policy('web', byAvailable), user);
    hub.store.create(
      'deployments',
      deployment('web', { replicas: 2, requests: { cpu: '1500m', memory: '1Gi' } }),
      user,
    );
    hub.clock.runAll();
    expect(hub.ready('web')).toEqual({ member1: 2 });
    expect(cluster(hub, 'member1')?.status?.resourceSummary).toMatchObject({
      allocated: { cpu: '3', memory: '2Gi', pods: '2' },
    });
    scale(hub, 3);
    expect(hub.condition('web', 'Scheduled')).toMatchObject({
      message: 'Clusters available replicas 0 are not enough to schedule.',
    });
  });
});

describe('settled', () => {
  it('resolves when pods are ready and evictions done, and not before', async () => {
    const hub = withWeb(12);
    await hub.fleet.settled();
    hub.fleet.fail('member1');
    let settled = false;
    const settling = hub.fleet.settled().then(() => (settled = true));
    hub.clock.advance(2000);
    await Promise.resolve();
    expect(settled).toBe(false);
    hub.clock.runAll();
    await settling;
    expect(hub.ready('web')).toEqual({ member2: 6, member3: 6 });
  });

  it('resolves when the fleet is closed, which then does nothing more', async () => {
    const hub = withWeb(12);
    hub.fleet.fail('member1');
    const settling = hub.fleet.settled();
    hub.fleet.close();
    await settling;
    hub.clock.runAll();
    expect(hub.assigned('web')).toEqual({ member1: 4, member2: 4, member3: 4 });
  });
});
