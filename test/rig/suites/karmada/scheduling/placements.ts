/** Placements of every kind that our scheduler supports, and the labels and fields by which they select clusters. */
import type { Dice } from './dice.ts';

export const TAINTS = [
  { key: 'maintenance', effect: 'NoSchedule' },
  { key: 'dedicated', value: 'batch', effect: 'NoSchedule' },
  { key: 'cluster.karmada.io/not-ready', effect: 'NoExecute' },
];
export const TIERS = ['gold', 'silver'];
export const REGIONS = ['east', 'north', 'south', 'west'];
export const PROVIDERS = ['acme', 'umbra'];

/** Label keys that an object of JavaScript inherits. */
export const INHERITED = ['constructor', 'toString'];

export function affinityTerms(dice: Dice, clusters: readonly string[]) {
  return ['first', 'second', 'third'].slice(0, dice.number(1, 3)).map((affinityName) => ({
    affinityName,
    ...affinity(dice, clusters),
    ...(dice.percent(35) && {
      overflowAffinities: Array.from({ length: dice.number(0, 2) }, (_, index) => ({
        affinityName: `${affinityName}-overflow-${index}`,
        ...affinity(dice, clusters),
      })),
    }),
  }));
}

export function affinity(dice: Dice, clusters: readonly string[]): object {
  const by = dice.number(1, 6);
  if (by === 1) return { exclude: dice.some(clusters, 30) };
  if (by === 2 && dice.percent(15))
    return { labelSelector: { matchExpressions: [{ key: dice.one(INHERITED), operator: 'Exists' }] } };
  if (by === 2) return { labelSelector: { matchLabels: { tier: dice.one(TIERS) } } };
  if (by === 3) {
    const operator = dice.one(['In', 'NotIn', 'Exists', 'DoesNotExist']);
    const values = operator.endsWith('In') ? { values: [dice.one(TIERS)] } : {};
    return { labelSelector: { matchExpressions: [{ key: 'tier', operator, ...values }] } };
  }
  if (by === 4) {
    const [key, values] = dice.one([
      ['region', REGIONS],
      ['provider', PROVIDERS],
      ['zone', ['z1', 'z2', 'z3']],
    ] as const);
    return {
      fieldSelector: { matchExpressions: [{ key, operator: dice.one(['In', 'NotIn']), values: [dice.one(values)] }] },
    };
  }
  return { clusterNames: dice.some(clusters, 60) };
}

export function toleration(dice: Dice): object {
  const { key, value, effect } = { value: '', ...dice.one(TAINTS) };
  if (dice.percent(15)) return { operator: 'Exists' };
  if (value === '') return { key, operator: 'Exists', ...(dice.percent(50) && { effect }) };
  return { key, operator: 'Equal', value: dice.one([value, 'other']), effect };
}

export function spread(dice: Dice): readonly object[] {
  const by = dice.number(1, 20);
  if (by <= 8) return [groups(dice, 'cluster')];
  if (by <= 11) return [groups(dice, 'region')];
  if (by <= 17) return [groups(dice, 'region'), groups(dice, 'cluster')];
  const other =
    by === 20 ? { spreadByLabel: 'tier', minGroups: 1, maxGroups: 2 } : groups(dice, dice.one(['zone', 'provider']));
  return dice.percent(60) ? [other, groups(dice, dice.one(['cluster', 'region']))] : [other];
}

function groups(dice: Dice, spreadByField: string): object {
  const minGroups = dice.number(1, 4);
  return { spreadByField, minGroups, maxGroups: dice.number(minGroups, 6) };
}

export function scheduling(dice: Dice, clusters: readonly string[]): object {
  const divide = (replicaDivisionPreference: string, weightPreference?: object) => ({
    ...{ replicaSchedulingType: 'Divided', replicaDivisionPreference },
    ...(weightPreference && { weightPreference }),
  });
  const by = dice.number(1, 10);
  if (by <= 2) return { replicaSchedulingType: 'Duplicated' };
  if (by <= 5) return divide('Aggregated');
  if (by <= 8) return divide('Weighted', { dynamicWeight: 'AvailableReplicas' });
  if (by === 9 && dice.percent(40)) return divide('Weighted');
  const staticWeightList = Array.from({ length: dice.number(1, 4) }, () => ({
    targetCluster: affinity(dice, clusters),
    weight: dice.number(1, 5),
  }));
  return divide('Weighted', { staticWeightList });
}
