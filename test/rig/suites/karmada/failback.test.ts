/**
 * Stories 1 and 4 of the proposal: a member fails, its replicas move; it recovers, and they return when a user requests it.
 * The tests are the steps of one outage, in this order. `evenkeel record` records it, and a backtest of a policy over the recording moves what the
 * user then moves.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BacktestResult } from '../../../../local/backtest/backtest.ts';
import { REAL_HUB } from '../../../../local/run.ts';
import type { PlacementsAnswer } from '../../../../shared/console-api/operations/history.ts';
import { run } from '../../command.ts';
import { clear, propagate, rebalance, rescheduled } from './acts.ts';
import { type Fleet, fail, recover, startFleet } from './fleet.ts';
import { AGGREGATED, DYNAMIC_WEIGHT, HALF_CORE, leaveFailedClusters, ONE_GIB, paths } from './manifests.ts';
import {
  AFTER_OUTAGE_MS,
  assigned,
  bindingOf,
  eventually,
  isHealthy,
  known,
  running,
  seenFor,
  whereabouts,
} from './observed-state.ts';

const INERT_MS = 5000;
const CLI = join(import.meta.dirname, '..', '..', '..', '..', 'cli', 'evenkeel.ts');

describe('a member that fails and recovers', () => {
  let fleet: Fleet;
  let recording: string;
  let recorder: ReturnType<typeof spawn>;
  beforeAll(async () => {
    fleet = await startFleet();
    await clear(fleet);
    await fleet.api.create(paths.taintPolicies, leaveFailedClusters);
    recording = join(fleet.hub.folder, `recording-${Date.now().toString(36)}`);
    recorder = spawn(process.execPath, [CLI, 'record', '--kubeconfig', fleet.hub.adminKubeconfig, recording], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  });
  afterAll(() => {
    recorder.kill('SIGKILL');
    fleet.close();
  });

  it('starts with the weighted workload on both members and the aggregated one on the larger', async () => {
    // Both members have capacity for 160 pods of half a core: equal weights, equal halves.
    await propagate(fleet, { name: 'web', replicas: 8, requests: HALF_CORE }, DYNAMIC_WEIGHT);
    await eventually(() => running(fleet, 'web'), { member1: 4, member2: 4 });
    // member2 has more memory, enough for all replicas: it is the primary.
    await propagate(fleet, { name: 'orders', replicas: 6, requests: ONE_GIB }, AGGREGATED);
    await eventually(() => running(fleet, 'orders'), { member1: 0, member2: 6 });
    await eventually(() => known(fleet), { member1: 4, member2: 10 });
  });

  it('loses no replica when the member fails: the other member runs them', async () => {
    await fail(fleet, 'member2');
    await eventually(() => assigned(fleet, 'web'), { member1: 8 }, AFTER_OUTAGE_MS);
    await eventually(() => assigned(fleet, 'orders'), { member1: 6 }, AFTER_OUTAGE_MS);
    await eventually(async () => (await known(fleet)).member1, 14);
    // The recording has what is read every ten seconds, or later on a busy machine: a shorter outage is not in it.
    await eventually(
      () => Promise.resolve(recordedReadiness(recording, 'member2')),
      ['True', 'False'],
      AFTER_OUTAGE_MS,
    );
  });

  it('moves no replica back automatically when the member recovers', async () => {
    await recover(fleet, 'member2');
    await eventually(() => isHealthy(fleet, 'member2'), true, AFTER_OUTAGE_MS);
    await eventually(() => running(fleet, 'web'), { member1: 8, member2: 0 }, AFTER_OUTAGE_MS);
    await eventually(() => running(fleet, 'orders'), { member1: 6, member2: 0 }, AFTER_OUTAGE_MS);
    await eventually(() => known(fleet), { member1: 14, member2: 0 }, AFTER_OUTAGE_MS);
    const both = async () => [await whereabouts(fleet, 'web'), await whereabouts(fleet, 'orders')];
    expect(await seenFor(INERT_MS, both)).toEqual([
      [
        { assigned: { member1: 8 }, running: { member1: 8, member2: 0 } },
        { assigned: { member1: 6 }, running: { member1: 6, member2: 0 } },
      ],
    ]);
  });

  it('is recorded: a backtest of a policy for clusters that recover moves both workloads back', async () => {
    // Changes are recorded every ten seconds; stableFor has to pass after that.
    await eventually(() => Promise.resolve(recordedReadiness(recording, 'member2')), ['True', 'False', 'True']);
    await wait(3000);
    const ended = once(recorder, 'exit');
    recorder.kill('SIGINT');
    expect(await ended).toEqual([0, null]);
    const policy = join(recording, 'policy.json');
    const spec = { triggers: { clusterRecovered: { stableFor: '1s' } } };
    const kind = { apiVersion: 'evenkeel.dev/v1alpha1', kind: 'RebalancePolicy' };
    writeFileSync(policy, JSON.stringify({ ...kind, metadata: { name: 'home' }, spec }));
    const printed = await run(process.execPath, [
      CLI,
      'backtest',
      '-f',
      policy,
      '--from',
      recording,
      ...['--ready-after', '2s', '-o', 'json'],
    ]);
    const { runs, withPolicy, withoutPolicy, gaps } = JSON.parse(printed) as BacktestResult;
    expect(gaps).toEqual([]);
    expect(runs).toMatchObject([{ trigger: 'ClusterRecovered member2', workloads: 2 }]);
    // As Karmada moved 4 replicas of web and 6 of orders when the member failed, and as the next steps move them back.
    expect([withoutPolicy.byScheduler, withPolicy.byScheduler, withPolicy.byPolicy]).toEqual([10, 10, 10]);
  });

  it('spreads the replicas over both members again after a WorkloadRebalancer (story 1)', async () => {
    const before = await bindingOf(fleet, 'web');
    const { metadata } = await rebalance(fleet, 'spread-web', 'web');
    const after = await rescheduled(fleet, 'web', before);
    expect(after.spec.rescheduleTriggeredAt).toBe(metadata.creationTimestamp);
    // Fresh: its own replicas count as free, so both members weigh 160 again.
    await eventually(() => assigned(fleet, 'web'), { member1: 4, member2: 4 });
    await eventually(() => running(fleet, 'web'), { member1: 4, member2: 4 });
  });

  it('returns every replica to the primary cluster after a WorkloadRebalancer (story 4)', async () => {
    expect(await assigned(fleet, 'orders')).toEqual({ member1: 6 });
    const before = await bindingOf(fleet, 'orders');
    await rebalance(fleet, 'orders-to-primary', 'orders');
    await rescheduled(fleet, 'orders', before);
    // Capacity 32 on member2, 16 on member1: the fewest clusters, in the order of their capacity.
    await eventually(() => assigned(fleet, 'orders'), { member2: 6 });
    await eventually(() => running(fleet, 'orders'), { member1: 0, member2: 6 });
  });

  it('has its course in the history, with the causes', async () => {
    const both = { member1: 4, member2: 4 };
    await eventually(
      () => recordedCourse('web'),
      [
        { assigned: both, cause: 'Created' },
        { assigned: { member1: 8 }, cause: 'Failover' },
        { assigned: both, cause: 'WorkloadRebalancer' },
      ],
    );
  });

  /**
   * The changes of the assignment of a workload with the last assignment of each cause, oldest first, from the API of the local run. Karmada takes the member
   * away and assigns its replicas in one step or two; the events of two steps may be read as one.
   */
  async function recordedCourse(workload: string): Promise<readonly object[]> {
    const { port } = fleet.hub.hook;
    const path = `/api/hubs/${REAL_HUB}/bindings/default/${workload}-deployment/placements`;
    const response = await fetch(`http://127.0.0.1:${port + 1}${path}`);
    const { placements } = (await response.json()) as PlacementsAnswer;
    const newest = placements.findIndex(({ cause }) => cause?.by === 'Created');
    const moves = placements
      .slice(0, newest + 1)
      .flatMap(({ assigned: on, cause }) => (cause === undefined ? [] : [{ assigned: on, cause: courseOf(cause.by) }]))
      .toReversed();
    return moves.filter(({ cause }, index) => cause !== moves[index + 1]?.cause);
  }
});

function courseOf(by: string): string {
  return by === 'Eviction' || by === 'Scheduler' ? 'Failover' : by;
}

/** The changes of the cluster's condition Ready in the recording, in their order: a cluster whose capacity changed is recorded too. */
function recordedReadiness(recording: string, cluster: string): readonly (string | undefined)[] {
  const [file] = readdirSync(recording).filter((name) => name.endsWith('.jsonl'));
  const lines = readFileSync(join(recording, file ?? ''), 'utf8')
    .trim()
    .split('\n');
  const readiness = lines.flatMap((line) => {
    const { object } = JSON.parse(line) as { readonly object?: RecordedCluster };
    if (object?.kind !== 'Cluster' || object.metadata.name !== cluster) return [];
    return [object.status.conditions.find(({ type }) => type === 'Ready')?.status];
  });
  return readiness.filter((status, index) => status !== readiness[index - 1]);
}

interface RecordedCluster {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly status: { readonly conditions: readonly { readonly type: string; readonly status: string }[] };
}
