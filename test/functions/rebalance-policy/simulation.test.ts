/** A thousand workloads come home while everything that can go wrong on the way does, by a seed: never more in flight than may be, and all of them home in the end. */
import { describe, expect, it } from 'vitest';
import type { KubeObject } from '../../../local/practice-hub/store/objects.ts';
import { cases, casesOf } from '../../depth.ts';
import { passing } from '../../fakes/store-hub.ts';
import { PolicyWorld } from './scene.ts';

const SIZE = cases({ few: 10, all: 50 });
const WORKLOADS = cases({ few: 20, all: 1000 });

interface Faults {
  /** Of calls, in percent: those that fail, and those whose answer is lost. */
  readonly calls: number;
  /** Of events, in percent: those that are lost, and those that come twice. */
  readonly events: number;
}

/** Which workloads are on their way: triggered, and not yet rescheduled and ready since. Checked after every change on the hub. */
class InFlight {
  readonly #moving = new Set<string>();
  most = 0;

  look({ metadata, spec, status }: KubeObject): void {
    const key = metadata.name;
    const trigger = spec?.rescheduleTriggeredAt;
    if (typeof trigger !== 'string') return;
    const clusters = (spec?.clusters ?? []) as { name: string; replicas: number }[];
    const reported = (status?.aggregatedStatus ?? []) as { clusterName: string; status?: { readyReplicas?: number } }[];
    const isReady = clusters.every(({ name, replicas }) => {
      const item = reported.find(({ clusterName }) => clusterName === name);
      return (item?.status?.readyReplicas ?? 0) >= replicas;
    });
    if (isReady && String(status?.lastScheduledTime) >= trigger) this.#moving.delete(key);
    else this.#moving.add(key);
    this.most = Math.max(this.most, this.#moving.size);
  }
}

/** Numbers from 0 to 100, the same for the same seed. */
function dice(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return (state / 2 ** 32) * 100;
  };
}

function beset(world: PolicyWorld, { calls, events }: Faults, roll: () => number): void {
  const fail = () => {
    if (roll() < calls / 2) throw passing('Besieged');
  };
  world.hub.interference = { before: fail, after: fail };
  for (const name of [
    'saveState',
    'saveObservations',
    'writeWave',
    'takeLease',
    'releaseLease',
    'readState',
    'recordRun',
  ] as const) {
    const method = world.policies[name].bind(world.policies) as (...args: unknown[]) => Promise<unknown>;
    Object.assign(world.policies, {
      [name]: async (...args: unknown[]) => {
        fail();
        const answer = await method(...args);
        fail();
        return answer;
      },
    });
  }
  const publish = world.bus.publish.bind(world.bus);
  world.bus.publish = async (published) => {
    const arriving = published.flatMap((event) => {
      const fate = roll();
      return fate < events / 2 ? [] : fate < events ? [event, event] : [event];
    });
    await publish(arriving);
  };
}

async function comeHome(workloads: number, faults: Faults, seed: number) {
  const world = new PolicyWorld(
    ['member1', 'member2', 'member3'].map((name) => ({ name, capacity: workloads * 6, readyDelayMs: 3000 })),
    { settings: { maxReceives: 100 } },
  );
  for (let i = 0; i < workloads; i++) world.run(`w${i}`, 3);
  const strategy = { waves: { size: SIZE, readyWithin: '30m' }, maxInFlight: { workloads: SIZE } };
  world.policy('home', { triggers: { clusterRecovered: { stableFor: '1m' } }, strategy });
  await world.pass(30);
  world.fleet.fail('member1');
  await world.pass(120);
  world.fleet.recover('member1');
  beset(world, faults, dice(seed));
  const inFlight = new InFlight();
  world.store.onChange(({ plural, object }) => plural === 'resourcebindings' && inFlight.look(object));
  const left = () =>
    Array.from({ length: workloads }, (_, i) => world.assigned(`w${i}`).member1 ?? 0).filter((at) => at === 0);
  for (let round = 0; round < 60 && left().length > 0; round++) await world.passResyncing(5);
  await world.passResyncing(30);
  return { world, most: inFlight.most, left: left().length };
}

describe(`${WORKLOADS} workloads in waves of ${SIZE}`, () => {
  it('are never more than one wave in flight, and all come home, each triggered once', async () => {
    const { world, most, left } = await comeHome(WORKLOADS, { calls: 0, events: 0 }, 1);
    const waves = WORKLOADS / SIZE;
    expect({ most, left, waves: world.waves.length }).toEqual({ most: SIZE, left: 0, waves });
    const patched = world.hub.calls.filter(({ verb, plural }) => verb === 'patch' && plural === 'resourcebindings');
    expect(patched).toHaveLength(WORKLOADS);
    expect(await world.runs('home')).toMatchObject([{ state: 'Finished', moved: WORKLOADS, wavesDone: waves }]);
  });
});

describe('whatever fails on the way', () => {
  it.each(casesOf([1, 2, 3, 4], 1))('seed %i: never more than one wave in flight, and all come home', async (seed) => {
    const { most, left, world } = await comeHome(cases({ few: 25, all: 160 }), { calls: 6, events: 20 }, seed);
    expect({ left, tooMany: Math.max(0, most - SIZE) }).toEqual({ left: 0, tooMany: 0 });
    expect((await world.runs('home')).map(({ state }) => state)).toEqual(['Finished']);
  });
});
