import { describe, expect, it } from 'vitest';
import { admitChanges, parseEventList } from '../../../functions/cluster-hook/admit-change.ts';
import { RecentAudits } from '../../../functions/cluster-hook/recent-audits.ts';

const hub = 'karmada';

function event(over: Record<string, unknown> = {}, ref: Record<string, unknown> = {}) {
  return {
    level: 'Metadata',
    auditID: 'a-1',
    stage: 'ResponseComplete',
    verb: 'create',
    user: { username: 'admin' },
    objectRef: {
      resource: 'workloadrebalancers',
      apiGroup: 'apps.karmada.io',
      apiVersion: 'v1alpha1',
      name: 'demo',
      ...ref,
    },
    responseStatus: { code: 201 },
    ...over,
  };
}

function list(items: unknown[], over: object = {}): string {
  return JSON.stringify({ kind: 'EventList', apiVersion: 'audit.k8s.io/v1', items, ...over });
}

describe('which audit events concern us', () => {
  it.each(['create', 'update', 'patch', 'delete'])('a %s of a WorkloadRebalancer that went through', (verb) => {
    const { events, counts } = admitChanges({ hub }, [event({ verb })]);
    expect(events).toEqual([
      { type: 'WorkloadRebalancerChanged', detail: { hub: 'karmada', name: 'demo', version: 1 } },
    ]);
    expect(counts.admitted).toBe(1);
  });

  it.each([
    ['of another stage', event({ stage: 'RequestReceived' })],
    ['that only read', event({ verb: 'get' })],
    ['that was rejected', event({ responseStatus: { code: 422 } })],
    ['without an answer', event({ responseStatus: {} })],
    ['of its status, which is our own writing', event({ verb: 'patch' }, { subresource: 'status' })],
    ['of another kind', event({}, { resource: 'deployments' })],
    ['of another group with that name', event({}, { apiGroup: 'example.io' })],
    ['of no object', event({ objectRef: undefined })],
  ])('not one %s', (_, item) => {
    expect(admitChanges({ hub }, [item])).toEqual({
      events: [],
      counts: { admitted: 0, ignored: 1, own: 0, repeated: 0, unreadable: 0 },
      keys: new Set(),
    });
  });

  it('those of bindings, by namespace and name, whenever a hub sends them', () => {
    const ref = { apiGroup: 'work.karmada.io', resource: 'resourcebindings', name: 'web-deployment' };
    const items = ['shop', 'test'].map((namespace) => event({ auditID: namespace }, { ...ref, namespace }));
    const clusterWide = event({ auditID: 'c' }, { ...ref, resource: 'clusterresourcebindings', name: 'r-clusterrole' });
    const { events } = admitChanges({ hub, account: 'us' }, [...items, clusterWide]);
    expect(events.map(({ type, detail: { namespace, name } }) => `${type} ${namespace}/${name}`)).toEqual([
      'BindingChanged shop/web-deployment',
      'BindingChanged test/web-deployment',
      'BindingChanged /r-clusterrole',
    ]);
  });

  it('skips our own binding writes, and reports only the status writes that a function waits for', () => {
    const ref = {
      apiGroup: 'work.karmada.io',
      resource: 'resourcebindings',
      namespace: 'shop',
      name: 'web-deployment',
    };
    const ours = event({ auditID: 'o', verb: 'patch', user: { username: 'us' } }, ref);
    const status = event({ auditID: 's', verb: 'patch' }, { ...ref, subresource: 'status' });
    const other = event({ auditID: 't', verb: 'patch' }, { subresource: 'status' });
    expect(admitChanges({ hub, account: 'us' }, [ours, status, other])).toMatchObject({
      events: [{ type: 'BindingStatusChanged', detail: { namespace: 'shop', name: 'web-deployment' } }],
      counts: { admitted: 1, own: 1, ignored: 1 },
    });
  });

  it('publishes one event for a rebalancer that changed several times in a batch', () => {
    const { events, counts } = admitChanges({ hub }, [event(), event({ verb: 'patch' }), event({}, { name: 'other' })]);
    expect(events.map(({ detail }) => detail.name)).toEqual(['demo', 'other']);
    expect(counts.admitted).toBe(3);
  });

  it('publishes one event for the scores of a thousand clusters, and one for each of two decisions', () => {
    const ofStatus = (resource: string, namespace: string, name: string) =>
      event(
        { auditID: `${resource} ${namespace} ${name}`, verb: 'patch' },
        { apiGroup: 'cluster.open-cluster-management.io', resource, namespace, name, subresource: 'status' },
      );
    const scores = Array.from({ length: 1000 }, (_, i) => ofStatus('addonplacementscores', `c${i}`, 'prices'));
    const decisions = ['all-decision-1', 'all-decision-2'].map((name) => ofStatus('placementdecisions', 'shop', name));
    const { events, counts } = admitChanges({ hub }, [...scores, ...decisions]);
    expect(events.map(({ type, detail: { resourceName, name } }) => [type, resourceName ?? name])).toEqual([
      ['AddOnPlacementScoreChanged', 'prices'],
      ['PlacementDecisionChanged', 'all-decision-1'],
      ['PlacementDecisionChanged', 'all-decision-2'],
    ]);
    expect(counts.admitted).toBe(1002);
  });

  it.each([
    ['an event without a name (generateName)', event({}, { name: undefined })],
    ['a deletecollection', event({ verb: 'deletecollection' }, { name: undefined })],
  ])('makes %s a resync of the hub', (_, item) => {
    expect(admitChanges({ hub }, [item]).events).toEqual([
      { type: 'ResyncDue', detail: { hub: 'karmada', version: 1 } },
    ]);
  });

  it('takes the rest of a batch in which an item is no audit event, and describes the first', () => {
    const { counts } = admitChanges({ hub }, [
      event(),
      'poison',
      event({ verb: 7 }),
      event({}, { name: 'x'.repeat(254) }),
      null,
    ]);
    expect(counts).toMatchObject({ admitted: 1, ignored: 0, unreadable: 4 });
    expect(counts.firstUnreadable).toContain('items[1]');
  });

  it('ignores keys that would reach into every object', () => {
    const item = JSON.parse('{"__proto__":{"stage":"ResponseComplete"},"verb":"create"}') as unknown;
    expect(admitChanges({ hub }, [item]).counts.unreadable).toBe(1);
  });
});

describe('our own writes', () => {
  const account = 'system:serviceaccount:evenkeel:evenkeel';
  const ours = event({ verb: 'delete', user: { username: account } });

  it('are counted and not echoed into work', () => {
    expect(admitChanges({ hub, account }, [ours, event()])).toMatchObject({
      events: [{ detail: { name: 'demo' } }],
      counts: { admitted: 1, own: 1 },
    });
  });

  it.each([
    ['another user', event({ user: { username: 'admin' } })],
    ['a user who impersonates us', event({ user: { username: 'admin' }, impersonatedUser: { username: account } })],
    ['an unnamed user', event({ user: {} })],
    ['a user whose name begins as ours', event({ user: { username: `${account}-2` } })],
  ])('are not those of %s', (_, item) => {
    expect(admitChanges({ hub, account }, [item]).counts).toMatchObject({ admitted: 1, own: 0 });
  });

  it('are recognized only if the connection names our account', () => {
    expect(admitChanges({ hub }, [ours]).counts).toMatchObject({ admitted: 1, own: 0 });
  });
});

describe('an audit event that comes twice', () => {
  const at = '2026-11-21T10:00:00.000000Z';
  const once = event({ auditID: 'a-1', requestReceivedTimestamp: at });

  it('in one batch is taken once', () => {
    expect(admitChanges({ hub }, [once, once, once]).counts).toMatchObject({ admitted: 1, repeated: 2 });
  });

  it('publishes nothing again in a later batch', () => {
    const recent = new RecentAudits();
    recent.add(admitChanges({ hub, recent }, [once]).keys);
    expect(admitChanges({ hub, recent }, [once])).toMatchObject({ events: [], counts: { admitted: 0, repeated: 1 } });
  });

  it.each([
    ['another object', event({ auditID: 'a-1', requestReceivedTimestamp: at }, { name: 'other' })],
    ['another time', event({ auditID: 'a-1', requestReceivedTimestamp: '2026-11-21T10:00:01.000000Z' })],
    ['another verb', event({ auditID: 'a-1', requestReceivedTimestamp: at, verb: 'delete' })],
  ])('is not one of %s, though a client chose the same id for both', (_, other) => {
    expect(admitChanges({ hub }, [once, other]).counts).toMatchObject({ admitted: 2, repeated: 0 });
  });

  it.each([
    ['an id', event({ auditID: undefined, requestReceivedTimestamp: at })],
    ['a time', event({ auditID: 'a-1' })],
  ])('is admitted if it has no %s to identify it by', (_, item) => {
    expect(admitChanges({ hub }, [item, item]).counts).toMatchObject({ admitted: 2, repeated: 0 });
  });
});

describe('what is remembered', () => {
  const numbered = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => `key-${from + i}`);

  it('is the last 5,000 at least', () => {
    const recent = new RecentAudits();
    recent.add(numbered(0, 12_345));
    expect(numbered(12_345 - 5000, 12_345).filter((key) => !recent.has(key))).toEqual([]);
  });

  it('is 10,000 at most', () => {
    const recent = new RecentAudits();
    recent.add(numbered(0, 100_000));
    expect(numbered(0, 100_000).filter((key) => recent.has(key)).length).toBeLessThanOrEqual(10_000);
  });

  it('is no key that is larger than any hub would send', () => {
    const recent = new RecentAudits();
    recent.add(['x'.repeat(601), 'y'.repeat(600)]);
    expect([recent.has('x'.repeat(601)), recent.has('y'.repeat(600))]).toEqual([false, true]);
  });
});

describe('a body', () => {
  it('of an EventList gives its items', () => {
    expect(parseEventList(list([1, 2]))).toEqual([1, 2]);
  });

  it('rejects more items than a body of real events can hold, with the remedy', () => {
    expect(() => parseEventList(list(Array.from({ length: 20_001 }, () => 0)))).toThrow(
      'the body has 20001 items, at most 20000 are taken; lower --audit-webhook-batch-max-size',
    );
  });

  it.each([
    ['that is not JSON', '{', 'not JSON'],
    ['that is JSON of the wrong kind', list([], { kind: 'PodList' }), 'not an audit EventList'],
    ['that is an array', '[]', 'not an audit EventList'],
    ['without items', JSON.stringify({ kind: 'EventList', apiVersion: 'audit.k8s.io/v1' }), 'not an audit EventList'],
    [
      'of another API version',
      list([], { apiVersion: 'audit.k8s.io/v1beta1' }),
      '--audit-webhook-version=audit.k8s.io/v1',
    ],
  ])('rejects %s, with the remedy', (_, body, message) => {
    expect(() => parseEventList(body)).toThrow(message);
  });
});
