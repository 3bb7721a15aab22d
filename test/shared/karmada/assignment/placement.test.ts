/** The strategy a placement asks for. */
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import {
  constraintBy,
  effectiveSpread,
  knownStrategy,
  messageOf,
  placement,
  type SpreadConstraint,
  strategyOf,
  unsupportedField,
} from '../../../../shared/karmada/assignment/placement.ts';

const strategy = (replicaScheduling?: object) => strategyOf(z.parse(placement, { replicaScheduling }));
const divided = (more: object) => strategy({ replicaSchedulingType: 'Divided', ...more });

describe('strategyOf', () => {
  it('returns Duplicated by default', () => {
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
  it('returns StaticWeight with equal clusters if Weighted has no weights, or there is no preference', () => {
    expect(divided({ replicaDivisionPreference: 'Weighted' })).toEqual({ kind: 'StaticWeight', weights: [] });
    expect(divided({})).toEqual({ kind: 'StaticWeight', weights: [] });
  });
  it('is Aggregated', () => {
    expect(divided({ replicaDivisionPreference: 'Aggregated' })).toEqual({ kind: 'Aggregated' });
  });
  it('rejects unknown values', () => {
    expect(() => strategy({ replicaSchedulingType: 'Halved' })).toThrow(/Halved/);
    expect(() => divided({ replicaDivisionPreference: 'Cheapest' })).toThrow(/Cheapest/);
    const weightPreference = { dynamicWeight: 'Moon' };
    expect(() => divided({ replicaDivisionPreference: 'Weighted', weightPreference })).toThrow(/Moon/);
  });
});

describe('a parsed placement', () => {
  it('keeps the fields that assignment needs, and a term may have no name', () => {
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

describe('replicaScheduling without a type', () => {
  it.each([{}, { replicaSchedulingType: null }, { replicaSchedulingType: '' }])(
    'is Divided, the default of the CRD, where %j is written',
    (replicaScheduling) => {
      expect(strategy(replicaScheduling)).toEqual({ kind: 'StaticWeight', weights: [] });
      expect(strategy({ ...replicaScheduling, replicaDivisionPreference: 'Aggregated' })).toEqual({
        kind: 'Aggregated',
      });
    },
  );

  it('differs from a missing replicaScheduling, which is Duplicated', () => {
    expect(knownStrategy(z.parse(placement, {}))).toEqual({ kind: 'Duplicated' });
  });
});

const unsupported = (asked: object): string | undefined => {
  const found = unsupportedField(z.parse(placement, asked));
  return found && messageOf(found);
};

describe('a way of dividing replicas that is not implemented', () => {
  const scheduling = 'spec.placement.replicaScheduling';
  it.each<[object, string]>([
    [
      { replicaSchedulingType: 'Halved', replicaDivisionPreference: 'Weighted' },
      `${scheduling}.replicaSchedulingType: Unsupported value: "Halved": supported values: "Duplicated", "Divided"`,
    ],
    [
      { replicaSchedulingType: 'Divided', replicaDivisionPreference: 'Cheapest' },
      `${scheduling}.replicaDivisionPreference: Unsupported value: "Cheapest": supported values: "Aggregated", "Weighted"`,
    ],
    [
      { replicaSchedulingType: 'Divided', weightPreference: { dynamicWeight: 'Moon' } },
      `${scheduling}.weightPreference.dynamicWeight: Unsupported value: "Moon": supported values: "AvailableReplicas"`,
    ],
  ])('%j is named by field and value', (replicaScheduling, message) => {
    const parsed = z.parse(placement, { replicaScheduling });
    expect([knownStrategy(parsed), unsupported({ replicaScheduling })]).toEqual([undefined, message]);
    expect(() => strategyOf(parsed)).toThrow(
      expect.objectContaining({ message, reason: 'UnknownStrategy', retryClass: 'terminal' }) as Error,
    );
  });
});

describe('the field of a placement that no forecast covers', () => {
  it.each<[string, object, string | undefined]>([
    ['none of an empty placement', {}, undefined],
    [
      'none of a spread, by any field or label',
      { spreadConstraints: [{ spreadByField: 'region' }, { spreadByField: 'zone' }, { spreadByLabel: 'tier' }, {}] },
      undefined,
    ],
    [
      'none of overflow affinities',
      { clusterAffinities: [{ overflowAffinities: [{ clusterNames: ['m1'] }] }] },
      undefined,
    ],
    [
      'workload affinity',
      { workloadAffinity: { affinity: {} } },
      'spec.placement.workloadAffinity: Forbidden: not supported',
    ],
    ['none of a null workload affinity', { workloadAffinity: null }, undefined],
  ])('is %s', (_, asked, message) => {
    expect(unsupported(asked)).toBe(message);
  });
});

describe('the spread constraints', () => {
  const byCluster = { spreadByField: 'cluster', maxGroups: 2 };
  const divided2 = (more: object) => ({ replicaSchedulingType: 'Divided', ...more });
  const weighted = (weightPreference?: object) => divided2({ replicaDivisionPreference: 'Weighted', weightPreference });
  const staticWeightList = [{ targetCluster: {}, weight: 1 }];

  it.each<[string, object | undefined, boolean]>([
    ['applies without a division preference', undefined, true],
    ['counts for what is Duplicated', { replicaSchedulingType: 'Duplicated' }, true],
    ['counts where replicas are kept together', divided2({ replicaDivisionPreference: 'Aggregated' }), true],
    ['counts by dynamic weight', weighted({ dynamicWeight: 'AvailableReplicas' }), true],
    [
      'counts by dynamic weight, static ones beside it',
      weighted({ dynamicWeight: 'AvailableReplicas', staticWeightList }),
      true,
    ],
    ['does not by static weights', weighted({ staticWeightList }), false],
    ['does not apply with static weights that are missing', weighted(), false],
    ['counts where the list of weights is empty', weighted({ staticWeightList: [] }), true],
    ['applies without a weight preference', divided2({}), true],
  ])('%s', (_, replicaScheduling, counts) => {
    const spreadConstraints = [{ spreadByField: 'region' }, byCluster];
    const asked = z.parse(placement, { replicaScheduling, spreadConstraints });
    expect(effectiveSpread(asked)).toEqual(counts ? spreadConstraints : []);
  });

  it('are none without a placement of any', () => {
    expect(effectiveSpread({})).toEqual([]);
  });

  it.each<[string, SpreadConstraint[], SpreadConstraint | undefined]>([
    ['is none if all are by other fields', [{ spreadByField: 'zone' }, { spreadByField: 'region' }], undefined],
    ['is one without field and label', [{ maxGroups: 2 }], { maxGroups: 2 }],
    ['is not one by label', [{ spreadByLabel: 'tier', spreadByField: '' }], undefined],
    [
      'is the last of several',
      [byCluster, { spreadByField: 'cluster', maxGroups: 3 }, { spreadByField: 'region' }],
      { spreadByField: 'cluster', maxGroups: 3 },
    ],
  ])('by cluster %s', (_, constraints, expected) => {
    expect(constraintBy('cluster', constraints)).toEqual(expected);
  });
});
