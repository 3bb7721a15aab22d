/** Sessions of `evenkeel record` on a practice hub; each wait between two polls is a step of the test. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openHub } from '../../../cli/open-hub.ts';
import { backtest } from '../../../local/backtest/backtest.ts';
import { recordHub } from '../../../local/recording/record-hub.ts';
import type { RecordedObject } from '../../../local/recording/recorded-object.ts';
import { type RecordedLine, RecordingWriter } from '../../../local/recording/recording-files.ts';
import type { Hub } from '../../../shared/kubernetes/hub.ts';
import { type RebalanceScene, startRebalanceScene } from '../../cli/rebalance-scene.ts';
import { user } from '../../fakes/practice-fleet.ts';
import { passing, StoreHub } from '../../fakes/store-hub.ts';

let scene: RebalanceScene;
let folder: string;
let storeHub: StoreHub;
beforeEach(async () => {
  scene = await startRebalanceScene(['web']);
  storeHub = new StoreHub('karmada', scene.hub.store);
  folder = mkdtempSync(join(tmpdir(), 'evenkeel-record-'));
});
afterEach(async () => {
  await scene.close();
  rmSync(folder, { recursive: true });
});

const web = { namespace: 'shop', name: 'web' };

interface Session {
  readonly lines: readonly RecordedLine[];
  readonly warnings: readonly string[];
  /** What was written between two steps: "ResourceBinding web-deployment", "deleted Deployment web". */
  readonly written: readonly (readonly string[])[];
}

/** Each step acts on the hub, and returns how many seconds pass until the next poll. */
async function session(
  steps: readonly (() => number | Promise<number>)[],
  {
    start = '2026-11-28T10:00:00Z',
    hub = storeHub,
    atEnd = () => undefined,
  }: { readonly start?: string; readonly hub?: Hub; readonly atEnd?: () => void } = {},
): Promise<Session> {
  const stop = new AbortController();
  const writer = new RecordingWriter(folder);
  const warnings: string[] = [];
  const batches: RecordedLine[][] = [[]];
  let now = Date.parse(start);
  const left = [...steps];
  await recordHub(
    {
      hub,
      write: (lines) => {
        writer.write(lines);
        batches.at(-1)?.push(...lines);
      },
      now: () => now,
      wait: async () => {
        batches.push([]);
        const step = left.shift();
        if (step === undefined) {
          atEnd();
          stop.abort();
        } else now += (await step()) * 1000;
      },
      warn: (warning) => warnings.push(warning),
    },
    stop.signal,
  );
  return { lines: batches.flat(), warnings, written: batches.map((lines) => lines.map(textOf)) };
}

function textOf(line: RecordedLine): string {
  if ('event' in line) return line.event;
  const { kind, metadata } = 'object' in line ? line.object : line.deleted;
  return `${'object' in line ? '' : 'deleted '}${kind} ${metadata.name}`;
}

function objectsOf({ lines }: Session, kind: string): readonly RecordedObject[] {
  return lines.flatMap((line) => ('object' in line && line.object.kind === kind ? [line.object] : []));
}

describe('a recording of a hub', () => {
  it('begins with all objects, has a line for each change that matters, and ends with Stopped', async () => {
    const { store } = scene.hub;
    const recorded = await session([
      () => 10,
      async () => {
        store.patch('deployments', web, { type: 'merge', body: { spec: { replicas: 8 } } }, user);
        await scene.fleet.settled();
        return 10;
      },
      () => {
        const body = { metadata: { annotations: { 'example.com/note': 'nothing that matters' } } };
        store.patch('deployments', web, { type: 'merge', body }, user);
        return 10;
      },
      async () => {
        store.delete('deployments', web, user);
        await scene.fleet.settled();
        return 10;
      },
    ]);
    const [snapshot = [], quiet, scaled, noted, deleted, stopped] = recorded.written;
    expect(snapshot[0]).toBe('SnapshotStarted');
    expect(snapshot.slice(1, 6)).toEqual([
      ...['member1', 'member2', 'member3'].map((name) => `Cluster ${name}`),
      'ResourceBinding web-deployment',
      'Deployment web',
    ]);
    expect(snapshot.at(-1)).toBe('SnapshotEnded');
    expect([quiet, scaled, noted]).toEqual([[], ['ResourceBinding web-deployment'], []]);
    expect(deleted).toEqual(['deleted ResourceBinding web-deployment', 'deleted Deployment web']);
    expect(stopped).toEqual(['Stopped']);
    const [before, after] = objectsOf(recorded, 'ResourceBinding');
    expect([before?.spec?.replicas, after?.spec?.replicas]).toEqual([6, 8]);
    expect(before?.status?.aggregatedStatus).toEqual(
      ['member2', 'member3'].map((clusterName) => ({
        clusterName,
        health: 'Healthy',
        status: { replicas: 3, readyReplicas: 3 },
      })),
    );
    expect(recorded.warnings).toEqual([]);
  });

  it('over HTTP contains no secret: neither a Secret, nor what annotations, templates and Clusters have', async () => {
    const { store } = scene.hub;
    const secret = 'hunter2-is-the-password';
    const applied = { 'kubectl.kubernetes.io/last-applied-configuration': `{"env":"${secret}"}` };
    const template = { spec: { containers: [{ name: 'web', image: 'web:1', env: [{ name: 'KEY', value: secret }] }] } };
    const body = { metadata: { annotations: applied }, spec: { template } };
    store.patch('deployments', web, { type: 'merge', body }, user);
    const member = { namespace: '', name: 'member1' };
    const spec = { secretRef: { namespace: 'karmada-cluster', name: secret }, apiEndpoint: `https://${secret}` };
    store.patch('clusters', member, { type: 'merge', body: { spec, metadata: { annotations: applied } } }, user);
    const resource = { apiVersion: 'v1', kind: 'Secret', namespace: 'shop', name: secret };
    const binding = {
      apiVersion: 'work.karmada.io/v1alpha2',
      kind: 'ResourceBinding',
      spec: { resource, clusters: [] },
    };
    store.create('resourcebindings', { ...binding, metadata: { name: 'a-secret', namespace: 'shop' } }, user);
    await scene.fleet.settled();
    const { hub } = await openHub({ kubeconfig: scene.kubeconfig });
    const scale = () => {
      store.patch('deployments', web, { type: 'merge', body: { spec: { replicas: 8 } } }, user);
      return 10;
    };
    const recorded = await session([scale], { hub });
    expect(recorded.written[1]).toEqual(['ResourceBinding web-deployment']);
    expect(recorded.lines.length).toBeGreaterThan(5);
    expect(readFileSync(join(folder, '2026-11-28.jsonl'), 'utf8')).not.toContain(secret);
  });

  it('has the changes since the last poll when it is ended', async () => {
    const scale = () => {
      scene.hub.store.patch('deployments', web, { type: 'merge', body: { metadata: { labels: { tier: 'a' } } } }, user);
    };
    const { written } = await session([() => 10], { atEnd: scale });
    expect(written.at(-1)).toEqual(['Deployment web', 'Stopped']);
  });

  it('writes what only changes the pods on a cluster once in five minutes', async () => {
    const usage = (pods: number) => () => {
      const body = { status: { resourceSummary: { allocated: { pods: String(pods) } } } };
      const key = { namespace: '', name: 'member1' };
      scene.hub.store.patch('clusters', key, { type: 'merge', body, subresource: 'status' }, user);
      return 100;
    };
    const { written } = await session([usage(1), usage(2), usage(3), () => 100]);
    expect(written.slice(1, 5)).toEqual([[], [], ['Cluster member1'], []]);
  });

  it('begins each day with all objects, and goes on in a new session', async () => {
    await session([() => 60], { start: '2026-11-28T23:59:30Z' });
    const again = await session([() => 10], { start: '2026-11-29T08:00:00Z' });
    expect(again.written[0]?.[0]).toBe('SnapshotStarted');
    const day = readFileSync(join(folder, '2026-11-29.jsonl'), 'utf8').split('\n');
    expect(day[0]).toBe('{"at":"2026-11-29T00:00:30Z","event":"SnapshotStarted","format":1}');
    const policy = { metadata: { name: 'home' }, spec: { triggers: { clusterRecovered: {} } } };
    const played = await backtest({ folder, policy, readyAfterMs: 1000, warn: () => undefined });
    expect(played.gaps).toEqual([{ from: '2026-11-29T00:00:30Z', to: '2026-11-29T08:00:00Z' }]);
  });

  it('goes on when the hub responds again, with one warning', async () => {
    const away = () => {
      storeHub.interference = {
        before: () => {
          throw passing();
        },
      };
      return 10;
    };
    const back = () => {
      storeHub.interference = {};
      scene.hub.store.patch('deployments', web, { type: 'merge', body: { metadata: { labels: { tier: 'a' } } } }, user);
      return 10;
    };
    const recorded = await session([away, away, back]);
    expect(recorded.warnings).toEqual(['the hub: HubUnreachable; the recording goes on when the hub responds']);
    expect(recorded.written.slice(1)).toEqual([[], [], ['Deployment web'], ['Stopped']]);
  });

  it('ends when a line cannot be written', async () => {
    const scale = () => {
      scene.hub.store.patch('deployments', web, { type: 'merge', body: { metadata: { labels: { tier: 'a' } } } }, user);
      rmSync(folder, { recursive: true });
      writeFileSync(folder, 'no folder any more');
      return 10;
    };
    await expect(session([scale])).rejects.toThrow(/\.jsonl cannot be written \(ENOTDIR\); free space there/);
  });
});
