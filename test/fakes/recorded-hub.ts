/** Recordings of made-up hubs: what `evenkeel record` would have written. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RecordedObject } from '../../local/recording/recorded-object.ts';
import { type RecordedLine, RecordingWriter } from '../../local/recording/recording-files.ts';
import { toTimestamp } from '../../shared/core/time.ts';
import { DYNAMIC } from '../placed-objects.ts';
import { seededRandom } from './seeded-random.ts';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const START = Date.parse('2026-11-01T00:00:00Z');

export interface MadeCluster {
  readonly pods: number;
  /** Pods that are not of recorded workloads. */
  readonly others?: number;
  readonly ready?: boolean;
  readonly readySince?: number;
  readonly taintedAt?: number;
  readonly annotations?: Readonly<Record<string, string>>;
  /** Recorded replicas that it runs. */
  readonly runs?: number;
}

export function recordedCluster(name: string, made: MadeCluster): RecordedObject {
  const { pods, others = 0, ready = true, readySince = START, taintedAt, annotations, runs = 0 } = made;
  const timeAdded = taintedAt === undefined ? '' : toTimestamp(taintedAt);
  return {
    apiVersion: 'cluster.karmada.io/v1alpha1',
    kind: 'Cluster',
    metadata: {
      name,
      uid: `uid-${name}`,
      creationTimestamp: '2026-01-01T00:00:00Z',
      ...(annotations && { annotations }),
    },
    spec: {
      ...(taintedAt !== undefined && {
        taints: [{ key: 'cluster.karmada.io/not-ready', effect: 'NoExecute', timeAdded }],
      }),
    },
    status: {
      conditions: [{ type: 'Ready', status: ready ? 'True' : 'False', lastTransitionTime: toTimestamp(readySince) }],
      resourceSummary: {
        allocatable: { cpu: String(pods), pods: String(pods) },
        allocated: { pods: String(others + runs) },
      },
    },
  };
}

/** ResourceBinding shop/<name>-deployment. */
export function recordedBinding(
  name: string,
  on: Readonly<Record<string, number>>,
  placement?: object,
): RecordedObject {
  const clusters = Object.entries(on).map(([cluster, replicas]) => ({ name: cluster, replicas }));
  return {
    apiVersion: 'work.karmada.io/v1alpha2',
    kind: 'ResourceBinding',
    metadata: {
      name: `${name}-deployment`,
      namespace: 'shop',
      uid: `uid-${name}`,
      creationTimestamp: '2026-01-01T00:00:00Z',
    },
    spec: {
      resource: { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name, uid: `uid-${name}` },
      replicas: clusters.reduce((sum, { replicas }) => sum + replicas, 0),
      replicaRequirements: { resourceRequest: {} },
      placement: placement ?? { replicaScheduling: DYNAMIC },
      clusters,
    },
    status: {
      lastScheduledTime: '2026-01-01T00:00:00Z',
      aggregatedStatus: clusters.map(({ name: clusterName, replicas }) => ({
        clusterName,
        health: 'Healthy',
        status: { replicas, readyReplicas: replicas },
      })),
    },
  };
}

/** A folder with a recording: the objects at the start, or `from` milliseconds after it, and changes at times after the start. */
export function writeRecording(
  objects: readonly RecordedObject[],
  changes: readonly (readonly [
    after: number,
    line: RecordedObject | { readonly deleted: RecordedObject } | 'Stopped',
  ])[],
  { folder = mkdtempSync(join(tmpdir(), 'evenkeel-recording-')), from = 0 } = {},
): string {
  const writer = new RecordingWriter(folder);
  const at = toTimestamp(START + from);
  const objectLines = objects.map((object): RecordedLine => ({ at, object }));
  writer.write([
    { at, event: 'SnapshotStarted', format: 1, isFirst: true },
    ...objectLines,
    { at, event: 'SnapshotEnded' },
  ]);
  for (const [after, change] of changes) {
    const then = toTimestamp(START + after);
    if (change === 'Stopped') writer.write([{ at: then, event: 'Stopped' }]);
    else
      writer.write([
        'deleted' in change ? { at: then, deleted: change.deleted } : { at: then, object: change as RecordedObject },
      ]);
  }
  return folder;
}

/** A hub whose clusters fail: each day one of them, for one to three hours. */
export function failingHub({
  clusters,
  workloads,
  days,
  seed = 1,
}: Readonly<Record<'clusters' | 'workloads' | 'days', number>> & { readonly seed?: number }) {
  const random = seededRandom(seed);
  const below = (most: number) => Math.floor(random() * most);
  const names = Array.from({ length: clusters }, (_, i) => `member${i + 1}`);
  const replicasOf = (i: number) => Object.fromEntries(names.map((name, c) => [name, (i + c) % 3]));
  const objects = Array.from({ length: workloads }, (_, i) => recordedBinding(`web${i}`, replicasOf(i)));
  const runs = (name: string) =>
    objects
      .flatMap(({ spec }) => spec?.clusters as { name: string; replicas: number }[])
      .reduce((sum, each) => sum + (each.name === name ? each.replicas : 0), 0);
  const pods = Math.ceil((workloads * 3 * clusters) / Math.max(1, clusters - 1));
  const made = (name: string, of: Partial<MadeCluster> = {}) =>
    recordedCluster(name, { pods, runs: runs(name), ...of });
  const changes = Array.from({ length: days }, (_, day) => {
    const name = names[below(clusters)] ?? '';
    const failed = day * 24 * HOUR + below(600) * MINUTE;
    const back = failed + HOUR + below(120) * MINUTE;
    return [
      [failed, made(name, { ready: false, readySince: START + failed, taintedAt: START + failed })],
      [back, made(name, { readySince: START + back })],
    ] as const;
  }).flat();
  return {
    objects: [...names.map((name) => made(name)), ...objects],
    changes: [...changes, [days * 24 * HOUR, 'Stopped'] as const],
  };
}
