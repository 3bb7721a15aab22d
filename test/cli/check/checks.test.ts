import { describe, expect, it } from 'vitest';
import { checkClockSkew } from '../../../cli/check/check-connection.ts';
import { checkKinds, clusterManagementKinds, elasticKinds, karmadaKinds } from '../../../cli/check/check-kinds.ts';
import { checkPermissions, rightsOf } from '../../../cli/check/check-permissions.ts';
import { type ComparedObject, checkPart, difference } from '../../../cli/check/compare-manifests.ts';
import type { HubAccess } from '../../../shared/bus/functions.ts';
import type { HubFeatures } from '../../../shared/kubernetes/hub-features.ts';

const noon = Date.parse('2026-11-21T12:00:00Z');

describe('the clock of a hub', () => {
  const at = (serverTime: number | undefined) => checkClockSkew({ sent: noon, received: noon + 200, serverTime });

  it.each([0, 1, -1, 5, -5])('may differ by %i s, in whole seconds', (seconds) => {
    expect(at(noon + seconds * 1000).state).toBe('ok');
  });

  it.each([
    [9, "the hub's clock is 9 s ahead of this machine's (2026-11-21T12:00:09Z)"],
    [-61, "the hub's clock is 60 s behind this machine's (2026-11-21T11:58:59Z)"],
  ])('that differs by %i s is reported as a warning', (seconds, what) => {
    expect(at(noon + seconds * 1000)).toMatchObject({ state: 'warn', what });
  });

  it('that cannot be read is not a failure', () => {
    expect(at(undefined).state).toBe('warn');
  });
});

describe('the kinds of a hub', () => {
  const apply = (part: string) => `apply ${part}`;
  const statesOf = (served: readonly object[], features: HubFeatures = {}) =>
    checkKinds(new Set(served) as never, features, apply).map(({ state, about }) => `${state} ${about}`);

  it('of Karmada are required by default', () => {
    expect(statesOf(karmadaKinds)).toEqual(['ok Karmada']);
    expect(statesOf([])).toEqual(['fail Karmada']);
  });

  it('of Open Cluster Management are required for ElasticWorkloads, without those of Karmada', () => {
    const served = [...clusterManagementKinds, ...elasticKinds];
    expect(statesOf(served, { elasticWorkloads: true })).toEqual(['ok OCM', 'ok ElasticWorkload']);
    expect(statesOf(clusterManagementKinds, { elasticWorkloads: true })).toEqual(['ok OCM', 'fail ElasticWorkload']);
  });

  it('of both projects are accepted together', () => {
    const served = [...karmadaKinds, ...clusterManagementKinds, ...elasticKinds];
    expect(statesOf(served, { elasticWorkloads: true })).toEqual(['ok Karmada', 'ok OCM', 'ok ElasticWorkload']);
  });

  it('that are missing are listed, and ours with the command that installs them', () => {
    const [first] = checkKinds(new Set(karmadaKinds.slice(1)), {}, apply);
    expect(first?.what).toBe('does not serve resourcebindings.work.karmada.io');
    const [, policies] = checkKinds(new Set(karmadaKinds), { policies: true }, apply);
    expect(policies).toMatchObject({
      state: 'fail',
      what: 'does not serve rebalancepolicies.evenkeel.dev',
      mend: 'apply crd',
    });
  });
});

describe('the permissions of an account', () => {
  const account = { namespace: 'evenkeel', name: 'evenkeel' };
  const accesses: readonly HubAccess[] = [
    { group: 'apps', resource: 'deployments', verbs: ['get', 'list'] },
    { group: 'apps', resource: 'deployments', verbs: ['get'] },
    { group: 'apps.karmada.io', resource: 'workloadrebalancers/status', verbs: ['patch'] },
    { group: '', resource: 'serviceaccounts/token', verbs: ['create'], ofOwnAccount: true },
  ];
  const rights = rightsOf(accesses, account);

  it('are reviewed once each, with subresources joined to their resource, and for the own account by its name', () => {
    const everywhere = { namespace: '', name: '' };
    const rebalancer = { group: 'apps.karmada.io', resource: 'workloadrebalancers', subresource: 'status' };
    expect(rights).toEqual([
      { group: 'apps', resource: 'deployments', subresource: '', verb: 'get', ...everywhere },
      { group: 'apps', resource: 'deployments', subresource: '', verb: 'list', ...everywhere },
      { ...rebalancer, verb: 'patch', ...everywhere },
      { group: '', resource: 'serviceaccounts', subresource: 'token', verb: 'create', ...account },
    ]);
  });

  const evaluated = (denied: readonly (typeof rights)[number][]) =>
    checkPermissions({ rights, denied, user: 'ours', mend: 'apply rbac' }).map(({ state, what }) => `${state} ${what}`);

  it('are listed one resource per line if some are denied, and in one line if all or none are', () => {
    expect(evaluated([])).toEqual(['ok ours may do all 4 things that the functions do']);
    expect(evaluated(rights.slice(1, 3))).toEqual([
      'fail ours may not list deployments.apps',
      'fail ours may not patch workloadrebalancers/status.apps.karmada.io',
    ]);
    expect(evaluated(rights)).toEqual(['fail ours may do none of the 4 things that the functions do']);
  });
});

describe('the comparison of an object on the hub with the printed manifest', () => {
  it.each<[string, unknown, unknown, string | undefined]>([
    ['ignores fields that the server defaulted', { a: 1 }, { a: 1, b: 2 }, undefined],
    ['finds another value', { a: { b: 1 } }, { a: { b: 2 } }, 'a.b'],
    ['finds a missing value', { a: { b: 1 } }, { a: {} }, 'a.b'],
    ['finds a longer list', { a: [1] }, { a: [1, 2] }, 'a'],
    ['finds another value within a list', { a: [{ b: 1 }, { b: 2 }] }, { a: [{ b: 1 }, { b: 3 }] }, 'a[1].b'],
    ['ignores fields printed as undefined', { a: undefined }, {}, undefined],
    ['finds another type', { a: { b: 1 } }, { a: null }, 'a'],
  ])('%s', (_, printed, there, path) => {
    expect(difference(printed, there)).toBe(path);
  });
});

describe('the check of a part of the hub manifests', () => {
  const compared = (...states: readonly Exclude<ComparedObject['is'], 'different'>[]): readonly ComparedObject[] =>
    states.map((is, i) => ({ is, name: `Policy p${i}` }));
  const part = { part: 'hold-policy', does: 'holds replicas', needed: true };
  const apply = (name: string) => `apply ${name}`;
  const findingOf = (objects: readonly ComparedObject[], more: object = {}) =>
    checkPart({ ...part, objects, ...more }, apply);

  const instead = (is: 'same' | 'missing') => ({ instead: { part: 'hold-webhook', objects: compared(is) } });
  const changed: readonly ComparedObject[] = [{ is: 'different', name: 'Policy p0', path: 'spec.failurePolicy' }];

  it.each<[string, readonly ComparedObject[], object, object]>([
    ['succeeds if its objects match', compared('same', 'same'), {}, { state: 'ok' }],
    [
      'fails if a required part is missing',
      compared('missing', 'missing'),
      {},
      { state: 'fail', mend: 'apply hold-policy' },
    ],
    ['warns if an optional part is missing', compared('missing', 'missing'), { needed: false }, { state: 'warn' }],
    ['names the missing object', compared('same', 'missing'), {}, { state: 'fail', what: 'lacks Policy p1' }],
    [
      'succeeds with the alternative part',
      compared('unserved', 'unserved'),
      instead('same'),
      { state: 'ok', about: 'hold-webhook' },
    ],
    [
      'recommends the alternative part if the hub does not serve the kinds of the first',
      compared('unserved'),
      instead('missing'),
      { state: 'fail', mend: 'apply hold-webhook' },
    ],
    [
      'succeeds if the hub does not serve the kinds of an optional part without an alternative',
      compared('unserved'),
      { needed: false },
      { state: 'ok' },
    ],
    [
      'warns about a changed object with the path of the difference',
      changed,
      {},
      { state: 'warn', what: 'Policy p0 differs from what is printed, at spec.failurePolicy' },
    ],
    [
      'warns about an object that must not be read',
      compared('unreadable', 'missing'),
      {},
      { state: 'warn', what: 'no permission to read Policy p0' },
    ],
  ])('%s', (_, objects, more, evaluated) => {
    expect(findingOf(objects, more)).toMatchObject(evaluated);
  });
});
