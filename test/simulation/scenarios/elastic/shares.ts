/** The rules of seed 002 for replicas: max-min or proportional, within limits that take precedence over distribution and total. It checks given replicas. */
import type { KubeObject } from '../../../../local/practice-hub/store/objects.ts';

interface Limits {
  readonly floor: number;
  readonly ceiling: number;
  /** Clusters below it borrow first; equal to the ceiling without a soft limit. */
  readonly soft: number;
  /** Whether clusters may borrow replicas. */
  readonly borrows: boolean;
}

export interface Spec {
  readonly total: number;
  readonly limits: Limits;
  readonly transfer: 'Bursty' | 'Conservative';
  readonly hesitationMs: number;
  readonly placement: string;
  /** The strategies; a change ends manual scaling. */
  readonly strategies: string;
  weightOf(cluster: string, labels: Readonly<Record<string, string>>): number;
}

interface Override {
  readonly clusterName?: string;
  readonly clusterSelector?: { readonly matchLabels?: Readonly<Record<string, string>> };
  readonly weight: number;
}

interface Written {
  readonly placementRef: { readonly name: string };
  readonly distributionStrategy: {
    readonly totalReplicas: number;
    readonly type?: string;
    readonly weighted?: { readonly defaultWeight?: number; readonly overrides?: readonly Override[] };
  };
  readonly balanceStrategy?: {
    readonly type?: string;
    readonly limitRange?: { readonly min?: number; readonly max: number };
    readonly classful?: { readonly assured: number; readonly softLimit: number; readonly hardLimit: number };
    readonly transfer?: 'Bursty' | 'Conservative';
    readonly hesitationSeconds?: number;
  };
}

export function specOf({ spec }: KubeObject): Spec {
  const { placementRef, distributionStrategy, balanceStrategy = {} } = spec as unknown as Written;
  const { totalReplicas: total, type = 'Even', weighted } = distributionStrategy;
  const { limitRange, classful, transfer = 'Bursty', hesitationSeconds = 300 } = balanceStrategy;
  const floor = limitRange?.min ?? classful?.assured ?? 0;
  const ceiling = limitRange?.max ?? classful?.hardLimit ?? Number.POSITIVE_INFINITY;
  const { defaultWeight = 1, overrides = [] } = weighted ?? {};
  return {
    total,
    limits: { floor, ceiling, soft: classful?.softLimit ?? ceiling, borrows: (limitRange ?? classful) !== undefined },
    transfer,
    hesitationMs: hesitationSeconds * 1000,
    placement: placementRef.name,
    strategies: JSON.stringify([distributionStrategy, balanceStrategy]),
    weightOf(cluster, labels) {
      if (type === 'Even') return 1;
      const found = overrides.find(({ clusterName, clusterSelector: { matchLabels = {} } = {} }) =>
        clusterName === undefined
          ? Object.entries(matchLabels).every(([label, value]) => labels[label] === value)
          : clusterName === cluster,
      );
      return found?.weight ?? defaultWeight;
    },
  };
}

export interface Party {
  readonly cluster: string;
  readonly weight: number;
}

/** The total that all of them together must have. */
export function sumOf(spec: Pick<Spec, 'total' | 'limits'>, parties: readonly Party[]): number {
  const { floor } = spec.limits;
  const most = parties.reduce((sum, { weight }) => sum + mostOf(weight, spec), 0);
  return Math.min(Math.max(spec.total, floor * parties.length), most);
}

/** A cluster without weight has no claim above the floor. */
function mostOf(weight: number, { limits: { floor, ceiling } }: Pick<Spec, 'limits'>): number {
  return weight > 0 ? ceiling : floor;
}

/** How these replicas violate the strategies; undefined if they do not. Ties may be broken either way. */
export function unfairness(
  spec: Pick<Spec, 'total' | 'limits'>,
  parties: readonly Party[],
  numbers: ReadonlyMap<string, number>,
): string | undefined {
  const { floor } = spec.limits;
  const each = parties.map(({ cluster, weight }) => ({
    cluster,
    weight,
    has: numbers.get(cluster) ?? 0,
    most: mostOf(weight, spec),
  }));
  const sum = each.reduce((total, { has }) => total + has, 0);
  const wanted = sumOf(spec, parties);
  if (sum !== wanted) return `${sum} in sum instead of ${wanted}`;
  for (const giver of each) {
    if (giver.has < floor) return `${giver.cluster} has fewer than ${floor}`;
    if (giver.has > giver.most) return `${giver.cluster} has more than ${giver.most}`;
    if (spec.limits.soft < spec.limits.ceiling) {
      const [least, most] = (['lost', 'won'] as const).map((ties) => numberFor(giver.cluster, ties, { spec, parties }));
      if (giver.has < (least ?? 0) || giver.has > (most ?? 0))
        return `${giver.cluster} has ${giver.has} instead of ${least} to ${most}`;
      continue;
    }
    const taker = each.find(
      (one) =>
        giver.has > floor &&
        one.has < one.most &&
        one.weight / (2 * one.has + 1) > giver.weight / (2 * giver.has - 1) + 1e-9,
    );
    if (taker !== undefined) return `${taker.cluster} has a greater claim than ${giver.cluster}`;
  }
  return undefined;
}

/** The replicas of a cluster by the strategies, if it wins or loses all ties. */
export function numberFor(
  cluster: string,
  ties: 'won' | 'lost',
  { spec, parties }: { readonly spec: Pick<Spec, 'total' | 'limits'>; readonly parties: readonly Party[] },
): number {
  const { floor, ceiling, soft } = spec.limits;
  const rank = (party: Party) => (party.cluster === cluster ? 0 : 1) * (ties === 'won' ? 1 : -1);
  const seat = (total: number, least: (party: Party) => number, most: (party: Party) => number) => {
    const numbers = new Map(parties.map((party) => [party.cluster, least(party)]));
    const has = (party: Party) => numbers.get(party.cluster) ?? 0;
    const claim = (party: Party) => party.weight / (2 * has(party) + 1);
    for (let left = total - [...numbers.values()].reduce((sum, one) => sum + one, 0); left > 0; left--) {
      const open = parties.filter((party) => party.weight > 0 && has(party) < most(party));
      const [first] = open.toSorted((a, b) => claim(b) - claim(a) || rank(a) - rank(b));
      if (first === undefined) break;
      numbers.set(first.cluster, has(first) + 1);
    }
    return has;
  };
  const given = { cluster, weight: 0 };
  if (soft === ceiling)
    return seat(
      spec.total,
      () => floor,
      () => ceiling,
    )(given);
  const unlimited = seat(
    spec.total,
    () => 0,
    () => Number.POSITIVE_INFINITY,
  );
  const limited = (party: Party) => Math.min(Math.max(unlimited(party), floor), ceiling);
  if (parties.reduce((sum, party) => sum + limited(party), 0) > spec.total) {
    const less = seat(spec.total, (party) => Math.min(limited(party), Math.max(soft, floor)), limited);
    return seat(spec.total, () => floor, less)(given);
  }
  const more = seat(spec.total, limited, (party) => Math.max(limited(party), soft));
  return seat(spec.total, more, () => ceiling)(given);
}
