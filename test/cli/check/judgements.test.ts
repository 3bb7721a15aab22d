import { describe, expect, it } from 'vitest';
import { difference } from '../../../cli/check/compare-objects.ts';
import { judgeClock } from '../../../cli/check/judge-basics.ts';
import { clusterManagementKinds, elasticKinds, judgeKinds, karmadaKinds } from '../../../cli/check/judge-kinds.ts';
import { judgePart, type Looked } from '../../../cli/check/judge-manifests.ts';
import { judgeRights, rightsOf } from '../../../cli/check/judge-rights.ts';
import type { HubAccess } from '../../../shared/functions.ts';

const noon = Date.parse('2026-11-21T12:00:00Z');

describe('the clock of a hub', () => {
  const at = (serverTime: number | undefined) => judgeClock({ sent: noon, received: noon + 200, serverTime });

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
  const asked = { policies: false, elastic: false, apply: (part: string) => `apply ${part}` };
  const told = (served: readonly object[], more: object = {}) =>
    judgeKinds(new Set(served) as never, { ...asked, ...more }).map(({ state, about }) => `${state} ${about}`);

  it("are Karmada's", () => {
    expect(told(karmadaKinds)).toEqual(['ok Karmada']);
    expect(told([])).toEqual(['fail Karmada']);
  });

  it("are those of Open Cluster Management where workloads are elastic, and Karmada's are not missed there", () => {
    const served = [...clusterManagementKinds, ...elasticKinds];
    expect(told(served, { elastic: true })).toEqual(['ok OCM', 'ok ElasticWorkload']);
    expect(told(clusterManagementKinds, { elastic: true })).toEqual(['ok OCM', 'fail ElasticWorkload']);
  });

  it('may be both', () => {
    const served = [...karmadaKinds, ...clusterManagementKinds, ...elasticKinds];
    expect(told(served, { elastic: true })).toEqual(['ok Karmada', 'ok OCM', 'ok ElasticWorkload']);
  });

  it('are named where some of them are missing, and ours with the command that brings them', () => {
    const [first] = judgeKinds(new Set(karmadaKinds.slice(1)), asked);
    expect(first?.what).toBe('does not serve resourcebindings.work.karmada.io');
    const [, policies] = judgeKinds(new Set(karmadaKinds), { ...asked, policies: true });
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

  const judged = (denied: readonly (typeof rights)[number][]) =>
    judgeRights({ rights, denied, user: 'ours', mend: 'apply rbac' }).map(({ state, what }) => `${state} ${what}`);

  it('are told a resource a line where some are denied, in one where all or none are', () => {
    expect(judged([])).toEqual(['ok ours may do all 4 things that the functions do']);
    expect(judged(rights.slice(1, 3))).toEqual([
      'fail ours may not list deployments.apps',
      'fail ours may not patch workloadrebalancers/status.apps.karmada.io',
    ]);
    expect(judged(rights)).toEqual(['fail ours may do none of the 4 things that the functions do']);
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
  const looked = (...states: readonly Exclude<Looked['is'], 'different'>[]): readonly Looked[] =>
    states.map((is, i) => ({ is, name: `Policy p${i}` }));
  const part = { part: 'hold-policy', does: 'holds replicas', needed: true };
  const apply = (name: string) => `apply ${name}`;
  const judge = (objects: readonly Looked[], more: object = {}) => judgePart({ ...part, objects, ...more }, apply);

  it('is well where it is there as printed', () => {
    expect(judge(looked('same', 'same')).state).toBe('ok');
  });

  it('fails where it is needed and missing, and is only told where it is not needed', () => {
    expect(judge(looked('missing', 'missing'))).toMatchObject({ state: 'fail', mend: 'apply hold-policy' });
    expect(judge(looked('missing', 'missing'), { needed: false }).state).toBe('warn');
  });

  it('names the half that is missing', () => {
    expect(judge(looked('same', 'missing')).what).toBe('lacks Policy p1');
  });

  it('is well by the other way to the same end', () => {
    const instead = { part: 'hold-webhook', objects: looked('same') };
    expect(judge(looked('unserved', 'unserved'), { instead })).toMatchObject({ state: 'ok', about: 'hold-webhook' });
  });

  it('is mended by the other way where the hub does not serve the first', () => {
    const instead = { part: 'hold-webhook', objects: looked('missing') };
    expect(judge(looked('unserved'), { instead })).toMatchObject({ state: 'fail', mend: 'apply hold-webhook' });
  });

  it('is not missed where the hub has nothing of the kind and there is no other way', () => {
    expect(judge(looked('unserved'), { needed: false }).state).toBe('ok');
  });

  it('that somebody changed is told with the place', () => {
    const objects: readonly Looked[] = [{ is: 'different', name: 'Policy p0', path: 'spec.failurePolicy' }];
    expect(judge(objects)).toMatchObject({
      state: 'warn',
      what: 'Policy p0 differs from what is printed, at spec.failurePolicy',
    });
  });

  it('that may not be read is no failure of the hub', () => {
    expect(judge(looked('unreadable', 'missing')).what).toBe('you may not read Policy p0');
  });
});
