/** The scenes a practice hub is for: spread, failure, inert recovery, triggered rescheduling, and a cluster that is full. */
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

/** member1 has failed, its replicas are elsewhere, and it is back since. */
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

/** What a member says of the first version that it was given. */
const first = { generation: 1, observedGeneration: 1, resourceTemplateGeneration: 1 };

describe('a fleet of three members', () => {
  it("sums its members' reports on the Deployment: how many there are, and how many are ready", () => {
    const hub = startPracticeFleet({ members: three });
    const status = () => hub.store.get('deployments', { namespace: 'shop', name: 'web' })?.status;
    hub.store.create('propagationpolicies', policy('web', byAvailable), user);
    hub.store.create('deployments', deployment('web', { replicas: 12 }), user);
    hub.clock.advance(1000);
    expect(status()).toMatchObject({ replicas: 12, readyReplicas: 0 });
    hub.clock.runAll();
    expect(status()).toMatchObject({ replicas: 12, readyReplicas: 12, availableReplicas: 12, observedGeneration: 1 });
  });

  it('spreads 12 replicas by what is available, and they become ready', () => {
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

  it('marks a failed member not ready and with a NoExecute taint, and takes both off when it recovers', () => {
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

  it('lets what a failed member said last stand until its replicas are taken away', () => {
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

  it('moves nothing back by itself when the member recovers', () => {
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

  it('does nothing on a trigger that is not later than the last scheduling, the same second included', () => {
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

  it('adds to what runs when scaled up, after a recovery too', () => {
    const hub = afterFailover();
    scale(hub, 16);
    // 4 more by 20 : 14 : 14 available are 2, 1, 1.
    expect(hub.assigned('web')).toEqual({ member1: 2, member2: 7, member3: 7 });
  });

  it('takes away in proportion when scaled down', () => {
    const hub = afterFailover();
    scale(hub, 4);
    expect(hub.assigned('web')).toEqual({ member2: 2, member3: 2 });
    expect(hub.ready('web')).toEqual({ member2: 2, member3: 2 });
  });

  it('empties a drained member at once and leaves it empty when the drain ends', () => {
    const hub = withWeb(12);
    hub.fleet.drain('member2');
    hub.clock.runAll();
    expect(hub.assigned('web')).toEqual({ member1: 6, member3: 6 });
    hub.fleet.recover('member2');
    hub.clock.runAll();
    expect(hub.assigned('web')).toEqual({ member1: 6, member3: 6 });
  });

  it('takes the new ready delay of a member for pods that start from then on', () => {
    const hub = startPracticeFleet({ members: three });
    hub.fleet.setReadyDelay('member1', 60_000);
    hub.store.create('propagationpolicies', policy('web', byAvailable), user);
    hub.store.create('deployments', deployment('web', { replicas: 3 }), user);
    hub.clock.advance(59_000);
    expect(hub.ready('web')).toEqual({ member1: 0, member2: 1, member3: 1 });
    hub.clock.advance(2_000);
    expect(hub.ready('web')).toEqual({ member1: 1, member2: 1, member3: 1 });
  });

  it('refuses to fail a member it does not have, and names those it has', () => {
    expect(() => startPracticeFleet({ members: three }).fleet.fail('member9')).toThrow('member1, member2, member3');
  });
});

describe('a fleet without room', () => {
  it('schedules nothing, says so, and schedules when room comes back', () => {
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

  it('leaves evicted replicas unscheduled while the others are full, and places them when the member is back', () => {
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
    // 15 more by 20 : 5 : 5 are 10 : 2.5 : 2.5, the odd one to the first name or the last, as the uid has it.
    expect(hub.assigned('web').member1).toBe(10);
    expect(hub.condition('web', 'Scheduled')).toMatchObject({ status: 'True' });
  });

  it('lets pods wait where more is assigned than fits, and starts them when a slot is free', () => {
    const hub = startPracticeFleet({ members: [{ name: 'member1', capacity: 5, readyDelayMs: 1000 }] });
    hub.store.create('propagationpolicies', policy('all', {}, {}), user);
    hub.store.create('deployments', deployment('big', { replicas: 4 }), user);
    hub.store.create('deployments', deployment('web', { replicas: 3 }), user);
    hub.clock.runAll();
    // Without replicaScheduling they are duplicated: every cluster gets all, whether it has room or not.
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

  it('does not promise the same room to two bindings that are scheduled in one turn', () => {
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

  it('counts cores as well as slots', () => {
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
