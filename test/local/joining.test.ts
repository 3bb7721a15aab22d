/** A member that joins a running practice hub. */
import { describe, expect, it } from 'vitest';
import { keyOf } from '../../local/practice-hub/store/object-collection.ts';
import type { ChangeLog } from '../../local/practice-hub/store/object-store.ts';
import type { KubeObject } from '../../local/practice-hub/store/objects.ts';
import { parseCluster } from '../../shared/karmada/assignment/cluster.ts';
import {
  byAvailable,
  deployment,
  type PracticeFleet,
  type PracticeFleetOptions,
  policy,
  startPracticeFleet,
  three,
  user,
} from '../fakes/practice-fleet.ts';

const member4 = { name: 'member4', capacity: 20, readyDelayMs: 2000, labels: { zone: 'north' } };
const fourth = { namespace: '', name: 'member4' };

function spread(over: Partial<PracticeFleetOptions> = {}): PracticeFleet {
  const hub = startPracticeFleet({ members: three, ...over });
  hub.store.create('propagationpolicies', policy('web', byAvailable), user);
  hub.store.create('deployments', deployment('web', { replicas: 12 }), user);
  hub.clock.runAll();
  return hub;
}

function join(hub: PracticeFleet): PracticeFleet {
  hub.clock.advance(60_000);
  hub.fleet.join(member4);
  hub.clock.runAll();
  return hub;
}

describe('a joining member', () => {
  it('is a Ready Cluster with a transition time, capacity and the propagated kinds', () => {
    const { store, fleet } = join(spread());
    const object = store.get('clusters', fourth);
    expect(parseCluster(object)).toEqual({
      ...parseCluster(store.get('clusters', { namespace: '', name: 'member1' })),
      name: 'member4',
      labels: { zone: 'north' },
      resourceSummary: expect.objectContaining({ allocatable: { cpu: '20', memory: '80Gi', pods: '20' } }) as object,
    });
    expect(object?.status?.conditions).toMatchObject([
      { type: 'Ready', status: 'True', lastTransitionTime: '2026-11-21T10:01:02Z' },
    ]);
    expect(fleet.memberNames).toEqual(['member1', 'member2', 'member3', 'member4']);
  });

  it('gets no replicas on its own, and its share after a trigger', () => {
    const hub = join(spread());
    expect(hub.assigned('web')).toEqual({ member1: 4, member2: 4, member3: 4 });
    hub.trigger('web', '2026-11-21T11:00:00Z');
    hub.clock.runAll();
    expect(hub.ready('web')).toEqual({ member1: 3, member2: 3, member3: 3, member4: 3 });
    expect(hub.faults).toEqual([]);
  });

  it('fails and recovers like any other, with a transition time', () => {
    const hub = join(spread());
    const seen = () => {
      const cluster = hub.store.get('clusters', fourth);
      const [ready] = (cluster?.status?.conditions ?? []) as readonly { status: string; lastTransitionTime: string }[];
      const taints = parseCluster(cluster).taints.map(({ key, timeAdded }) => `${key} since ${timeAdded ?? ''}`);
      return [ready?.status, ready?.lastTransitionTime, taints];
    };
    hub.clock.advance(60_000);
    hub.fleet.fail('member4');
    const failed = '2026-11-21T10:02:02Z';
    expect(seen()).toEqual(['False', failed, [`cluster.karmada.io/not-ready since ${failed}`]]);
    hub.clock.advance(60_000);
    hub.fleet.recover('member4');
    expect(seen()).toEqual(['True', '2026-11-21T10:03:02Z', []]);
  });

  it('is rejected if its name is taken', () => {
    const hub = join(spread());
    expect(() => hub.fleet.join(member4)).toThrow('member member4 already exists; use another name');
  });

  it('exists after a restart of the hub, with its capacity and its pods', () => {
    const kept = changeLog();
    const hub = join(spread({ changeLog: kept }));
    hub.trigger('web', '2026-11-21T11:00:00Z');
    hub.clock.runAll();
    hub.fleet.close();
    const again = startPracticeFleet({ members: three, changeLog: kept, clock: hub.clock });
    expect(again.fleet.memberNames).toEqual(['member1', 'member2', 'member3', 'member4']);
    expect(again.ready('web')).toEqual({ member1: 3, member2: 3, member3: 3, member4: 3 });
    expect(again.fleet.capacityFor('member4', {})).toBe(17);
  });

  it.each([undefined, 'twenty', '{"capacity":"20"}'])(
    'is no member if a user creates its Cluster with the simulation annotation %j',
    (simulated) => {
      const kept = changeLog();
      const hub = startPracticeFleet({ members: three, changeLog: kept });
      const annotations = simulated === undefined ? {} : { 'practice-hub.evenkeel.dev/simulated': simulated };
      hub.store.create('clusters', { metadata: { name: 'by-hand', annotations }, spec: {} }, user);
      hub.fleet.close();
      const again = startPracticeFleet({ members: three, changeLog: kept, clock: hub.clock });
      expect(again.fleet.memberNames).toEqual(['member1', 'member2', 'member3']);
    },
  );
});

/** The changes that a hub's folder keeps. */
function changeLog(): ChangeLog {
  const objects = new Map<string, KubeObject>();
  let revision = 0;
  return {
    load: () => ({ revision, objects: [...objects.values()] }),
    append({ type, plural, object }) {
      const { namespace, name } = keyOf(object);
      revision = Number(object.metadata.resourceVersion);
      if (type === 'DELETED') objects.delete(`${plural}/${namespace}/${name}`);
      else objects.set(`${plural}/${namespace}/${name}`, object);
    },
  };
}
