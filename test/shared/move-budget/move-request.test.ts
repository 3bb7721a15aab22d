import { describe, expect, it } from 'vitest';
import { parsePlacedBinding } from '../../../shared/karmada/placed-binding.ts';
import { leaving, moveRequest, moverOfRebalancer, ownLimitOf } from '../../../shared/move-budget/move-request.ts';
import type { Candidate } from '../../../shared/rebalance-policy/select-workloads.ts';

function candidate(annotation: string | undefined, ofWorkload: Partial<Candidate['metadata']> | undefined): Candidate {
  const annotations = annotation === undefined ? {} : { 'evenkeel.dev/move-limit': annotation };
  const binding = parsePlacedBinding({
    metadata: { name: 'web-deployment', namespace: 'shop', uid: 'u', generation: 3, annotations },
    spec: {
      resource: { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: 'web' },
      ...{
        replicas: 6,
        clusters: [
          { name: 'm1', replicas: 4 },
          { name: 'm2', replicas: 2 },
        ],
      },
    },
  });
  return { binding, ...(ofWorkload && { metadata: { labels: {}, rebalancing: undefined, ...ofWorkload } }) };
}

describe('the limit of a workload', () => {
  it.each([
    ['2', { moveLimit: '10%' }, '2'],
    [undefined, { moveLimit: '10%' }, '10%'],
    ['2', undefined, '2'],
    [undefined, {}, undefined],
    [undefined, undefined, undefined],
  ])('with %j on its binding and %j on itself is %j', (annotation, ofWorkload, expected) => {
    expect(ownLimitOf(candidate(annotation, ofWorkload))).toBe(expected);
  });
});

describe('the request of a move', () => {
  const move = { reason: 'Policy', mover: 'WorkloadRebalancer a', leaves: { m1: 2 } } as const;
  const plain = { ...move, binding: { namespace: 'shop', name: 'web-deployment' }, generation: 3, replicas: 6 };

  it('has the binding, all replicas and what leaves each cluster', () => {
    expect(moveRequest(candidate(undefined, undefined), move)).toEqual(plain);
  });

  it("has the workload's own limit, and what it disrupts if there are PodDisruptionBudgets", () => {
    const disruptions = [{ of: 'PodDisruptionBudget shop/web', allowed: new Map() }];
    expect(moveRequest(candidate('1', undefined), move, disruptions)).toEqual({
      ...plain,
      ...{ ownLimit: '1', disruptions, disrupts: {} },
    });
  });
});

it('a move leaves the clusters that lose replicas', () => {
  const staying: Readonly<Record<string, number>> = { m1: 1, m2: 2, m3: 9 };
  const assigned = ['m1', 'm2', 'm3'].map((name) => ({ name, replicas: 2 }));
  expect(leaving(assigned, ({ name }) => staying[name] ?? 0)).toEqual({ m1: 1 });
});

it('the mover of a rebalancer is named by it', () => {
  expect(moverOfRebalancer('come-home-1')).toBe('WorkloadRebalancer come-home-1');
});
