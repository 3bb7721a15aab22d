import { describe, expect, it } from 'vitest';
import {
  type Annotated,
  annotationsOf,
  clusterPropagationPolicies,
  namespaces,
  policyOf,
  propagationPolicies,
  readReschedulingPolicy,
  reschedulingWord,
  switchesOf,
  switchOf,
} from '../../../shared/karmada/rescheduling-policy.ts';
import { resourcePath } from '../../../shared/kubernetes/resource.ts';
import { DYNAMIC, placedBinding } from '../../placed-objects.ts';

const WORD = 'evenkeel.dev/rescheduling-policy';
const ofPolicy = { 'propagationpolicy.karmada.io/name': 'web', 'propagationpolicy.karmada.io/namespace': 'shop' };

describe('the components that request descheduling', () => {
  it.each([
    [undefined, 'Never'],
    [null, 'Never'],
    ['', 'Never'],
    ['Never', 'Never'],
    ['OnUnschedulable', 'OnUnschedulable'],
    ['OnUnscheduable', 'OnUnschedulable'],
    ['Always', undefined],
  ])('%j is parsed as %s', (word, policy) => {
    expect(readReschedulingPolicy(word)).toBe(policy);
  });

  const words = new Map([['shop/web', "the policy's"]]);
  const placed = (word: string) => ({ replicaScheduling: { ...DYNAMIC, reschedulingPolicy: word } });

  it.each<[string, object, object | null | undefined, string | undefined]>([
    ['its own annotation, before all', { ...ofPolicy, [WORD]: 'its own' }, placed('Never'), 'its own'],
    ['the field of its placement, then', ofPolicy, placed('Never'), 'Never'],
    ["its policy's annotation, last", ofPolicy, undefined, "the policy's"],
    ["its policy's, where its placement divides nothing", ofPolicy, {}, "the policy's"],
    ["its policy's, where it has no placement", ofPolicy, null, "the policy's"],
    [
      'none, if its policy has no annotation',
      { ...ofPolicy, 'propagationpolicy.karmada.io/name': 'other' },
      undefined,
      undefined,
    ],
    ['none, without a policy', {}, undefined, undefined],
  ])('%s', (_what, annotations, placement, word) => {
    const binding = placedBinding({ metadata: { annotations }, ...(placement !== undefined && { placement }) });
    expect(reschedulingWord(binding, words)).toBe(word);
  });

  it('is asked at the policy that Karmada wrote on the binding', () => {
    expect(policyOf(ofPolicy)).toEqual({ namespace: 'shop', name: 'web' });
    expect(policyOf({ 'propagationpolicy.karmada.io/name': 'web' })).toEqual({ namespace: '', name: 'web' });
    expect(policyOf({ 'clusterpropagationpolicy.karmada.io/name': 'all' })).toEqual({ namespace: '', name: 'all' });
    const both = {
      'clusterpropagationpolicy.karmada.io/name': 'all',
      'propagationpolicy.karmada.io/namespace': 'shop',
    };
    expect(policyOf(both)).toEqual({ namespace: '', name: 'all' });
    expect(policyOf({})).toBeUndefined();
  });
});

describe('the switch of a namespace', () => {
  it.each([
    [undefined, undefined, 'On'],
    ['On', 'On', 'On'],
    ['DryRun', undefined, 'DryRun'],
    [undefined, 'DryRun', 'DryRun'],
    ['Paused', 'DryRun', 'Paused'],
    ['DryRun', 'Paused', 'Paused'],
    ['On', 'stop it', 'Paused'],
    ['', undefined, 'Paused'],
  ])("with the hub's at %s and its own at %s is %s", (hub, own, position) => {
    const words = { ...(hub !== undefined && { 'karmada-system': hub }), ...(own !== undefined && { shop: own }) };
    expect(switchOf('shop', new Map(Object.entries({ ...words, other: 'Paused' })))).toBe(position);
  });
});

describe('annotations of many objects', () => {
  const all: readonly Annotated[] = [
    { key: { namespace: 'shop', name: 'web' }, annotations: { [WORD]: 'Never', x: '1' } },
    { key: { namespace: 'shop', name: 'api' }, annotations: { x: '2' } },
    { key: { namespace: '', name: 'all' }, annotations: { [WORD]: '' } },
  ];

  it('of policies are kept by namespace and name, where there is one', () => {
    expect([...annotationsOf(all)]).toEqual([
      ['shop/web', 'Never'],
      ['/all', ''],
    ]);
  });

  it('of namespaces are kept by name', () => {
    expect([...switchesOf(all, 'x')]).toEqual([
      ['web', '1'],
      ['api', '2'],
    ]);
  });

  it.each([
    [propagationPolicies, 'PropagationPolicy', '/apis/policy.karmada.io/v1alpha1/namespaces/shop/propagationpolicies'],
    [
      clusterPropagationPolicies,
      'ClusterPropagationPolicy',
      '/apis/policy.karmada.io/v1alpha1/clusterpropagationpolicies',
    ],
    [namespaces, 'Namespace', '/api/v1/namespaces'],
  ])('%# are read from where the kind is', (resource, kind, path) => {
    const metadata = {
      name: 'web',
      namespace: 'shop',
      uid: 'u',
      resourceVersion: '1',
      creationTimestamp: '2026-11-21T10:00:00Z',
    };
    expect(resource.parse({ metadata: { ...metadata, annotations: { a: 'b' } } })).toEqual({
      key: { namespace: 'shop', name: 'web' },
      annotations: { a: 'b' },
    });
    expect(resource.kind).toBe(kind);
    expect(() => resource.parse({})).toThrow(`${kind} (no name) cannot be read`);
    expect(resourcePath(resource, { namespace: 'shop' })).toBe(path);
  });
});
