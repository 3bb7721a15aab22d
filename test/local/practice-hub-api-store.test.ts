/** The practice hub's store and its change log, without HTTP. */
import { randomUUID } from 'node:crypto';
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type StreamedEvent, Watches } from '../../local/practice-hub/api/watches.ts';
import { startHubServer } from '../../local/practice-hub/hub-server.ts';
import { openChangeLog } from '../../local/practice-hub/store/change-log.ts';
import { createObjectStore } from '../../local/practice-hub/store/object-store.ts';
import type { KubeObject, StoreChange } from '../../local/practice-hub/store/objects.ts';

const by = { username: 'tester', manager: 'tester' };
const spec = { workloads: [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'web', namespace: 'shop' }] };

function rebalancer(name: string): object {
  return { apiVersion: 'apps.karmada.io/v1alpha1', kind: 'WorkloadRebalancer', metadata: { name }, spec };
}

function key(name: string) {
  return { namespace: '', name };
}

describe("practice hub's store", () => {
  let now = 0;
  const open = () => createObjectStore({ now: () => now, newUid: randomUUID });
  beforeEach(() => {
    now = Date.parse('2026-01-01T00:00:00Z');
  });

  it('records the time of the last change of each manager, and of status separately', () => {
    const store = open();
    store.create('workloadrebalancers', rebalancer('a'), by);
    now += 5000;
    store.patch(
      'workloadrebalancers',
      key('a'),
      { type: 'merge', body: { status: { observedGeneration: 1 } }, subresource: 'status' },
      by,
    );
    now += 5000;
    const patch = { type: 'merge', body: { spec: { ttlSecondsAfterFinished: 1 } } } as const;
    const changed = store.patch('workloadrebalancers', key('a'), patch, { ...by, manager: 'other' });
    now += 5000;
    expect(store.patch('workloadrebalancers', key('a'), patch, by)).toBe(changed);
    const times = changed.metadata.managedFields?.map((one) => [one.manager, one.subresource, one.time]);
    expect(times).toEqual([
      ['tester', undefined, '2026-01-01T00:00:00Z'],
      ['tester', 'status', '2026-01-01T00:00:05Z'],
      ['other', undefined, '2026-01-01T00:00:10Z'],
    ]);
  });

  it('returns frozen objects, and freezes no argument', () => {
    const store = open();
    const given = rebalancer('a');
    const stored = store.create('workloadrebalancers', given, by);
    expect([stored, stored.spec, stored.metadata, stored.spec?.workloads].every(Object.isFrozen)).toBe(true);
    expect([given, spec, spec.workloads].some(Object.isFrozen)).toBe(false);
  });

  it('shares the parts of an object that a change does not touch', () => {
    const store = open();
    const before = store.create('workloadrebalancers', rebalancer('a'), by);
    const after = store.patch(
      'workloadrebalancers',
      key('a'),
      { type: 'merge', body: { metadata: { labels: { a: '1' } } } },
      by,
    );
    expect(after.spec?.workloads).toBe(before.spec?.workloads);
  });

  it('notifies every listener of changes in order, even if one of them writes', () => {
    const store = open();
    const events: string[] = [];
    store.onChange(({ type, object }) => {
      if (type === 'ADDED')
        store.patch(
          'workloadrebalancers',
          key(object.metadata.name),
          { type: 'merge', body: { metadata: { labels: { seen: 'yes' } } } },
          by,
        );
    });
    const end = store.onChange(({ type, object }) => events.push(`${type} ${object.metadata.name}`));
    store.create('workloadrebalancers', rebalancer('a'), by);
    end();
    store.create('workloadrebalancers', rebalancer('b'), by);
    expect(events).toEqual(['ADDED a', 'MODIFIED a']);
  });

  it('notifies the other listeners and keeps the change if one listener fails', () => {
    const store = open();
    const events: StoreChange['type'][] = [];
    store.onChange(() => {
      throw new Error('broken');
    });
    store.onChange(({ type }) => events.push(type));
    expect(() => store.create('workloadrebalancers', rebalancer('a'), by)).toThrow(
      'a listener of the practice hub failed',
    );
    expect(events).toEqual(['ADDED']);
    expect(store.get('workloadrebalancers', key('a'))?.metadata.name).toBe('a');
  });

  it('accepts the name system:reader for a ClusterRole, and rejects a/b', () => {
    const store = open();
    const role = (name: string) => ({ metadata: { name }, rules: [] });
    expect(store.create('clusterroles', role('system:reader'), by).metadata.name).toBe('system:reader');
    expect(() => store.create('clusterroles', role('a/b'), by)).toThrow("may not contain '/'");
  });

  it('drops changes beyond its ring buffer, and rejects watches from there', () => {
    const store = open();
    const watches = new Watches(store, 10);
    const first = store.create('workloadrebalancers', rebalancer('a'), by);
    for (let ttl = 0; ttl < 30; ttl += 1) {
      store.patch(
        'workloadrebalancers',
        key('a'),
        { type: 'merge', body: { spec: { ttlSecondsAfterFinished: ttl } } },
        by,
      );
    }
    const events: StreamedEvent[] = [];
    const watch = (resourceVersion: string) =>
      watches.watch({ plural: 'workloadrebalancers', matches: () => true, resourceVersion }, (event) =>
        events.push(event),
      );
    expect(() => watch(first.metadata.resourceVersion)).toThrow('too old resource version');
    watch(String(store.revision() - 2));
    expect(events.map(({ type }) => type)).toEqual(['MODIFIED', 'MODIFIED']);
    expect(() => watch(String(store.revision() + 1))).toThrow('too old resource version');
  });
});

describe("practice hub's change log", () => {
  let directory: string;
  const file = () => path.join(directory, 'practice-hub.jsonl');
  const open = () => {
    const changeLog = openChangeLog(directory);
    return { changeLog, store: createObjectStore({ now: () => 0, newUid: randomUUID, changeLog }) };
  };
  /** The whole content of a store, as text. */
  const contents = (store: { list(plural: string): readonly KubeObject[] }) =>
    JSON.stringify(['namespaces', 'workloadrebalancers'].map((plural) => store.list(plural)));
  beforeEach(() => {
    directory = mkdtempSync(path.join(tmpdir(), 'practice-hub-'));
  });
  afterEach(() => {
    rmSync(directory, { recursive: true });
  });

  it('restores everything after a kill, and continues its revisions', () => {
    const { store } = open();
    store.create('workloadrebalancers', rebalancer('kept'), by);
    store.create('workloadrebalancers', rebalancer('gone'), by);
    store.patch(
      'workloadrebalancers',
      key('kept'),
      { type: 'merge', body: { spec: { ttlSecondsAfterFinished: 7 } } },
      by,
    );
    store.delete('workloadrebalancers', key('gone'), by);
    // Nothing is closed, as after kill -9.
    const again = open();
    expect(contents(again.store)).toBe(contents(store));
    expect(again.store.revision()).toBe(store.revision());
    const next = again.store.create('workloadrebalancers', rebalancer('next'), by);
    expect(Number(next.metadata.resourceVersion)).toBe(store.revision() + 1);
  });

  it('ignores a partial last line, and appends after it', () => {
    const { store, changeLog } = open();
    store.create('workloadrebalancers', rebalancer('whole'), by);
    changeLog.close();
    appendFileSync(file(), '{"type":"ADDED","plural":"workloadrebalancers","obj');
    const second = open();
    expect(contents(second.store)).toBe(contents(store));
    second.store.create('workloadrebalancers', rebalancer('after'), by);
    expect(
      open()
        .store.list('workloadrebalancers')
        .map(({ metadata }) => metadata.name),
    ).toEqual(['after', 'whole']);
  });

  it('contains only existing objects after a restart', () => {
    const { store } = open();
    for (let index = 0; index < 20; index += 1) {
      store.create('workloadrebalancers', rebalancer('again'), by);
      store.delete('workloadrebalancers', key('again'), by);
    }
    open();
    const lines = readFileSync(file(), 'utf8').trimEnd().split('\n');
    const kept = lines.filter((line) => !line.includes('"plural":"customresourcedefinitions"'));
    // The revision, and two namespaces.
    expect(kept).toHaveLength(3);
  });

  it('rejects a file with an invalid line in the middle, and does not change it', () => {
    const text =
      '{"type":"REVISION","plural":"","revision":1}\n{broken\n{"type":"REVISION","plural":"","revision":2}\n';
    writeFileSync(file(), text);
    expect(open).toThrow(`${file()}:2: not a line of the practice hub's journal`);
    expect(readFileSync(file(), 'utf8')).toBe(text);
  });

  it('is not touched by a hub whose port is taken', async () => {
    const hub = await startHubServer({ port: 0, dataDir: directory });
    const port = Number(new URL(hub.url).port);
    const text = readFileSync(file(), 'utf8');
    hub.store.create('workloadrebalancers', rebalancer('running'), by);
    await expect(startHubServer({ port, dataDir: directory })).rejects.toMatchObject({ code: 'EADDRINUSE' });
    expect(readFileSync(file(), 'utf8').startsWith(text)).toBe(true);
    expect(readFileSync(file(), 'utf8')).toContain('running');
    await hub.close();
  });
});
