/** Decides how many, and which, of the clusters that fit run a workload: spreadConstraints by cluster, as in karmada-scheduler (v1.18). */
import type { CandidateCluster } from './assign-replicas.ts';
import type { SpreadConstraint } from './placement.ts';

export interface SpreadRequest<C extends CandidateCluster> {
  readonly candidates: readonly C[];
  readonly constraint: SpreadConstraint;
  /** Total capacity that the chosen clusters need; undefined if capacity does not matter (Duplicated). */
  readonly replicas: number | undefined;
  readonly current: ReadonlyMap<string, number>;
}

export type Spread<C> = { readonly chosen: readonly C[] } | { readonly failure: string };

/**
 * The first maxGroups of the candidates: clusters that run the workload first, then by capacity, then by name. If their
 * total capacity is too low, the last of them are replaced, one by one, by the one of the others with the most capacity.
 *
 * Example: two of m1 (40, holds), m2 (30, holds), m3 (60) for 80 replicas: m1 and m2 have 70, so m3 replaces m2.
 */
export function spreadClusters<C extends CandidateCluster>(request: SpreadRequest<C>): Spread<C> {
  const { candidates, constraint, replicas, current } = request;
  if (candidates.length < (constraint.minGroups ?? 0))
    return { failure: 'the number of feasible clusters is less than spreadConstraint.MinGroups' };
  const capacity = ({ name, available }: C): number => available + (current.get(name) ?? 0);
  const ordered = [...candidates].sort(
    (a, b) =>
      Number(current.has(b.name)) - Number(current.has(a.name)) ||
      capacity(b) - capacity(a) ||
      (a.name < b.name ? -1 : a.name > b.name ? 1 : 0),
  );
  const count = Math.min(ordered.length, constraint.maxGroups ?? 0);
  if (count === 0) return { failure: 'no clusters available to schedule' };
  const chosen = ordered.slice(0, count);
  if (replicas === undefined) return { chosen };
  const others = ordered.slice(count);
  const suffices = (): boolean => chosen.reduce((sum, cluster) => sum + capacity(cluster), 0) >= replicas;
  for (let last = count - 1; last >= 0 && !suffices(); last--) {
    const leaving = chosen[last];
    const roomiest = others.reduce<C | undefined>(
      (best, other) => (best === undefined || capacity(other) > capacity(best) ? other : best),
      undefined,
    );
    if (leaving === undefined || roomiest === undefined || capacity(roomiest) <= capacity(leaving)) continue;
    chosen[last] = roomiest;
    others[others.indexOf(roomiest)] = leaving;
  }
  return suffices() ? { chosen } : { failure: `no enough resource when selecting ${count} clusters` };
}
