/** The strategy a placement asks for. */

import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { placement, strategyOf } from '../../../../shared/model/assignment/placement.ts';

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
