/** Admission policies on the practice hub: which writes their expressions are evaluated on, and the result of invalid expressions. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { applyManifests } from '../../local/practice-hub/apply-manifests.ts';
import { type ApiStore, createObjectStore } from '../../local/practice-hub/store/object-store.ts';
import type { KubeObject } from '../../local/practice-hub/store/objects.ts';
import { admissionPolicy } from '../../shared/manifests/admission.ts';
import { parseTarget } from '../../shared/manifests/target.ts';
import { user } from '../fakes/practice-fleet.ts';

const GROUP = 'admissionregistration.k8s.io';
const addLabel = (name: string, value: string) =>
  `JSONPatch{op: "add", path: "/metadata/labels/${name}", value: ${value}}`;

interface Given {
  readonly name?: string;
  readonly expression?: string;
  readonly resources?: readonly string[];
  readonly spec?: object;
}

function mutating({ name = 'labels', expression, resources = ['workloadrebalancers'], spec = {} }: Given) {
  const rules = [{ apiGroups: ['apps.karmada.io'], apiVersions: ['*'], operations: ['CREATE', 'UPDATE'], resources }];
  return {
    apiVersion: `${GROUP}/v1beta1`,
    kind: 'MutatingAdmissionPolicy',
    metadata: { name },
    spec: {
      matchConstraints: { resourceRules: rules },
      mutations: [
        {
          patchType: 'JSONPatch',
          jsonPatch: { expression: expression ?? `[${addLabel('by', 'request.userInfo.username')}]` },
        },
      ],
      ...spec,
    },
  };
}

function bound(policyName: string): object {
  const kind = 'MutatingAdmissionPolicyBinding';
  return { apiVersion: `${GROUP}/v1beta1`, kind, metadata: { name: policyName }, spec: { policyName } };
}

function storeWith(...policies: readonly object[]): ApiStore {
  const store = createObjectStore({ now: () => 0, newUid: randomUUID });
  applyManifests(
    store,
    policies.map((object) => ({ object })),
    user,
  );
  return store;
}

function put(policy: Given): ApiStore {
  const object = mutating(policy);
  return storeWith(object, bound(object.metadata.name));
}

const workloads = [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'web', namespace: 'shop' }];
const rebalancer = (name: string, labels: object = { a: '1' }, spec: object = {}) => ({
  apiVersion: 'apps.karmada.io/v1alpha1',
  kind: 'WorkloadRebalancer',
  metadata: { name, labels },
  spec: { workloads, ...spec },
});
const create = (store: ApiStore, object = rebalancer('a')) => store.create('workloadrebalancers', object, user);
const merge = (store: ApiStore, body: object, subresource?: 'status') =>
  store.patch(
    'workloadrebalancers',
    { namespace: '', name: 'a' },
    { type: 'merge', body, ...(subresource && { subresource }) },
    user,
  );
const labelsOf = ({ metadata }: KubeObject) => metadata.labels;

describe('a mutating policy on the practice hub', () => {
  it('mutates creates and updates, and knows the user of the write', () => {
    const store = put({});
    expect(labelsOf(create(store))).toEqual({ a: '1', by: 'a-user' });
    const other = { username: 'another', manager: 'x' };
    const body = { spec: { ttlSecondsAfterFinished: 3 } };
    const patched = store.patch('workloadrebalancers', { namespace: '', name: 'a' }, { type: 'merge', body }, other);
    expect(labelsOf(patched)).toEqual({ a: '1', by: 'another' });
  });

  it('creates no new version for a write that changes nothing, also if the policy reverts the change', () => {
    const store = put({});
    const made = create(store);
    expect(merge(store, { spec: {} })).toBe(made);
    expect(merge(store, { metadata: { labels: { by: null } } })).toBe(made);
  });

  it('ignores statuses, other kinds, and all writes until a binding exists', () => {
    const store = storeWith(mutating({}));
    const made = create(store);
    expect(labelsOf(made)).toEqual({ a: '1' });
    store.create('mutatingadmissionpolicybindings', bound('labels'), user);
    expect(labelsOf(merge(store, { status: { observedGeneration: 1 } }, 'status'))).toEqual({ a: '1' });
    const namespace = store.create('namespaces', { metadata: { name: 'shop' } }, user);
    expect(labelsOf(namespace)).toEqual({ 'kubernetes.io/metadata.name': 'shop' });
    store.delete('mutatingadmissionpolicybindings', { namespace: '', name: 'labels' }, user);
    expect(labelsOf(merge(store, { spec: { ttlSecondsAfterFinished: 1 } }))).toEqual({ a: '1' });
  });

  it('sees the changes of policies that precede it by name', () => {
    const first = mutating({ name: 'a-first', expression: `[${addLabel('x', '"1"')}]` });
    const second = mutating({ name: 'b-second', expression: `[${addLabel('y', 'object.metadata.labels.x + "2"')}]` });
    const store = storeWith(second, first, bound('b-second'), bound('a-first'));
    expect(labelsOf(create(store))).toEqual({ a: '1', x: '1', y: '12' });
  });

  it('applies its new expression after an update', () => {
    const store = put({});
    const value = mutating({ expression: `[${addLabel('by', '"policy"')}]` }).spec;
    const body = [{ op: 'replace', path: '/spec', value }];
    store.patch('mutatingadmissionpolicies', { namespace: '', name: 'labels' }, { type: 'json', body }, user);
    expect(labelsOf(create(store))).toEqual({ a: '1', by: 'policy' });
  });

  it('is skipped if a match condition is false', () => {
    const conditions = [
      { name: 'b', expression: `"b" in object.metadata.labels` },
      { name: 'c', expression: `"c" in object.metadata.labels` },
    ];
    const store = put({ spec: { matchConditions: conditions } });
    expect(labelsOf(create(store, rebalancer('one', { b: '1' })))).toEqual({ b: '1' });
    expect(labelsOf(create(store, rebalancer('two', { b: '1', c: '1' })))).toMatchObject({ by: 'a-user' });
  });

  const broken = `[${addLabel('x', 'object.spec.absent')}]`;
  it('admits a write that it cannot be evaluated on with failurePolicy Ignore', () => {
    const store = put({ expression: broken, spec: { failurePolicy: 'Ignore' } });
    expect(labelsOf(create(store))).toEqual({ a: '1' });
  });

  it('rejects such a write with 500 with failurePolicy Fail, which is the default', () => {
    const rejection = { code: 500, reason: 'InternalError' };
    expect(() => create(put({ expression: broken }))).toThrow(expect.objectContaining(rejection));
    const elsewhere = put({ expression: '[JSONPatch{op: "remove", path: "/spec/absent"}]' });
    expect(() => create(elsewhere)).toThrow(expect.objectContaining(rejection));
  });

  it('may add unknown fields, which are pruned, and none that the schema forbids', () => {
    const add = (field: string, value: string) => `[JSONPatch{op: "add", path: "/spec/${field}", value: ${value}}]`;
    expect(create(put({ expression: add('unknown', '1') })).spec).toEqual({ workloads });
    const wrong = put({ expression: add('ttlSecondsAfterFinished', '"soon"') });
    expect(() => create(wrong)).toThrow('spec.ttlSecondsAfterFinished');
  });

  it.each<[string, Given, string]>([
    [
      'an expression that does not parse',
      { expression: '[JSONPatch{op: "add"' },
      'spec.mutations[0].jsonPatch.expression',
    ],
    ['an unknown variable', { expression: '[nothing]' }, 'Unknown variable: nothing'],
    [
      'an invalid condition',
      { spec: { matchConditions: [{ name: 'a', expression: '1 +' }] } },
      'spec.matchConditions[0]',
    ],
    ['an unsupported patch type', { spec: { mutations: [{ patchType: 'ApplyConfiguration' }] } }, 'spec.mutations.0'],
    [
      'parameters',
      { spec: { paramKind: { kind: 'ConfigMap' } } },
      'spec.paramKind: Invalid value: the practice hub does not',
    ],
    [
      'a selector',
      { spec: { matchConstraints: { resourceRules: [], objectSelector: { matchLabels: { a: 'b' } } } } },
      'spec.matchConstraints.objectSelector',
    ],
  ])('is rejected with %s', (_, policy, message) => {
    expect(() => put(policy)).toThrow(message);
  });
});

describe('a validating policy on the practice hub', () => {
  const target = parseTarget({ hub: 'practice', account: 'evenkeel/evenkeel', url: 'https://hook.example.com' });

  it('rejects the same writes with the same messages as the shipped policy on a real hub', () => {
    const store = storeWith(...admissionPolicy(target).map(({ object }) => object));
    const rejected = rebalancer('a', {}, { ttlSecondsAfterFinished: -1 });
    const rejection = {
      code: 422,
      reason: 'Invalid',
      message:
        `workloadrebalancers.apps.karmada.io "a" is forbidden: ValidatingAdmissionPolicy 'evenkeel-workloadrebalancers' ` +
        `with binding 'evenkeel-workloadrebalancers' denied request: spec.ttlSecondsAfterFinished is -1; write the seconds to keep a ` +
        'finished rebalancer for, 0 to delete it at once, or leave it out to keep it',
    };
    expect(() => create(store, rejected)).toThrow(expect.objectContaining(rejection));
    expect(create(store).metadata.name).toBe('a');
    expect(() => merge(store, { spec: { ttlSecondsAfterFinished: -2 } })).toThrow('ttlSecondsAfterFinished is -2');
  });
});
