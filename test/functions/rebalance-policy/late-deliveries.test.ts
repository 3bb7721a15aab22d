/** A message that comes twice, one of them held up at any of its requests to the hub: what was done meanwhile stands. */
import { describe, expect, it } from 'vitest';
import { task } from '../../../functions/rebalance-policy/advance-run.lambda.ts';
import { parseSettings } from '../../../shared/core/settings.ts';
import type { Hub } from '../../../shared/kubernetes/hub.ts';
import type { PolicyState } from '../../../shared/rebalance-policy/policy-run.ts';
import { oneHub } from '../../fakes/one-hub.ts';
import { PolicyWorld } from './scene.ts';

/** A way to the hub on which one request waits until it is let go. */
class SlowProxy {
  readonly #nth: number;
  #asked = 0;
  readonly #gate = Promise.withResolvers<void>();
  isHeldUp = false;

  constructor(nth: number) {
    this.#nth = nth;
  }

  letGo(): void {
    this.#gate.resolve();
  }

  to(hub: Hub): Hub {
    const pass = async <T>(request: () => Promise<T>): Promise<T> => {
      await this.#pass();
      return request();
    };
    const held = () => this.#pass();
    return {
      name: hub.name,
      member: (cluster) => hub.member(cluster),
      get: (resource, key) => pass(() => hub.get(resource, key)),
      getMany: (resource, keys) => pass(() => hub.getMany(resource, keys)),
      identify: (resource, key) => pass(() => hub.identify(resource, key)),
      async *list(resource, within) {
        await held();
        yield* hub.list(resource, within);
      },
      changes: (resource, from) => pass(() => hub.changes(resource, from)),
      create: (resource, object) => pass(() => hub.create(resource, object)),
      patch: (resource, key, patch) => pass(() => hub.patch(resource, key, patch)),
      apply: (resource, object) => pass(() => hub.apply(resource, object)),
      delete: (resource, key, preconditions) => pass(() => hub.delete(resource, key, preconditions)),
    };
  }

  async #pass(): Promise<void> {
    this.#asked += 1;
    if (this.#asked !== this.#nth) return;
    this.isHeldUp = true;
    await this.#gate.promise;
  }
}

/** Two workloads in waves of one, and member1 is healthy again: their run is about to be planned. */
async function aboutToBegin(): Promise<PolicyWorld> {
  const world = new PolicyWorld();
  for (const name of ['a', 'b']) world.run(name, 6);
  world.policy('home', { triggers: { clusterRecovered: { stableFor: '1m' } }, strategy: { waves: { size: 1 } } });
  await world.pass(10);
  world.fleet.fail('member1');
  await world.pass(60);
  world.fleet.recover('member1');
  return world;
}

/** Has a second delivery begin as soon as the state is as wanted. Resolves when it is under way; `done` when it has ended. */
async function deliverTwice(
  world: PolicyWorld,
  way: SlowProxy,
  wanted: (state: PolicyState) => boolean,
): Promise<{ readonly done: Promise<unknown> }> {
  const hubs = oneHub(undefined, { connect: async () => way.to(world.hub) });
  const { policies, ledger, bus, schedule, telemetry, clock } = world;
  const context = {
    settings: parseSettings({}),
    telemetry,
    now: () => clock.now(),
    newId: () => 'late',
    timeLeft: () => Number.POSITIVE_INFINITY,
  };
  const save = policies.saveState.bind(policies);
  let done: Promise<unknown> | undefined;
  policies.saveState = async (state) => {
    const isSaved = await save(state);
    const { hub, uid, name } = state;
    if (wanted(state))
      done ??= task.run({ hub, uid, name }, { hubs, policies, ledger, bus, schedule, ...context }, new Set());
    return isSaved;
  };
  while (done === undefined) await world.pass(0.1);
  return { done };
}

const MOMENTS = [
  [
    'before its first wave',
    ({ run }: PolicyState) => run !== undefined && run.inFlight === undefined,
    [1, 2, 3, 4, 5, 6],
  ],
  ['with a wave in flight', ({ run }: PolicyState) => run?.inFlight !== undefined, [1, 2, 3]],
] as const;

describe.each(MOMENTS)('a second delivery for a run %s', (_, wanted, requests) => {
  describe.each(requests)('held up at its request %d', (nth) => {
    it.each([3, 8, 600])('for %d s undoes nothing of what the first did', async (seconds) => {
      const world = await aboutToBegin();
      const way = new SlowProxy(nth);
      const { done } = await deliverTwice(world, way, wanted);
      await world.pass(seconds);
      expect(way.isHeldUp).toBe(true);
      way.letGo();
      await done;
      await world.pass(600);
      expect(world.status('home')).toMatchObject({ lastRun: { state: 'Finished', waves: 2, moved: 4, skipped: 0 } });
      const decided = (await world.decisions('home')).map(({ workload, outcome }) => [workload.name, outcome]);
      expect(decided).toEqual([
        ['a', 'Moved'],
        ['b', 'Moved'],
      ]);
      expect(world.waves.filter((name, i) => world.waves.indexOf(name) === i)).toHaveLength(2);
      expect(world.deadLetters).toEqual([]);
    });
  });
});

describe('a second delivery that finds the wave late', () => {
  it('leaves the end of the run to the first, whose alarm reports it once', async () => {
    const world = await aboutToBegin();
    world.fleet.setReadyDelay('member1', 3600_000);
    // Its second request reads the bindings of the wave.
    const way = new SlowProxy(2);
    const { done } = await deliverTwice(world, way, ({ run }) => run?.inFlight?.rebalancerUid !== undefined);
    await world.pass(15 * 60);
    expect(way.isHeldUp).toBe(true);
    expect(world.status('home')).toMatchObject({ lastRun: { state: 'Stopped' } });
    expect(world.telemetry.counts.get('PolicyRunsStopped')).toBe(1);
    way.letGo();
    expect(await done).toEqual({ reason: 'another delivery was first' });
    expect(world.telemetry.counts.get('PolicyRunsStopped')).toBe(1);
  });
});
