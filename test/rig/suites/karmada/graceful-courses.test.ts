/** Held reductions on real Karmada, combined with random courses of events, Karmada's failover and our descheduler. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { RESCHEDULING_POLICY } from '../../../../shared/karmada/rescheduling-policy.ts';
import { stopEvenkeel } from '../../parts/evenkeel.ts';
import { READY_AFTER } from '../../parts/kwok-stages.ts';
import type { Meta } from '../api.ts';
import { isDenied, ourRequests } from '../audit-log.ts';
import { clear, propagate, scale } from './acts.ts';
import {
  type GracefulFleet,
  heldIn,
  type Name,
  propagateGracefully,
  releaseByHand,
  restoreNodes,
  reviseTemplate,
  revisions,
  reweigh,
  runEvenkeelOn,
  setStrategy,
  startGracefulFleet,
} from './graceful-fleet.ts';
import { type Course, Schedule } from './graceful-schedules.ts';
import { DYNAMIC_WEIGHT, HALF_CORE, paths, weighted } from './manifests.ts';
import { type Binding, bindingOf, eventually, running } from './observed-state.ts';
import { ReadyCurve } from './ready-curve.ts';

const parts = new AsyncDisposableStack();
let fleet: GracefulFleet;

beforeAll(async () => {
  fleet = parts.adopt(await startGracefulFleet(), (started) => started.close());
  await runEvenkeelOn(fleet);
});

afterAll(() => parts.disposeAsync());

const curves: ReadyCurve[] = [];
afterEach(async () => {
  for (const curve of curves.splice(0)) await curve.close();
});

async function curveOf(workload: string, ready: number): Promise<ReadyCurve> {
  const curve = await ReadyCurve.of(fleet, workload, ready);
  curves.push(curve);
  return curve;
}

describe('workloads that are rebalanced, scaled, edited and reweighted while their reductions are held', () => {
  const SEEDS = [1, 2, 3, 4, 5];
  const courses = new Map<string, Course>();

  beforeAll(async () => {
    const held = SEEDS.map((seed) => ({ name: `seed-${seed}`, seed, how: propagateGracefully }));
    const all = [...held, { name: 'at-once', seed: 2, how: propagate }];
    await Promise.all(all.map(async (one) => courses.set(one.name, await new Schedule(fleet, one).run())));
  });

  it.each(SEEDS)('never have fewer ready pods than requested: seed %i', (seed) => {
    const { losses, steps } = courses.get(`seed-${seed}`) ?? { losses: ['it did not run'], steps: [] };
    expect(losses, [...losses, ...steps].join('\n')).toEqual([]);
  });

  it('lose ready pods without the strategy', () => {
    expect(courses.get('at-once')?.losses.length).toBeGreaterThan(0);
  });
});

interface Evicted extends Binding {
  readonly spec: Binding['spec'] & {
    readonly gracefulEvictionTasks?: readonly { readonly fromCluster: string; readonly producer: string }[];
  };
}

describe('a member that Karmada evicts workloads from', () => {
  const MAINTENANCE = { key: 'maintenance', effect: 'NoExecute' };
  const LATE = { name: 'late', replicas: 6, requests: HALF_CORE, annotations: { [READY_AFTER]: '6s' } };

  async function taint(member: Name, taints: readonly object[] | null = [MAINTENANCE]): Promise<void> {
    await fleet.api.merge(`${paths.clusters}/${member}`, { spec: { taints } });
  }

  // Ready pods are not counted here: Karmada's eviction relies on the last status, which may be older than its scheduling.
  afterEach(async () => {
    for (const member of ['member1', 'member3'] as const) await taint(member, null);
  });

  async function observation(): Promise<object> {
    const binding: Evicted = await bindingOf(fleet, LATE.name);
    const tasks = binding.spec.gracefulEvictionTasks ?? [];
    return { held: heldIn(binding), tasks: tasks.map(({ fromCluster, producer }) => `${fromCluster} ${producer}`) };
  }

  it("is left to Karmada's own eviction task, and not held by Evenkeel", async () => {
    await clear(fleet);
    await propagateGracefully(fleet, LATE, DYNAMIC_WEIGHT);
    await eventually(() => running(fleet, LATE.name), { member1: 2, member2: 2, member3: 2 });
    await taint('member3');
    await eventually(observation, { held: {}, tasks: ['member3 TaintManager'] });
    await eventually(() => running(fleet, LATE.name), { member1: 3, member2: 3, member3: 0 });
    await eventually(observation, { held: {}, tasks: [] });
  });

  it("is left to Karmada's eviction task even if Evenkeel holds it: that hold is dropped, and the others stay", async () => {
    await clear(fleet);
    await propagateGracefully(fleet, { ...LATE, replicas: 8 }, weighted({ member1: 2, member2: 1, member3: 1 }));
    await eventually(() => running(fleet, LATE.name), { member1: 4, member2: 2, member3: 2 });
    await reweigh(fleet, LATE.name, weighted({ member1: 1, member2: 3 }));
    await eventually(observation, { held: { member1: 4, member3: 2 }, tasks: [] });
    await taint('member1');
    await eventually(observation, { held: { member3: 2 }, tasks: ['member1 TaintManager'] });
    await eventually(() => running(fleet, LATE.name), { member1: 0, member2: 8, member3: 0 });
    await eventually(observation, { held: {}, tasks: [] });
  });
});

describe('a descheduled workload on a member that lost nodes', () => {
  /** Two pods fit on a node, eight in a member. */
  const LOST = ['member1-node2', 'member1-node3', 'member1-node4'];
  const WIDE = { name: 'wide', replicas: 12, requests: { cpu: '15' }, annotations: { [READY_AFTER]: '8s' } };

  it('loses its pending pods at once and no ready ones, because the write adds replicas to no cluster', async () => {
    await clear(fleet);
    await propagateGracefully(fleet, WIDE, DYNAMIC_WEIGHT);
    const wish = { metadata: { annotations: { [RESCHEDULING_POLICY]: 'OnUnschedulable' } } };
    await fleet.api.merge(`${paths.policies}/${WIDE.name}`, wish);
    await eventually(() => running(fleet, WIDE.name), { member1: 4, member2: 4, member3: 4 });
    await loseNodes();
    await eventually(() => running(fleet, WIDE.name), { member1: 2, member2: 4, member3: 4 });
    const curve = await curveOf(WIDE.name, 10);
    // The descheduler runs once at the start.
    await stopEvenkeel(fleet.rig);
    await runEvenkeelOn(fleet);
    await eventually(() => running(fleet, WIDE.name), { member1: 2, member2: 5, member3: 5 });
    expect(heldIn(await bindingOf(fleet, WIDE.name))).toEqual({});
    expect(curve.lowest).toBe(10);
    curve.save('descheduler');
    await restoreNodes(fleet, 'member1', LOST);
  });

  /** One of member1's four nodes is left, with two of the four pods. The others are deleted by force: no kubelet is left to end them. */
  async function loseNodes(): Promise<void> {
    const { kubectl } = fleet.kubernetes.member1;
    await kubectl.run('delete', 'node', ...LOST);
    const there = await fleet.members.member1.list<PodOnNode>(paths.pods);
    const orphans = there.filter(({ spec }) => LOST.includes(spec.nodeName ?? ''));
    await kubectl.run('delete', 'pod', ...orphans.map(({ metadata }) => metadata.name), '--grace-period=0', '--force');
  }
});

interface PodOnNode {
  readonly metadata: Meta;
  readonly spec: { readonly nodeName?: string };
}

describe("Evenkeel's requests", () => {
  it('are all allowed by the manifests of `evenkeel hub manifests`', () => {
    expect(ourRequests(fleet.hub).filter(isDenied)).toEqual([]);
  });
});

describe('a day of a team on call', () => {
  /** The API server's part of Evenkeel: without it the hub is one without Evenkeel, apart from kinds of which it has no object. */
  const AT_ADMISSION = ['admission-policy', 'hold-policy'] as const;
  const even = weighted({ member1: 1, member2: 1, member3: 1 });

  /** Each act of the team on the workload, and the ready pods of each member and their revisions when it has settled. */
  async function day(name: string, how: typeof propagate): Promise<readonly object[]> {
    const workload = { name, replicas: 6, requests: HALF_CORE };
    const seen: object[] = [];
    const settled = async (act: string, wanted: Readonly<Record<Name, number>>, revision: string) => {
      await eventually(() => running(fleet, name), wanted);
      const of = Object.entries(wanted).map(([member, count]) => [member, count === 0 ? [] : [revision]]);
      await eventually(() => revisions(fleet, name), Object.fromEntries(of));
      seen.push({ act, running: await running(fleet, name), revisions: await revisions(fleet, name) });
    };
    await how(fleet, workload, even);
    await settled('created', { member1: 2, member2: 2, member3: 2 }, 'first');
    await scale(fleet, name, 3);
    await settled('scaled down', { member1: 1, member2: 1, member3: 1 }, 'first');
    await reviseTemplate(fleet, name, 'second');
    await settled('image updated', { member1: 1, member2: 1, member3: 1 }, 'second');
    await reviseTemplate(fleet, name, 'first');
    await settled('rolled back', { member1: 1, member2: 1, member3: 1 }, 'first');
    await reweigh(fleet, name, weighted({ member2: 2, member3: 1 }));
    const held = heldAfter(name);
    await settled('policy changed', { member1: held, member2: 2, member3: 1 }, 'first');
    if (held > 0) await releaseByHand(fleet, name, 'member1');
    await settled('released', { member1: 0, member2: 2, member3: 1 }, 'first');
    await scale(fleet, name, 6);
    await settled('scaled up', { member1: 0, member2: 4, member3: 2 }, 'first');
    await fleet.api.delete(`${paths.deployments}/${name}`);
    await settled('deleted', { member1: 0, member2: 0, member3: 0 }, 'first');
    return seen;
  }

  /** What a graceful workload's policy moves away stays, because no function releases it: docs/guides/graceful-reduction.md. */
  const heldAfter = (name: string) => (name === 'graceful' ? 1 : 0);

  beforeAll(async () => {
    await clear(fleet);
    await stopEvenkeel(fleet.rig);
  });

  it('is the same on a hub without Evenkeel, and beside stopped functions, apart from the held replica of a graceful workload', async () => {
    const without = await withoutAdmission(() => day('without', propagate));
    const [beside, graceful] = await Promise.all([day('beside', propagate), day('graceful', gracefully)]);
    expect(beside).toEqual(without);
    expect(without).toHaveLength(8);
    const differing = graceful.filter((one, index) => JSON.stringify(one) !== JSON.stringify(without[index]));
    expect(differing).toMatchObject([{ act: 'policy changed', running: { member1: 1, member2: 2, member3: 1 } }]);
  });

  async function withoutAdmission<T>(act: () => Promise<T>): Promise<T> {
    const { kubectl, manifests } = fleet.hub;
    const ours = await manifests(...AT_ADMISSION);
    await kubectl.remove(ours);
    try {
      return await act();
    } finally {
      await kubectl.typed(ours);
    }
  }

  /** No function copies the annotation of the policy to the binding. */
  async function gracefully(...[of, workload, how]: Parameters<typeof propagate>): Promise<void> {
    await propagate(of, workload, how);
    await eventually(async () => (await bindingOf(of, workload.name)).metadata.name !== undefined, true);
    await setStrategy(of, workload.name);
  }
});
