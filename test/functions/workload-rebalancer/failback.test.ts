/** A rebalance on a hub with `--failback`: karmada-scheduler 1.18 starts from the first term of clusterAffinities, as 1.19 does. */
import { beforeEach, describe, expect, it } from 'vitest';
import { deployment } from '../../builders.ts';
import { user } from '../../fakes/practice-fleet.ts';
import { passing } from '../../fakes/store-hub.ts';
import { DUPLICATED, DYNAMIC } from '../../placed-objects.ts';
import { PolicyWorld } from '../rebalance-policy/scene.ts';

const terms = ['member1', 'member2'].map((name) => ({ affinityName: name, clusterNames: [name] }));
const MINUTE = 60;

describe('a rebalance of workloads that use a later term of clusterAffinities', () => {
  let world: PolicyWorld;

  beforeEach(async () => {
    world = new PolicyWorld();
    world.run('web', 6, { clusterAffinities: terms, replicaScheduling: DYNAMIC });
    await world.pass(10);
    world.fleet.fail('member1');
    await world.pass(2 * MINUTE);
    expect(world.assigned('web')).toEqual({ member2: 6 });
    world.fleet.recover('member1');
    await world.pass(MINUTE);
  });

  const failback = (): void => world.hubs.opened(world.hub, { failback: true });
  const writes = (name: string): readonly string[] =>
    world.hub.calls.flatMap((call) =>
      call.verb === 'patch' && call.name === `${name}-deployment` ? [call.subresource ?? 'spec'] : [],
    );

  it('returns them to the first term, in two writes, the trigger being the second', async () => {
    failback();
    world.create('home', [deployment('web')]);
    await world.pass(MINUTE);
    expect(world.assigned('web')).toEqual({ member1: 6 });
    expect(world.results('home')).toEqual(['Deployment shop/web=Successful']);
    expect(writes('web')).toEqual(['status', 'spec']);
  });

  it('leaves them at the term in use on a hub without the feature, in one write', async () => {
    world.create('home', [deployment('web')]);
    await world.pass(MINUTE);
    expect(world.assigned('web')).toEqual({ member2: 6 });
    expect(writes('web')).toEqual(['spec']);
  });

  it('leaves them there if the first term has no capacity', async () => {
    world.fleet.setCapacity('member1', 5);
    await world.pass(MINUTE);
    failback();
    world.create('home', [deployment('web')]);
    await world.pass(MINUTE);
    expect(world.assigned('web')).toEqual({ member2: 6 });
  });

  it('writes the status of no other workload', async () => {
    failback();
    world.run('first', 2, { clusterAffinities: terms, replicaScheduling: DYNAMIC });
    world.run('plain', 2, { replicaScheduling: DYNAMIC });
    await world.pass(MINUTE);
    world.create('home', [deployment('first'), deployment('plain')]);
    await world.pass(MINUTE);
    expect([writes('first'), writes('plain')]).toEqual([['spec'], ['spec']]);
    expect(world.assigned('first')).toEqual({ member1: 2 });
  });

  it('returns what is Duplicated too', async () => {
    failback();
    world.run('copies', 2, { clusterAffinities: terms, replicaScheduling: DUPLICATED });
    await world.pass(10);
    world.fleet.fail('member1');
    await world.pass(2 * MINUTE);
    world.fleet.recover('member1');
    await world.pass(MINUTE);
    expect(world.assigned('copies')).toEqual({ member2: 2 });
    world.create('home', [deployment('copies')]);
    await world.pass(MINUTE);
    expect(world.assigned('copies')).toEqual({ member1: 2 });
  });

  it.each([
    ['the status is not written', 'before', 'status'],
    ['the response about the status is lost', 'after', 'status'],
    ['the trigger is not written', 'before', 'spec'],
    ['the response about the trigger is lost', 'after', 'spec'],
  ] as const)('returns them if %s', async (_, when, what) => {
    failback();
    let faults = 0;
    world.hub.interference[when] = ({ verb, name, subresource = 'spec' }) => {
      if (verb !== 'patch' || name !== 'web-deployment' || subresource !== what || faults > 0) return;
      faults += 1;
      throw passing();
    };
    world.create('home', [deployment('web')]);
    await world.pass(5 * MINUTE);
    expect(faults).toBe(1);
    expect(world.assigned('web')).toEqual({ member1: 6 });
    expect(world.results('home')).toEqual(['Deployment shop/web=Successful']);
    expect(world.deadLetters).toEqual([]);
  });

  it('returns them if the binding changes between the two writes', async () => {
    failback();
    let changes = 0;
    world.hub.interference.after = ({ verb, name, subresource }) => {
      if (verb !== 'patch' || name !== 'web-deployment' || subresource === undefined || changes > 0) return;
      changes += 1;
      const body = { metadata: { annotations: { changed: 'yes' } } };
      world.store.patch('resourcebindings', { namespace: 'shop', name }, { type: 'merge', body }, user);
    };
    world.create('home', [deployment('web')]);
    await world.pass(MINUTE);
    expect(changes).toBe(1);
    expect(world.assigned('web')).toEqual({ member1: 6 });
  });
});
