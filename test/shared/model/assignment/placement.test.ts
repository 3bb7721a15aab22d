/** The strategy a placement asks for. */

import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import {
  clusterConstraint,
  knownStrategy,
  notCovered,
  placement,
  strategyOf,
} from '../../../../shared/model/assignment/placement.ts';

const strategy = (replicaScheduling?: object) => strategyOf(z.parse(placement, { replicaScheduling }));
const divided = (more: object) => strategy({ replicaSchedulingType: 'Divided', ...more });

describe('strategyOf', () => {
  it('is Duplicated where nothing is said', () => {
    expect(strategy()).toEqual({ kind: 'Duplicated' });
    expect(strategy({ replicaSchedulingType: 'Duplicated' })).toEqual({ kind: 'Duplicated' });
  });
  it('is DynamicWeight by available replicas', () => {
    const weightPreference = { dynamicWeight: 'AvailableReplicas' };
    expect(divided({ replicaDivisionPreference: 'Weighted', weightPreference })).toEqual({ kind: 'DynamicWeight' });
  });
  it('is StaticWeight with the list of the placement', () => {
    const staticWeightList = [{ targetCluster: { clusterNames: ['m1'] }, weight: 2 }];
    expect(divided({ replicaDivisionPreference: 'Weighted', weightPreference: { staticWeightList } })).toEqual({
      kind: 'StaticWeight',
      weights: staticWeightList,
    });
  });
  it('is StaticWeight with every cluster alike where Weighted names no weights, or no preference is named', () => {
    expect(divided({ replicaDivisionPreference: 'Weighted' })).toEqual({ kind: 'StaticWeight', weights: [] });
    expect(divided({})).toEqual({ kind: 'StaticWeight', weights: [] });
  });
  it('is Aggregated', () => {
    expect(divided({ replicaDivisionPreference: 'Aggregated' })).toEqual({ kind: 'Aggregated' });
  });
  it('refuses words it does not know', () => {
    expect(() => strategy({ replicaSchedulingType: 'Halved' })).toThrow(/Halved/);
    expect(() => divided({ replicaDivisionPreference: 'Cheapest' })).toThrow(/Cheapest/);
    const weightPreference = { dynamicWeight: 'Moon' };
    expect(() => divided({ replicaDivisionPreference: 'Weighted', weightPreference })).toThrow(/Moon/);
  });
});

describe('a placement as it is read', () => {
  it('keeps what assignment looks at, and a term may have no name', () => {
    const labelSelector = {
      matchLabels: { tier: 'front' },
      matchExpressions: [{ key: 'zone', operator: 'In', values: ['a'] }],
    };
    const fieldSelector = { matchExpressions: [{ key: 'provider', operator: 'NotIn', values: ['b'] }] };
    const affinity = { clusterNames: ['m1'], exclude: ['m2'], labelSelector, fieldSelector };
    const clusterTolerations = [{ key: 'a', operator: 'Equal', value: 'b', effect: 'NoExecute', tolerationSeconds: 5 }];
    const asked = { clusterAffinity: affinity, clusterAffinities: [affinity], clusterTolerations };
    expect(z.parse(placement, asked)).toEqual({
      ...asked,
      clusterAffinities: [{ ...affinity, affinityName: '' }],
    });
  });
});

describe('a placement that is refused', () => {
  it.each<[object, string]>([
    [{ replicaSchedulingType: 'Halved' }, 'replicaScheduling (Halved)'],
    [
      { replicaSchedulingType: 'Halved', replicaDivisionPreference: 'Weighted' },
      'replicaScheduling (Halved, Weighted)',
    ],
    [
      { replicaSchedulingType: 'Divided', weightPreference: { dynamicWeight: 'Moon' } },
      'replicaScheduling (Divided, Weighted, Moon)',
    ],
  ])('says of %j what it does not know', (replicaScheduling, words) => {
    const parsed = z.parse(placement, { replicaScheduling });
    expect([knownStrategy(parsed), notCovered(parsed)]).toEqual([undefined, words]);
    expect(() => strategyOf(parsed)).toThrow(
      expect.objectContaining({
        message: `${words} is not one this scheduler knows`,
        reason: 'UnknownStrategy',
        verdict: 'terminal',
      }) as Error,
    );
  });

  it.each<[string, object, string | undefined]>([
    ['nothing', {}, undefined],
    [
      'a spread by cluster, in whatever words',
      { spreadConstraints: [{ spreadByField: 'cluster' }, { spreadByField: '' }, {}] },
      undefined,
    ],
    [
      'a spread by region beside one by cluster',
      { spreadConstraints: [{}, { spreadByField: 'region' }] },
      'spreadConstraints by region',
    ],
    ['a spread by label', { spreadConstraints: [{ spreadByLabel: 'tier' }] }, 'spreadConstraints by tier'],
    [
      'terms without overflow',
      { clusterAffinities: [{ affinityName: 'a', overflowAffinities: [] }, { affinityName: 'b' }] },
      undefined,
    ],
    [
      'one of two terms with overflow',
      { clusterAffinities: [{ affinityName: 'a' }, { affinityName: 'b', overflowAffinities: [{}] }] },
      'clusterAffinities with overflowAffinities',
    ],
    ['affinity of workloads', { workloadAffinity: {} }, 'workloadAffinity'],
    ['no affinity of workloads', { workloadAffinity: null }, undefined],
  ])('is so for %s', (_, asked, missing) => {
    expect(notCovered(z.parse(placement, asked))).toBe(missing);
  });
});

describe('the constraint on the number of clusters', () => {
  const byCluster = { spreadByField: 'cluster', maxGroups: 2 };
  const divided2 = (more: object) => ({ replicaSchedulingType: 'Divided', ...more });
  const weighted = (weightPreference?: object) => divided2({ replicaDivisionPreference: 'Weighted', weightPreference });
  const staticWeightList = [{ targetCluster: {}, weight: 1 }];

  it.each<[string, object | undefined, boolean]>([
    ['counts where nothing is said of dividing', undefined, true],
    ['counts for what is Duplicated', { replicaSchedulingType: 'Duplicated' }, true],
    ['counts where replicas are kept together', divided2({ replicaDivisionPreference: 'Aggregated' }), true],
    ['counts by dynamic weight', weighted({ dynamicWeight: 'AvailableReplicas' }), true],
    [
      'counts by dynamic weight, static ones beside it',
      weighted({ dynamicWeight: 'AvailableReplicas', staticWeightList }),
      true,
    ],
    ['does not by static weights', weighted({ staticWeightList }), false],
    ['does not by weights that nobody gave', weighted(), false],
    ['counts where the list of weights is empty', weighted({ staticWeightList: [] }), true],
    ['counts where nothing is said of weights', divided2({}), true],
  ])('%s', (_, replicaScheduling, counts) => {
    const asked = z.parse(placement, {
      replicaScheduling,
      spreadConstraints: [{ spreadByLabel: 'x', spreadByField: 'zone' }, byCluster],
    });
    expect(clusterConstraint(asked)).toEqual(counts ? byCluster : undefined);
  });

  it('is none where none is by cluster', () => {
    expect(clusterConstraint({})).toBeUndefined();
    expect(clusterConstraint({ spreadConstraints: [{ spreadByField: 'zone' }] })).toBeUndefined();
  });
});
