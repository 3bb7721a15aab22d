/** Backtests of small recordings whose figures can be checked by hand, and of a month in which clusters fail. */
import { rmSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { type BacktestResult, backtest } from '../../../local/backtest/backtest.ts';
import type { RecordedObject } from '../../../local/recording/recorded-object.ts';
import {
  failingHub,
  HOUR,
  MINUTE,
  recordedBinding,
  recordedCluster,
  START,
  writeRecording,
} from '../../fakes/recorded-hub.ts';
import { byStaticWeight, DYNAMIC } from '../../placed-objects.ts';

const folders: string[] = [];
afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true })));

function recording(...given: Parameters<typeof writeRecording>): string {
  const folder = writeRecording(...given);
  folders.push(folder);
  return folder;
}

const recovered = { triggers: { clusterRecovered: { stableFor: '5m' } } };

function play(folder: string, spec: object = recovered, days?: number): Promise<BacktestResult> {
  const policy = { metadata: { name: 'home' }, spec };
  return backtest({ folder, policy, readyAfterMs: MINUTE, warn: () => undefined, ...(days !== undefined && { days }) });
}

/** Six replicas on each of two clusters with 20 pods; member1 fails after an hour, and is back after another one. */
function failure(of: { readonly binding?: RecordedObject; readonly pods?: number; readonly price?: string } = {}) {
  const { binding = recordedBinding('web', { member1: 6, member2: 6 }), pods = 20, price } = of;
  const made = { pods, runs: 6, ...(price !== undefined && { annotations: { 'evenkeel.dev/price': price } }) };
  const failed = { ready: false, readySince: START + HOUR, taintedAt: START + HOUR };
  return {
    objects: [recordedCluster('member1', made), recordedCluster('member2', made), binding],
    changes: [
      [HOUR, recordedCluster('member1', { ...made, ...failed })],
      [2 * HOUR, recordedCluster('member1', { ...made, readySince: START + 2 * HOUR })],
      [4 * HOUR, 'Stopped'],
    ] as const,
  };
}

function recordingOf({ objects, changes }: ReturnType<typeof failure>): string {
  return recording(objects, changes);
}

describe('a backtest', () => {
  it('counts the run, the moves and the unready minutes of a failure, which are all known', async () => {
    const { runs, withPolicy, withoutPolicy, readyMinutes } = await play(recordingOf(failure()));
    // Five minutes after member1 is back; the wave is found ready at the first look after a minute.
    expect(runs).toEqual([
      {
        trigger: 'ClusterRecovered member1',
        startedAt: '2026-11-01T02:05:00Z',
        finishedAt: '2026-11-01T02:06:00Z',
        state: 'Finished',
        message: '6 replicas moved in 1 wave',
        ...{ waves: 1, workloads: 1, replicas: 6, skipped: 0 },
      },
    ]);
    // 6 replicas start on member2 and take a minute; the policy moves 6 back, which takes another.
    expect(withoutPolicy).toMatchObject({ byPolicy: 0, byScheduler: 6, unreadyMinutes: 6, backAfterScheduler: 0 });
    expect(withPolicy).toMatchObject({ byPolicy: 6, byScheduler: 6, unreadyMinutes: 12, backAfterScheduler: 6 });
    // By the recording, member1's replicas were not ready for an hour, and nothing replaced them.
    expect(readyMinutes).toEqual({ saved: 0, lost: 6, recordedUnready: 360 });
  });

  it('counts replicas that wait on a full cluster until the policy brings them back', async () => {
    // Static weights give each cluster its share, full or not; member2 has 8 pods.
    const placement = { replicaScheduling: byStaticWeight({ member1: 1, member2: 1 }) };
    const scene = failure({ binding: recordedBinding('web', { member1: 6, member2: 6 }, placement), pods: 8 });
    const { withPolicy, withoutPolicy, readyMinutes } = await play(recordingOf(scene));
    // 2 of 6 start on member2. The other 4 wait there until 2:05 with the policy, and until 4:00 without it.
    expect(withoutPolicy.unreadyMinutes).toBe(2 + 4 * 180);
    // 4 pending and 2 ready replicas move back, and all 6 take a minute.
    expect(withPolicy.unreadyMinutes).toBe(2 + 4 * 65 + 6);
    expect(readyMinutes).toMatchObject({ saved: 4 * 180 - 4 * 65 - 6, lost: 0 });
  });

  it('leaves replicas on a failed cluster for as long as their placement tolerates its taint', async () => {
    const clusterTolerations = [{ key: 'cluster.karmada.io/not-ready', operator: 'Exists', tolerationSeconds: 300 }];
    const placement = { replicaScheduling: DYNAMIC, clusterTolerations };
    const binding = recordedBinding('web', { member1: 6, member2: 6 }, placement);
    const { withoutPolicy } = await play(recordingOf(failure({ binding })));
    // Six replicas are lost for five minutes, and then take a minute on member2.
    expect(withoutPolicy).toMatchObject({ byScheduler: 6, unreadyMinutes: 36 });
  });

  it('loses no ready minute by a move that is graceful', async () => {
    const binding = recordedBinding('web', { member1: 6, member2: 6 });
    const graceful = { ...binding, spec: { ...binding.spec, replicaReductionStrategy: 'DelayWorkDeletion' } };
    const { withPolicy, withoutPolicy } = await play(recordingOf(failure({ binding: graceful })));
    expect([withPolicy.byPolicy, withPolicy.unreadyMinutes, withoutPolicy.unreadyMinutes]).toEqual([6, 6, 6]);
  });

  it('counts replicas that come back within the cool-down, by who had moved them', async () => {
    const scene = failure();
    const made = { pods: 20, runs: 6 };
    // member1 fails again at 2:20, a quarter of an hour after the run.
    const again = { ready: false, readySince: START + 140 * MINUTE, taintedAt: START + 140 * MINUTE };
    const changes = [
      ...scene.changes.slice(0, 2),
      [140 * MINUTE, recordedCluster('member1', { ...made, ...again })] as const,
      [4 * HOUR, 'Stopped'] as const,
    ];
    const { withPolicy } = await play(recording(scene.objects, changes));
    expect(withPolicy).toMatchObject({ byPolicy: 6, byScheduler: 12, backAfterPolicy: 6, backWithinCoolDown: 6 });
  });

  it('adds up the price of replicas if clusters have one', async () => {
    const web = recordedBinding('web', { member1: 6, member2: 6 });
    const binding = { ...web, spec: { ...web.spec, replicaRequirements: { resourceRequest: { cpu: '500m' } } } };
    const { withPolicy, withoutPolicy } = await play(recordingOf(failure({ binding, price: '0.5' })));
    // 12 replicas of half a core are assigned at all times, for four hours.
    expect([withPolicy.price, withoutPolicy.price]).toEqual([12, 12]);
    expect(withoutPolicy.replicaHours).toEqual({ member1: 6, member2: 42 });
    expect((await play(recordingOf(failure()))).withPolicy).not.toHaveProperty('price');
  });

  it('plays shifts by pressure: a cluster that fills up gives replicas, and stops halfway between the watermarks', async () => {
    const web = recordedBinding('web', { member1: 6, member2: 2 });
    const full = { pods: 20, runs: 6, others: 12 };
    const objects = [
      recordedCluster('member1', { pods: 20, runs: 6 }),
      recordedCluster('member2', { pods: 20, runs: 2 }),
      web,
    ];
    const changes = [
      [HOUR, recordedCluster('member1', full)],
      [4 * HOUR, 'Stopped'],
    ] as const;
    const spec = { triggers: { pressure: { high: 80, low: 60, resources: ['pods'] } } };
    const { runs, withPolicy, withoutPolicy } = await play(recording(objects, changes), spec);
    // 18 of 20 pods: four move until 14 are there.
    expect(runs).toMatchObject([
      { trigger: expect.stringMatching(/^Pressure/) as string, state: 'Finished', replicas: 4 },
    ]);
    expect([withPolicy.byPolicy, withPolicy.byScheduler, withoutPolicy.byPolicy]).toEqual([4, 0, 0]);
  });

  it('plays what users do: a workload that is scaled and deleted', async () => {
    const scene = failure();
    const web = recordedBinding('web', { member1: 6, member2: 6 });
    const scaled = { ...web, spec: { ...web.spec, replicas: 16 } };
    const changes = [
      [30 * MINUTE, scaled],
      [60 * MINUTE, { deleted: web }],
      [90 * MINUTE, 'Stopped'],
    ] as const;
    const { withoutPolicy } = await play(recording(scene.objects, changes));
    expect(withoutPolicy).toMatchObject({ byScheduler: 0, unreadyMinutes: 4 });
    expect(withoutPolicy.replicaHours).toEqual({ member1: 7, member2: 7 });
  });

  it('acts on a schedule, and against imbalance', async () => {
    const scheduled = await play(recordingOf(failure()), { triggers: { schedule: { cron: '0 3 * * *' } } });
    expect(scheduled.runs).toMatchObject([{ trigger: 'Schedule', startedAt: '2026-11-01T03:00:00Z', replicas: 6 }]);
    const balanced = await play(recordingOf(failure()), { triggers: { imbalance: { percent: 20 } } });
    expect(balanced.runs).toMatchObject([{ trigger: 'Imbalance of 20 %', startedAt: '2026-11-01T02:00:00Z' }]);
  });

  it('names why workloads were skipped', async () => {
    const scene = failure({ binding: { ...recordedBinding('web', { member1: 6, member2: 6 }) } });
    const [first, second, binding] = scene.objects as [RecordedObject, RecordedObject, RecordedObject];
    const metadata = { ...binding.metadata, annotations: { 'evenkeel.dev/rebalancing': 'Never' } };
    const { skipped, runs } = await play(recording([first, second, { ...binding, metadata }], scene.changes));
    expect(skipped).toEqual([{ reason: 'evenkeel.dev/rebalancing on the binding keeps policies away', workloads: 1 }]);
    expect(runs).toMatchObject([{ state: 'Finished', replicas: 0, skipped: 1 }]);
  });

  it('plays a policy that is suspended, dry, or waits for approval as if it acted, and notes that', async () => {
    const spec = { ...recovered, suspend: true, dryRun: true, strategy: { approval: 'EachWave' } };
    const { runs, notes } = await play(recordingOf(failure()), spec);
    expect(runs).toMatchObject([{ state: 'Finished', replicas: 6 }]);
    expect(notes.map((note) => note.split(':')[0])).toEqual(['spec.suspend', 'spec.dryRun', 'spec.strategy.approval']);
  });

  it('plays the last days only, from the state that the recording has then', async () => {
    const folder = recordingOf(failure());
    const { from, to, runs, withoutPolicy } = await play(folder, recovered, 0.125);
    // From 1:00, so that the failure is played, and what was before is not.
    expect([from, to]).toEqual(['2026-11-01T01:00:00Z', '2026-11-01T04:00:00Z']);
    expect(runs).toHaveLength(1);
    expect(withoutPolicy.replicaHours).toEqual({ member1: 0, member2: 36 });
    await expect(play(folder, recovered, 30)).rejects.toThrow(
      /^--days 30: the recording in \S+ has 0.1 days \(2026-11-01T00:00:00Z to 2026-11-01T04:00:00Z\); give fewer, or leave --days out$/,
    );
  });

  it('names the times that are not recorded, and takes what changed within them as of their end', async () => {
    const { objects } = failure();
    const folder = recording(objects, [[HOUR, 'Stopped']]);
    const later = recordedBinding('web', { member1: 6, member2: 6 });
    const scaled = { ...later, spec: { ...later.spec, replicas: 16 } };
    writeRecording([...objects.slice(0, 2), scaled], [[3 * HOUR, 'Stopped']], { folder, from: 2 * HOUR });
    const { gaps, withoutPolicy } = await play(folder);
    expect(gaps).toEqual([{ from: '2026-11-01T01:00:00Z', to: '2026-11-01T02:00:00Z' }]);
    expect(withoutPolicy).toMatchObject({ unreadyMinutes: 4, replicaHours: { member1: 20, member2: 20 } });
  });
});

describe('a month in which a cluster fails each day', () => {
  const hub = failingHub({ clusters: 4, workloads: 12, days: 30, seed: 7 });

  it('has a run for each failure, and the replicas that the policy brought back', async () => {
    const { runs, withPolicy, withoutPolicy, days } = await play(recording(hub.objects, hub.changes));
    expect(days).toBe(30);
    expect(runs).toHaveLength(30);
    expect(runs.filter(({ state }) => state !== 'Finished')).toEqual([]);
    expect(runs.reduce((sum, { replicas }) => sum + replicas, 0)).toBe(withPolicy.byPolicy);
    // Each move takes a minute, and none waits: these are all of the unready minutes.
    expect(withPolicy.unreadyMinutes).toBe(withPolicy.byPolicy + withPolicy.byScheduler);
    expect(withoutPolicy.unreadyMinutes).toBe(withoutPolicy.byScheduler);
    expect(withPolicy.byPolicy).toBeGreaterThan(100);
  });

  it('gives the same bytes for the same recording and policy', async () => {
    const folder = recording(hub.objects, hub.changes);
    expect(JSON.stringify(await play(folder))).toBe(JSON.stringify(await play(folder)));
  });
});
