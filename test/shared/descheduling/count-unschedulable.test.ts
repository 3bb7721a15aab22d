import { describe, expect, it } from 'vitest';
import { fromTimestamp } from '../../../shared/core/time.ts';
import { countUnschedulable } from '../../../shared/descheduling/count-unschedulable.ts';
import { type Pod, type PodOwner, podOwnerOf, pods, selectorText } from '../../../shared/kubernetes/pods.ts';

const AT = '2026-11-21T10:00:00Z';
const now = fromTimestamp(AT) ?? 0;
const unschedulableSince = (lastTransitionTime: string | null) => ({
  conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', lastTransitionTime }],
});

interface Given {
  readonly name: string;
  readonly of?: string;
  readonly hash?: string;
  readonly created?: string;
  readonly meta?: object;
  readonly status?: object;
}

/** A pod that has waited for a node since 09:50. */
function pod({ name, of = 'web', hash = '6d4', created = '2026-11-21T09:50:00Z', meta = {}, status }: Given): Pod {
  return pods.parse({
    metadata: {
      name,
      namespace: 'shop',
      uid: name,
      resourceVersion: '1',
      creationTimestamp: created,
      labels: { app: 'web', 'pod-template-hash': hash },
      ownerReferences: [
        { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: `${of}-${hash}`, uid: 'r', controller: true },
      ],
      ...meta,
    },
    status: status ?? unschedulableSince('2026-11-21T09:50:00Z'),
  });
}

const web = { kind: 'Deployment', name: 'web', replicas: 5, firstOrdinal: 0 };
const count = (found: readonly Pod[], seconds = 300): number => countUnschedulable(web, found, { now, seconds });

/** As the API server of the hub sends it. */
function ownerOf(kind: string, spec: object): PodOwner {
  const apiVersion = kind === 'Job' ? 'batch/v1' : 'apps/v1';
  const owner = podOwnerOf({ apiVersion, kind });
  if (owner === undefined) throw new Error(`no pods are counted of ${kind}`);
  return owner.parse({ metadata: { name: 'web' }, spec });
}

describe('replicas that no node takes', () => {
  it('are the pods that have been unschedulable for longer than the threshold', () => {
    const found = [
      pod({ name: 'long' }),
      pod({ name: 'just', status: unschedulableSince('2026-11-21T09:55:01Z') }),
      pod({ name: 'exactly', status: unschedulableSince('2026-11-21T09:55:00Z') }),
      pod({ name: 'ever', status: unschedulableSince(null) }),
    ];
    expect(count(found)).toBe(2);
    expect(count(found, 298)).toBe(4);
    expect(count(found, 86_400)).toBe(1);
    expect(count([])).toBe(0);
  });

  it.each([
    ['has a node', { conditions: [{ type: 'PodScheduled', status: 'True' }] }],
    ['waits for a gate', { conditions: [{ type: 'PodScheduled', status: 'False', reason: 'SchedulingGated' }] }],
    ['is new', {}],
    ['is not ready', { conditions: [{ type: 'Ready', status: 'False', reason: 'Unschedulable' }] }],
  ])('are not one that %s', (_, status) => {
    expect(count([pod({ name: 'it', status })])).toBe(0);
  });

  it('are not one that is being deleted: it is on its way out', () => {
    expect(count([pod({ name: 'it', meta: { deletionTimestamp: AT } })])).toBe(0);
  });

  it('are no pods of another workload that carry the same labels', () => {
    const others = [
      pod({ name: 'canary', of: 'web-canary', hash: '77f' }),
      // Its ReplicaSet would be called web-77f if "web" were its Deployment.
      pod({ name: 'nested', of: 'web-6d4', hash: '77f' }),
      pod({ name: 'bare', meta: { ownerReferences: [] } }),
      pod({ name: 'job', meta: { ownerReferences: [{ kind: 'Job', name: 'web-6d4', controller: true }] } }),
      pod({ name: 'visitor', meta: { ownerReferences: [{ kind: 'ReplicaSet', name: 'web-6d4' }] } }),
      pod({ name: 'unlabelled', meta: { labels: { app: 'web' } } }),
      // Nor is it one where its ReplicaSet is called as if the label were there, and empty of sense.
      pod({ name: 'odd', hash: 'undefined', meta: { labels: { app: 'web' } } }),
    ];
    expect(count(others)).toBe(0);
    expect(count([...others, pod({ name: 'own' })])).toBe(1);
  });

  it('are those of the version that is being rolled out, and not of the one that goes', () => {
    const old = ['a', 'b'].map((name) => pod({ name, hash: 'old' }));
    const next = ['c', 'd', 'e'].map((name) => pod({ name, hash: 'new', created: '2026-11-21T09:51:00Z' }));
    expect(count([...next, ...old])).toBe(3);
    expect(count([...old, ...next])).toBe(3);
  });

  it('are those of the later name where the pods of two versions were made in one second', () => {
    const found = [pod({ name: 'a', hash: 'one' }), pod({ name: 'b', hash: 'one' }), pod({ name: 'c', hash: 'two' })];
    expect(count(found)).toBe(1);
    expect(count([...found].reverse())).toBe(1);
  });

  it('are those of the newer pods, whatever their names', () => {
    const newer = { hash: 'new', created: '2026-11-21T09:51:00Z' };
    const found = [pod({ name: 'z', hash: 'old' }), pod({ name: 'a', ...newer }), pod({ name: 'b', ...newer })];
    expect(count(found)).toBe(2);
    expect(count([...found].reverse())).toBe(2);
  });

  it('are those of the old version again after a rollback made new pods of it', () => {
    const found = [
      pod({ name: 'a', hash: 'old', created: '2026-11-21T09:52:00Z' }),
      pod({ name: 'b', hash: 'new', created: '2026-11-21T09:51:00Z' }),
      pod({ name: 'c', hash: 'new', created: '2026-11-21T09:51:00Z' }),
    ];
    expect(count(found)).toBe(1);
  });
});

describe('a pod', () => {
  const metadata = { name: 'a', namespace: 'shop', uid: 'u', resourceVersion: '1', creationTimestamp: AT };

  it('has defaults for all that counting reads and a hub leaves out', () => {
    const { metadata: read, status } = pods.parse({ metadata });
    expect({ labels: read.labels, owners: read.ownerReferences, status }).toEqual({
      labels: {},
      owners: [],
      status: { conditions: [] },
    });
    const some = { metadata, status: { conditions: [{ type: 'Ready', status: 'True' }] } };
    expect(pods.parse(some).status.conditions).toEqual([{ type: 'Ready', status: 'True', reason: '' }]);
    expect(pods.parse({ metadata, status: {} }).status.conditions).toEqual([]);
    const owned = { ...metadata, ownerReferences: [{ kind: 'Job', name: 'a' }] };
    expect(pods.parse({ metadata: owned }).metadata.ownerReferences).toEqual([
      { kind: 'Job', name: 'a', controller: false },
    ]);
  });

  it('that can not be read is named', () => {
    expect(() => pods.parse({ metadata, status: 1 })).toThrow('pod a cannot be read: status');
  });
});

describe("a Deployment's selector", () => {
  it('may have neither labels nor expressions, and an expression no values', () => {
    const parse = (selector: object) => ownerOf('Deployment', { selector }).selector;
    expect(parse({})).toEqual({ matchLabels: {}, matchExpressions: [] });
    expect(parse({ matchExpressions: [{ key: 'a', operator: 'Exists' }] }).matchExpressions).toEqual([
      { key: 'a', operator: 'Exists', values: [] },
    ]);
  });

  it('is asked for as the API takes it', () => {
    const { selector } = ownerOf('Deployment', {
      selector: {
        matchLabels: { app: 'web', 'example.com/tier': 'front' },
        matchExpressions: [
          { key: 'track', operator: 'In', values: ['stable', 'next'] },
          { key: 'zone', operator: 'NotIn', values: ['z'] },
          { key: 'team', operator: 'Exists' },
          { key: 'canary', operator: 'DoesNotExist' },
        ],
      },
    });
    expect(selectorText(selector)).toBe(
      'app=web,example.com/tier=front,track in (stable,next),zone notin (z),team,!canary',
    );
  });

  it('with an unknown operator is rejected', () => {
    const spec = { selector: { matchExpressions: [{ key: 'a', operator: 'Near', values: [] }] } };
    expect(() => ownerOf('Deployment', spec)).toThrow(
      'deployment web cannot be read: spec.selector.matchExpressions.0.operator',
    );
  });
});

describe("a StatefulSet's replicas that no node takes", () => {
  const RUNNING = { conditions: [{ type: 'PodScheduled', status: 'True' }] };
  const ownerReferences = [{ kind: 'StatefulSet', name: 'db', controller: true }];
  /** `p`: pending, `r`: running, `d`: being deleted, `-`: not created. */
  const podsOf = (states: string, first = 0): readonly Pod[] =>
    [...states].flatMap((state, index) => {
      if (state === '-') return [];
      const meta = { labels: { app: 'db' }, ownerReferences, ...(state === 'd' && { deletionTimestamp: AT }) };
      return [pod({ name: `db-${first + index}`, meta, ...(state === 'r' && { status: RUNNING }) })];
    });
  const countOf = (states: string, { replicas = states.length, firstOrdinal = 0 } = {}) =>
    countUnschedulable({ kind: 'StatefulSet', name: 'db', replicas, firstOrdinal }, podsOf(states, firstOrdinal), {
      now,
      seconds: 300,
    });

  it.each([
    ['the highest ordinals', 'rrppp', 3],
    ['one that waits, and those that are not created because it waits', 'rrp--', 3],
    ['none below one that runs', 'rpprr', 0],
    ['only those above the highest that runs', 'rprp', 1],
    ['none that are being deleted, and none below', 'rpd', 0],
    ['none that are only not created yet', 'rr---', 0],
    ['all of them', 'ppp', 3],
    ['none if there is none', '', 0],
  ])('are %s', (_, states, expected) => {
    expect(countOf(states)).toBe(expected);
  });

  it('begin at its first ordinal, and end at the assigned replicas', () => {
    expect(countOf('rrpp', { firstOrdinal: 7 })).toBe(2);
    // Pod 3 is beyond the three that are assigned, and about to be removed.
    expect(countOf('rrpp', { replicas: 3 })).toBe(1);
  });

  it('are no pods that another controller owns', () => {
    const other = [{ kind: 'StatefulSet', name: 'db-1', controller: true }];
    const found = [...podsOf('r'), pod({ name: 'db-1', meta: { ownerReferences: other } })];
    const db = { kind: 'StatefulSet', name: 'db', replicas: 2, firstOrdinal: 0 };
    expect(countUnschedulable(db, found, { now, seconds: 300 })).toBe(0);
  });
});

describe("a Job's replicas that no node takes", () => {
  it('are its pending pods, and no pods of another Job', () => {
    const owned = (name: string, of: string) =>
      pod({ name, meta: { labels: {}, ownerReferences: [{ kind: 'Job', name: of, controller: true }] } });
    const found = [owned('a', 'batch'), owned('b', 'batch'), owned('c', 'batch-2'), pod({ name: 'd' })];
    const batch = { kind: 'Job', name: 'batch', replicas: 5, firstOrdinal: 0 };
    expect(countUnschedulable(batch, found, { now, seconds: 300 })).toBe(2);
  });
});

describe('a workload on the hub whose pods are counted', () => {
  const selector = { matchLabels: { app: 'web' } };
  const whole = { ...selector, matchExpressions: [] };

  it.each<[string, string, object, PodOwner]>([
    ['a Deployment', 'Deployment', { selector }, { selector: whole, firstOrdinal: 0 }],
    ['a StatefulSet', 'StatefulSet', { selector }, { selector: whole, firstOrdinal: 0 }],
    [
      'a StatefulSet with a first ordinal',
      'StatefulSet',
      { selector, ordinals: { start: 3 }, volumeClaimTemplates: [] },
      { selector: whole, firstOrdinal: 3 },
    ],
    [
      'a StatefulSet with volume claims, whose replicas stay',
      'StatefulSet',
      { selector, volumeClaimTemplates: [{}] },
      { selector: whole, firstOrdinal: 0, bound: 'its volume claims stay in their cluster' },
    ],
    [
      'a Job by its name, because its selector has the uid of the hub',
      'Job',
      { selector: { matchLabels: { 'batch.kubernetes.io/controller-uid': 'on-the-hub' } }, parallelism: 5 },
      { selector: { matchLabels: { 'batch.kubernetes.io/job-name': 'web' }, matchExpressions: [] }, firstOrdinal: 0 },
    ],
    [
      'a Job with completions, whose replicas stay',
      'Job',
      { completions: 20 },
      {
        selector: { matchLabels: { 'batch.kubernetes.io/job-name': 'web' }, matchExpressions: [] },
        firstOrdinal: 0,
        bound: "its completions in a cluster can't be changed",
      },
    ],
  ])('is %s', (_, kind, spec, expected) => {
    expect(ownerOf(kind, spec)).toEqual(expected);
  });
});
