import { describe, expect, it } from 'vitest';
import { checkClockSkew } from '../../../cli/check/check-connection.ts';
import { checkKinds, clusterManagementKinds, elasticKinds, karmadaKinds } from '../../../cli/check/check-kinds.ts';
import { type ComparedObject, checkPart } from '../../../cli/check/check-manifests.ts';
import { checkPermissions, rightsOf } from '../../../cli/check/check-permissions.ts';
import { difference } from '../../../cli/check/compare-objects.ts';
import type { HubAccess } from '../../../shared/functions.ts';
import type { HubFeatures } from '../../../shared/model/hub-features.ts';

const noon = Date.parse('2026-11-21T12:00:00Z');

describe('the clock of a hub', () => {
  const at = (serverTime: number | undefined) => checkClockSkew({ sent: noon, received: noon + 200, serverTime });

  it.each([0, 1, -1, 5, -5])('may be %i s off, in whole seconds', (seconds) => {
    expect(at(noon + seconds * 1000).state).toBe('ok');
  });

  it.each([
    [9, "the hub's clock is 9 s ahead of this machine's (2026-11-21T12:00:09Z)"],
    [-61, "the hub's clock is 60 s behind this machine's (2026-11-21T11:58:59Z)"],
  ])('that is %i s off is told', (seconds, what) => {
    expect(at(noon + seconds * 1000)).toMatchObject({ state: 'warn', what });
  });

  it('that nobody tells is no failure', () => {
    expect(at(undefined).state).toBe('warn');
  });
});

describe('the kinds of a hub', () => {
  const apply = (part: string) => `apply ${part}`;
  const told = (served: readonly object[], features: HubFeatures = {}) =>
    checkKinds(new Set(served) as never, features, apply).map(({ state, about }) => `${state} ${about}`);

  it("are Karmada's", () => {
    expect(told(karmadaKinds)).toEqual(['ok Karmada']);
    expect(told([])).toEqual(['fail Karmada']);
  });

  it("are those of Open Cluster Management where workloads are elastic, and Karmada's are not missed there", () => {
    const served = [...clusterManagementKinds, ...elasticKinds];
    expect(told(served, { elasticWorkloads: true })).toEqual(['ok OCM', 'ok ElasticWorkload']);
    expect(told(clusterManagementKinds, { elasticWorkloads: true })).toEqual(['ok OCM', 'fail ElasticWorkload']);
  });

  it('may be both', () => {
    const served = [...karmadaKinds, ...clusterManagementKinds, ...elasticKinds];
    expect(told(served, { elasticWorkloads: true })).toEqual(['ok Karmada', 'ok OCM', 'ok ElasticWorkload']);
  });

  it('are named where some of them are missing, and ours with the command that brings them', () => {
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

describe('the rights of an account', () => {
  const account = { namespace: 'evenkeel', name: 'evenkeel' };
  const accesses: readonly HubAccess[] = [
    { group: 'apps', resource: 'deployments', verbs: ['get', 'list'] },
    { group: 'apps', resource: 'deployments', verbs: ['get'] },
    { group: 'apps.karmada.io', resource: 'workloadrebalancers/status', verbs: ['patch'] },
    { group: '', resource: 'serviceaccounts/token', verbs: ['create'], ofOwnAccount: true },
  ];
  const rights = rightsOf(accesses, account);

  it('are asked about once each, a subresource as one, and of its own account by its name', () => {
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

  it('are told a resource a line where some are denied, in one where all or none are', () => {
    expect(evaluated([])).toEqual(['ok ours may do all 4 things that the functions do']);
    expect(evaluated(rights.slice(1, 3))).toEqual([
      'fail ours may not list deployments.apps',
      'fail ours may not patch workloadrebalancers/status.apps.karmada.io',
    ]);
    expect(evaluated(rights)).toEqual(['fail ours may do none of the 4 things that the functions do']);
  });
});

describe('an object on a hub', () => {
  it.each<[string, unknown, unknown, string | undefined]>([
    ['is as printed where the server has added its defaults', { a: 1 }, { a: 1, b: 2 }, undefined],
    ['differs at a value', { a: { b: 1 } }, { a: { b: 2 } }, 'a.b'],
    ['differs where a value is gone', { a: { b: 1 } }, { a: {} }, 'a.b'],
    ['differs in a list that is longer', { a: [1] }, { a: [1, 2] }, 'a'],
    ['differs within a list', { a: [{ b: 1 }, { b: 2 }] }, { a: [{ b: 1 }, { b: 3 }] }, 'a[1].b'],
    ['is not asked for what was printed as nothing', { a: undefined }, {}, undefined],
    ['differs where it is of another type', { a: { b: 1 } }, { a: null }, 'a'],
  ])('%s', (_, printed, there, path) => {
    expect(difference(printed, there)).toBe(path);
  });
});

describe('a part of what is printed for a hub', () => {
  const compared = (...states: readonly Exclude<ComparedObject['is'], 'different'>[]): readonly ComparedObject[] =>
    states.map((is, i) => ({ is, name: `Policy p${i}` }));
  const part = { part: 'hold-policy', does: 'holds replicas', needed: true };
  const apply = (name: string) => `apply ${name}`;
  const judge = (objects: readonly ComparedObject[], more: object = {}) =>
    checkPart({ ...part, objects, ...more }, apply);

  const instead = (is: 'same' | 'missing') => ({ instead: { part: 'hold-webhook', objects: compared(is) } });
  const changed: readonly ComparedObject[] = [{ is: 'different', name: 'Policy p0', path: 'spec.failurePolicy' }];

  it.each<[string, readonly ComparedObject[], object, object]>([
    ['is well where it is there as printed', compared('same', 'same'), {}, { state: 'ok' }],
    [
      'fails where it is needed and missing',
      compared('missing', 'missing'),
      {},
      { state: 'fail', mend: 'apply hold-policy' },
    ],
    [
      'is only told where it is missing and not needed',
      compared('missing', 'missing'),
      { needed: false },
      { state: 'warn' },
    ],
    ['names the half that is missing', compared('same', 'missing'), {}, { state: 'fail', what: 'lacks Policy p1' }],
    [
      'is well by the other way to the same end',
      compared('unserved', 'unserved'),
      instead('same'),
      { state: 'ok', about: 'hold-webhook' },
    ],
    [
      'is mended by the other way where the hub does not serve the first',
      compared('unserved'),
      instead('missing'),
      { state: 'fail', mend: 'apply hold-webhook' },
    ],
    [
      'is not missed where the hub has nothing of the kind and there is no other way',
      compared('unserved'),
      { needed: false },
      { state: 'ok' },
    ],
    [
      'that somebody changed is told with the place',
      changed,
      {},
      { state: 'warn', what: 'Policy p0 differs from what is printed, at spec.failurePolicy' },
    ],
    [
      'that may not be read is no failure of the hub',
      compared('unreadable', 'missing'),
      {},
      { state: 'warn', what: 'no permission to read Policy p0' },
    ],
  ])('%s', (_, objects, more, evaluated) => {
    expect(judge(objects, more)).toMatchObject(evaluated);
  });
});
