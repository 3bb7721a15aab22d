/** The two ways to keep pods in a member although fewer are assigned; a graceful reduction uses both. */
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

function patchedTo(spec: object): PracticeFleet {
  const hub = startPracticeFleet({ members: three });
  hub.store.create('propagationpolicies', policy('web', byAvailable), user);
  hub.store.create('deployments', deployment('web', { replicas: 12 }), user);
  hub.clock.runAll();
  patch(hub, spec);
  return hub;
}

function patch(hub: PracticeFleet, spec: object): void {
  hub.store.patch(
    'resourcebindings',
    { namespace: 'shop', name: 'web-deployment' },
    { type: 'merge', body: { spec } },
    user,
  );
  hub.clock.runAll();
}

const share = (name: string, replicas: number) => ({ name, replicas });
const task = {
  fromCluster: 'member1',
  producer: 'evenkeel',
  reason: 'ReplicaReduction',
  purgeMode: 'Gracefully',
  suppressDeletion: true,
};

describe('the members', () => {
  it('keep the pods of a cluster that an eviction task names, until the task is removed', () => {
    const clusters = [share('member2', 6), share('member3', 6)];
    const hub = patchedTo({ clusters, gracefulEvictionTasks: [task] });
    expect(hub.ready('web')).toEqual({ member1: 4, member2: 6, member3: 6 });
    patch(hub, { gracefulEvictionTasks: [] });
    expect(hub.ready('web')).toEqual({ member2: 6, member3: 6 });
  });

  it('release the pods of a cluster at once if its task purges directly', () => {
    const clusters = [share('member2', 6), share('member3', 6)];
    const hub = patchedTo({ clusters, gracefulEvictionTasks: [{ ...task, purgeMode: 'Directly' }] });
    expect(hub.ready('web')).toEqual({ member2: 6, member3: 6 });
  });

  it('keep the previous replicas in a cluster whose dispatching is suspended, until it is resumed', () => {
    const clusters = [share('member1', 2), share('member2', 5), share('member3', 5)];
    const hub = patchedTo({ clusters, suspension: { dispatchingOnClusters: { clusterNames: ['member1'] } } });
    expect(hub.ready('web')).toEqual({ member1: 4, member2: 5, member3: 5 });
    patch(hub, { suspension: null });
    expect(hub.ready('web')).toEqual({ member1: 2, member2: 5, member3: 5 });
  });
});
