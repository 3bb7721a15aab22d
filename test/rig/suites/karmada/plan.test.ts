/** `evenkeel plan` on a hub with Karmada: its prediction for Fresh equals the result of karmada-scheduler after a trigger. */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rebalancePolicies } from '../../../../shared/rebalance-policy/rebalance-policy.ts';
import { clear, occupy, propagate, vacate } from './acts.ts';
import { type Fleet, startFleet, WHOLE_NODE } from './fleet.ts';
import { AGGREGATED, DYNAMIC_WEIGHT, ONE_GIB } from './manifests.ts';
import { type Binding, bindingOf, eventually, isWaiting, known, seconds } from './observed-state.ts';

const STATIC_WEIGHT = {
  ...AGGREGATED,
  replicaDivisionPreference: 'Weighted',
  weightPreference: {
    staticWeightList: [
      { targetCluster: { clusterNames: ['member1'] }, weight: 1 },
      { targetCluster: { clusterNames: ['member2'] }, weight: 2 },
    ],
  },
};

const EVERYWHERE = { replicaSchedulingType: 'Duplicated' };

interface Planned {
  readonly current: Readonly<Record<string, number>>;
  readonly steady: Readonly<Record<string, number>> | null;
  readonly fresh: Readonly<Record<string, number>> | null;
  readonly moves: number;
  readonly outcome: string;
}

/**
 * All of them were created while member2 was full; member1 has 16 places for pods of 1 GiB, member2 32. With 9 of them
 * taken on member1 and 3 on member2, weighted weighs 7 + 4 to 29.
 */
const workloads = {
  weighted: { replicas: 4, how: DYNAMIC_WEIGHT, fresh: { member1: 1, member2: 3 }, moves: 3 },
  gathered: { replicas: 3, how: AGGREGATED, fresh: { member2: 3 }, moves: 3 },
  fixed: { replicas: 3, how: STATIC_WEIGHT, fresh: { member1: 1, member2: 2 }, moves: 0 },
  everywhere: { replicas: 1, how: EVERYWHERE, fresh: { member1: 1, member2: 1 }, moves: 0 },
} as const;
type Name = keyof typeof workloads;
const names = Object.keys(workloads) as Name[];

describe('a plan on a hub with Karmada', () => {
  let fleet: Fleet;
  beforeAll(async () => {
    fleet = await startFleet();
    await clear(fleet);
    await occupy(fleet, 'member2', { name: 'tenant', replicas: 2, requests: WHOLE_NODE });
    await eventually(() => known(fleet), { member1: 0, member2: 2 });
    // With a CPU request: member2 has no core left, but enough memory.
    const requests = { ...ONE_GIB, cpu: '100m' };
    for (const name of names) {
      const { replicas, how } = workloads[name];
      await propagate(fleet, { name, replicas, requests }, how);
      await eventually(async () => (await bindingOf(fleet, name)).status?.lastScheduledTime !== undefined, true);
    }
    await vacate(fleet, 'member2', 'tenant');
    await settled(fleet);
  });
  afterAll(() => fleet.close());

  it('prints the moves of all workloads, and exits with 3', async () => {
    const { code, planned } = await plan(fleet);
    expect(code).toBe(3);
    expect(Object.keys(planned)).toEqual([...names].sort().map((name) => `${name}-deployment`));
    expect(planned['weighted-deployment']).toMatchObject({ current: { member1: 4 }, steady: { member1: 4 } });
  });

  it('previews a policy that does not exist yet, with the same numbers', async () => {
    const all = await preview(fleet);
    expect([all.code, all.skipped]).toEqual([3, []]);
    expect(all.moving).toEqual(
      (['gathered', 'weighted'] as const).map((name) => ({ name, next: workloads[name].fresh, moves: 3 })),
    );
    expect(all.still).toEqual(['everywhere', 'fixed']);
    // CapacityFreed skips workloads that have one cluster before and after.
    expect((await preview(fleet, '--trigger', 'CapacityFreed')).moving.map(({ name }) => name)).toEqual(['weighted']);
  });

  it.each(names)('predicts the result of the scheduler for %s', async (name) => {
    await settled(fleet);
    const { planned } = await plan(fleet, name);
    const predicted = planned[`${name}-deployment`];
    const before = await bindingOf(fleet, name);
    const { fresh, moves } = workloads[name];
    expect(predicted).toMatchObject({ current: clustersOf(before), fresh, moves, outcome: 'Success' });

    await trigger(fleet, name, before);
    await eventually(async () => isWaiting(await bindingOf(fleet, name)), false);

    expect(clustersOf(await bindingOf(fleet, name))).toEqual(fresh);
  });

  it('reports an unschedulable workload, with the reason of the condition that the scheduler wrote', async () => {
    await propagate(fleet, { name: 'huge', replicas: 400, requests: ONE_GIB }, DYNAMIC_WEIGHT);
    const condition = async () => {
      const { status } = (await bindingOf(fleet, 'huge')) as unknown as Conditioned;
      return status?.conditions?.find(({ type }) => type === 'Scheduled')?.reason;
    };
    await eventually(condition, 'Unschedulable');
    const { planned } = await plan(fleet, 'huge');
    expect(planned['huge-deployment']).toMatchObject({ outcome: 'Unschedulable', fresh: null, steady: null, moves: 0 });
  });
});

interface Conditioned {
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly reason: string }[] };
}

/** Waits until Karmada reports as many pods on each member as are assigned there. */
async function settled(fleet: Fleet): Promise<void> {
  const assigned = { member1: 0, member2: 0 };
  for (const name of names) {
    for (const [cluster, replicas] of Object.entries(clustersOf(await bindingOf(fleet, name))))
      assigned[cluster as keyof typeof assigned] += replicas;
  }
  await eventually(() => known(fleet), assigned);
}

function clustersOf({ spec }: Binding): Readonly<Record<string, number>> {
  return Object.fromEntries((spec.clusters ?? []).map(({ name, replicas }) => [name, replicas]));
}

/** Writes a trigger, as a user would; in a later second than the last scheduling, because the scheduler ignores earlier ones. */
async function trigger({ hub }: Fleet, name: Name, { status }: Binding): Promise<void> {
  await eventually(async () => Date.now() / 1000 >= seconds(status.lastScheduledTime) + 1, true);
  const rescheduleTriggeredAt = `${new Date().toISOString().slice(0, 19)}Z`;
  const patch = JSON.stringify({ spec: { rescheduleTriggeredAt } });
  await hub.kubectl.run('patch', 'resourcebinding', `${name}-deployment`, '--type=merge', '-p', patch);
}

async function plan(fleet: Fleet, ...args: readonly string[]) {
  const { code, document } = await evenkeel(fleet, ...args);
  const { bindings } = document as { bindings: readonly (Planned & { name: string })[] };
  return { code, planned: Object.fromEntries(bindings.map((b) => [b.name, b])) as Record<string, Planned> };
}

interface Previewed {
  readonly waves: readonly { readonly workloads: readonly (Pick<Planned, 'moves'> & Named & { next: object })[] }[];
  readonly skipped: readonly Named[];
  readonly still: readonly Named[];
}

interface Named {
  readonly workload: { readonly name: string };
}

/** With a policy in a file, with the triggers schedule and capacityFreed. */
async function preview(fleet: Fleet, ...args: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'evenkeel-policy-'));
  const file = join(folder, 'policy.json');
  const triggers = { schedule: { cron: '0 3 * * *' }, capacityFreed: {} };
  const { group, version, kind } = rebalancePolicies;
  writeFileSync(
    file,
    JSON.stringify({ apiVersion: `${group}/${version}`, kind, metadata: { name: 'nightly' }, spec: { triggers } }),
  );
  const { code, document } = await evenkeel(fleet, '--policy', 'nightly', '-f', file, ...args);
  rmSync(folder, { recursive: true });
  const { waves, skipped, still } = document as Previewed;
  const moving = waves.flatMap(({ workloads: each }) =>
    each.map(({ workload, next, moves }) => ({ name: workload.name, next, moves })),
  );
  return { code, moving, skipped, still: still.map(({ workload }) => workload.name) };
}

function evenkeel({ hub }: Fleet, ...args: readonly string[]): Promise<{ code: number; document: unknown }> {
  const command = [
    'cli/evenkeel.ts',
    'plan',
    '--kubeconfig',
    hub.adminKubeconfig,
    '-n',
    'default',
    '-o',
    'json',
    ...args,
  ];
  return new Promise((resolve, reject) => {
    execFile(process.execPath, command, { encoding: 'utf8' }, (thrown, out, errors) => {
      if (errors !== '' || out === '') return reject(new Error(`evenkeel plan failed: ${errors}`));
      resolve({ code: thrown ? Number(thrown.code) : 0, document: JSON.parse(out) as unknown });
    });
  });
}
