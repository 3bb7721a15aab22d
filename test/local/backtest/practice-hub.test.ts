/** A backtest against what happens: a practice hub is recorded without a policy, and the same failures are played on a practice hub with it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { backtest } from '../../../local/backtest/backtest.ts';
import { recordHub } from '../../../local/recording/record-hub.ts';
import { RecordingWriter } from '../../../local/recording/recording-files.ts';
import { PolicyWorld } from '../../functions/rebalance-policy/scene.ts';
import { AGGREGATED, byStaticWeight, DUPLICATED } from '../../placed-objects.ts';

const workloads: readonly (readonly [name: string, replicas: number, placement?: object])[] = [
  ['web', 12],
  ['api', 7],
  ['batch', 6, { replicaScheduling: AGGREGATED }],
  ['edge', 4, { replicaScheduling: DUPLICATED }],
  ['weights', 9, { replicaScheduling: byStaticWeight({ member1: 2, member2: 1 }) }],
];
const names = workloads.map(([name]) => name);

/** Seconds after the start, in order. */
const events: readonly (readonly [after: number, act: (world: FailingWorld) => void])[] = [
  [600, ({ fleet }) => fleet.fail('member1')],
  [1800, ({ fleet }) => fleet.recover('member1')],
  [4000, ({ fleet }) => fleet.fail('member2')],
  [4300, (world) => world.editReplicas('web', 15)],
  [5000, ({ fleet }) => fleet.recover('member2')],
];
const END = 7200;

class FailingWorld extends PolicyWorld {
  readonly #left = [...events];
  readonly #start: number;

  constructor() {
    super();
    for (const [name, replicas, placement] of workloads) this.run(name, replicas, placement);
    this.#start = this.clock.now();
  }

  get isOver(): boolean {
    return this.clock.now() - this.#start >= END * 1000;
  }

  editReplicas(name: string, replicas: number): void {
    const user = { username: 'a-user', manager: 'kubectl' };
    this.store.patch('deployments', { namespace: 'shop', name }, { type: 'merge', body: { spec: { replicas } } }, user);
  }

  /** With what is due by then. */
  async go(seconds: number): Promise<void> {
    await this.pass(seconds);
    const passed = (this.clock.now() - this.#start) / 1000;
    while ((this.#left[0]?.[0] ?? Number.POSITIVE_INFINITY) <= passed) this.#left.shift()?.[1](this);
    await this.pass(0);
  }
}

it('forecasts the runs of a policy and the replicas that they move, as the practice hub then plays them', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'evenkeel-forecast-'));
  const recorded = new FailingWorld();
  await recorded.go(60);
  const stop = new AbortController();
  const writer = new RecordingWriter(folder);
  await recordHub(
    {
      hub: recorded.hub,
      write: (lines) => writer.write(lines),
      now: () => recorded.clock.now(),
      wait: async (ms) => {
        await recorded.go(ms / 1000);
        if (recorded.isOver) stop.abort();
      },
      warn: (warning) => expect(warning).toBe(''),
    },
    stop.signal,
  );

  const spec = { triggers: { clusterRecovered: { stableFor: '5m' } } };
  const played = new FailingWorld();
  await played.go(60);
  played.policy('home', spec);
  while (!played.isOver) await played.go(10);

  const policy = { metadata: { name: 'home' }, spec };
  const result = await backtest({ folder, policy, readyAfterMs: 2000, warn: (warning) => expect(warning).toBe('') });
  rmSync(folder, { recursive: true });
  const happened = (await played.runs('home')).map(({ state, workloads: moving, moved }) => ({ state, moving, moved }));
  const forecast = result.runs.map(({ state, workloads: moving, replicas: moved }) => ({ state, moving, moved }));
  expect(happened).toHaveLength(2);
  expect(forecast[0]).toEqual(happened[0]);
  // The practice hub evicts all workloads of a cluster before it assigns the first of them anew: a share is rounded otherwise.
  expect(forecast[1]).toMatchObject({ state: happened[1]?.state, moving: happened[1]?.moving });
  expect(Math.abs((forecast[1]?.moved ?? 0) - (happened[1]?.moved ?? 0))).toBeLessThanOrEqual(1);
  expect(names.map((name) => [name, played.assigned(name)])).not.toEqual(
    names.map((name) => [name, recorded.assigned(name)]),
  );
});
