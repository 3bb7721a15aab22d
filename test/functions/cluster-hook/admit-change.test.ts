import { describe, expect, it } from 'vitest';
import { admitChanges, parseEventList } from '../../../functions/cluster-hook/admit-change.ts';

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
    const { events, admitted } = admitChanges('karmada', [event({ verb })]);
    expect(events).toEqual([
      { type: 'WorkloadRebalancerChanged', detail: { hub: 'karmada', name: 'demo', version: 1 } },
    ]);
    expect(admitted).toBe(1);
  });

  it.each([
    ['of another stage', event({ stage: 'RequestReceived' })],
    ['that only read', event({ verb: 'get' })],
    ['that was refused', event({ responseStatus: { code: 422 } })],
    ['without an answer', event({ responseStatus: {} })],
    ['of its status, which is our own writing', event({ verb: 'patch' }, { subresource: 'status' })],
    ['of another kind', event({}, { resource: 'deployments' })],
    ['of another group with that name', event({}, { apiGroup: 'example.io' })],
    ['of no object', event({ objectRef: undefined })],
  ])('not one %s', (_, item) => {
    expect(admitChanges('karmada', [item])).toEqual({ events: [], admitted: 0, ignored: 1, unreadable: 0 });
  });

  it('says a rebalancer once, however often it changed in one batch', () => {
    const { events, admitted } = admitChanges('karmada', [
      event(),
      event({ verb: 'patch' }),
      event({}, { name: 'other' }),
    ]);
    expect(events.map(({ detail }) => detail.name)).toEqual(['demo', 'other']);
    expect(admitted).toBe(3);
  });

  it.each([
    ['an event without a name (generateName)', event({}, { name: undefined })],
    ['a deletecollection', event({ verb: 'deletecollection' }, { name: undefined })],
  ])('makes %s a resync of the hub', (_, item) => {
    expect(admitChanges('karmada', [item]).events).toEqual([
      { type: 'ResyncDue', detail: { hub: 'karmada', version: 1 } },
    ]);
  });

  it('takes the rest of a batch in which an item is no audit event, and describes the first', () => {
    const admission = admitChanges('karmada', [
      event(),
      'poison',
      event({ verb: 7 }),
      event({}, { name: 'x'.repeat(254) }),
      null,
    ]);
    expect(admission).toMatchObject({ admitted: 1, ignored: 0, unreadable: 4 });
    expect(admission.firstUnreadable).toContain('items[1]');
  });

  it('ignores keys that would reach into every object', () => {
    const item = JSON.parse('{"__proto__":{"stage":"ResponseComplete"},"verb":"create"}') as unknown;
    expect(admitChanges('karmada', [item]).unreadable).toBe(1);
  });
});

describe('a body', () => {
  it('of an EventList gives its items', () => {
    expect(parseEventList(list([1, 2]))).toEqual([1, 2]);
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
  ])('%s is refused, with what to do', (_, body, says) => {
    expect(() => parseEventList(body)).toThrow(says);
  });
});
