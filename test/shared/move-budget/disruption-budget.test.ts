/** PodDisruptionBudgets of a hub, and what their members report. */
import { describe, expect, it } from 'vitest';
import { REDUCTION_STRATEGY, STRATEGY_FROM } from '../../../shared/graceful-reduction/replica-reduction.ts';
import { workloadKinds } from '../../../shared/kubernetes/workload-metadata.ts';
import { createBudget, type MoveRequest } from '../../../shared/move-budget/budget.ts';
import {
  disruptionBindingKey,
  disruptionStatuses,
  disruptionsOf,
  type PodDisruptionBudget,
  podDisruptionBudgets,
  podLabelsOf,
} from '../../../shared/move-budget/disruption-budget.ts';
import { leaving, moveRequest } from '../../../shared/move-budget/move-request.ts';
import { placed } from '../../functions/descheduler/scene.ts';

const metadata = {
  ...{ namespace: 'shop', name: 'web', uid: 'u', resourceVersion: '1', generation: 1 },
  creationTimestamp: '2026-11-21T08:00:00Z',
};
const pdb = (selector?: object): PodDisruptionBudget => podDisruptionBudgets.parse({ metadata, spec: { selector } });
const status = disruptionStatuses.parse({
  metadata,
  status: {
    aggregatedStatus: [
      { clusterName: 'm1', status: { disruptionsAllowed: 1, expectedPods: 4, desiredHealthy: 2, currentHealthy: 3 } },
      { clusterName: 'm2' },
    ],
  },
});
const [deployments] = workloadKinds;
const webPods = { key: { namespace: 'shop', name: 'web' }, labels: { app: 'web' } };

it('are read where Kubernetes serves them', () => {
  const { group, version, plural, namespaced, parse } = podDisruptionBudgets;
  expect([group, version, plural, namespaced]).toEqual(['policy', 'v1', 'poddisruptionbudgets', true]);
  expect(() => parse({})).toThrow('PodDisruptionBudget (no name) cannot be read: metadata');
});

describe('a PodDisruptionBudget', () => {
  it('has its own binding, with what each member allows now and at most', () => {
    expect(disruptionBindingKey(pdb())).toEqual({ namespace: 'shop', name: 'web-poddisruptionbudget' });
    expect([...status]).toEqual([['m1', { now: 1, most: 2 }]]);
  });

  it.each([
    [{ matchLabels: { app: 'web' } }, true],
    [{ matchExpressions: [{ key: 'app', operator: 'In', values: ['web', 'api'] }] }, true],
    [{}, true],
    [{ matchLabels: { app: 'api' } }, false],
    [undefined, false],
  ])('with the selector %j limits the workload: %s', (selector, expected) => {
    const statuses = new Map([['shop/web-poddisruptionbudget', status]]);
    const found = disruptionsOf(webPods, [pdb(selector)], statuses);
    expect(found.map(({ of }) => of)).toEqual(expected ? ['PodDisruptionBudget shop/web'] : []);
  });

  it('limits no workload of another namespace, and none without a report', () => {
    const all = [pdb({})];
    const statuses = new Map([['shop/web-poddisruptionbudget', status]]);
    expect(disruptionsOf({ ...webPods, key: { namespace: 'bank', name: 'web' } }, all, statuses)).toEqual([]);
    expect(disruptionsOf(webPods, all, new Map())).toEqual([]);
  });

  it('is matched with the labels of the pods, not of the workload', () => {
    const kind = podLabelsOf(deployments as NonNullable<typeof deployments>);
    const template = { metadata: { labels: { app: 'web' } }, spec: {} };
    expect(kind.parse({ metadata: { ...metadata, labels: { app: 'other' } }, spec: { template } })).toEqual(webPods);
    expect(kind.parse({ metadata, spec: { template: { spec: {} } } }).labels).toEqual({});
  });
});

describe('a move whose replacements are not ready first', () => {
  const disruptions = [{ of: 'PodDisruptionBudget shop/web', allowed: status }];
  const take = (request: MoveRequest) => createBudget({ limits: [], moves: [], pods: new Map(), now: 0 }).take(request);
  const request = (binding: ReturnType<typeof placed>, leaves: Readonly<Record<string, number>>) =>
    moveRequest({ binding }, { reason: 'Policy', mover: 'x', leaves }, disruptions);

  it.each([
    ['as many ready replicas as it allows', placed({ m1: [4, 4] }), { m1: 1 }, 'granted'],
    ['more than it allows now', placed({ m1: [4, 4] }), { m1: 2 }, 'waits'],
    ['more than it ever allows', placed({ m1: [4, 4] }), { m1: 3 }, 'exceeds'],
    ['those that are not ready first', placed({ m1: [4, 2] }), { m1: 3 }, 'granted'],
    ['replicas of a cluster that reports none', placed({ m2: [4, 4] }), { m2: 4 }, 'granted'],
    [
      'replicas that are held until others are ready',
      placed({ m1: [4, 4] }, { annotations: { [REDUCTION_STRATEGY]: 'DelayWorkDeletion' } }),
      { m1: 4 },
      'granted',
    ],
    [
      'replicas that only a drain holds, and not longer than its own',
      placed(
        { m1: [4, 4] },
        { annotations: { [REDUCTION_STRATEGY]: 'DelayWorkDeletion', [STRATEGY_FROM]: 'ClusterDrain of m2' } },
      ),
      { m1: 4 },
      'exceeds',
    ],
  ])('may remove %s', (_, binding, leaves, result) => {
    expect(take(request(binding, leaves)).result).toBe(result);
  });

  it('has the budget and the fix in its message', () => {
    expect(take(request(placed({ m1: [4, 4] }), { m1: 3 }))).toEqual({
      result: 'exceeds',
      reason:
        'PodDisruptionBudget shop/web allows 1 disruption on m1; this would remove 3 ready replicas before their replacements are ready, and it never allows more than 2; enable graceful replica reduction',
    });
  });
});

it('a move counts the replicas that leave each cluster, without clusters that keep all', () => {
  const assigned = [
    { name: 'm1', replicas: 3 },
    { name: 'm2', replicas: 2 },
  ];
  expect(leaving(assigned, ({ name }) => (name === 'm1' ? 1 : 5))).toEqual({ m1: 2 });
});
