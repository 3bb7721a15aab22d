/** Decides among the clusters that fit how many, and which, hold a workload: spreadConstraints by cluster, as karmada-scheduler (v1.18) reads them. */
import type { CandidateCluster } from './assign-replicas.ts';
import type { SpreadConstraint } from './placement.ts';

export interface SpreadRequest<C extends CandidateCluster> {
  readonly candidates: readonly C[];
  readonly constraint: SpreadConstraint;
  /** What the chosen together must have room for; undefined where room does not count (Duplicated). */
  readonly replicas: number | undefined;
  readonly current: ReadonlyMap<string, number>;
}

export type Spread<C> = { readonly chosen: readonly C[] } | { readonly failure: string };

/**
 * The first maxGroups of the candidates: those that hold the workload first, then the roomiest, then by name. Where they
 * have too little room together, the last of them give way, one by one, to the roomiest of the others.
 *
 * Example: two of m1 (40, holds), m2 (30, holds), m3 (60) for 80 replicas: m1 and m2 have 70, so m3 comes for m2.
 */
export function spreadClusters<C extends CandidateCluster>(request: SpreadRequest<C>): Spread<C> {
  const { candidates, constraint, replicas, current } = request;
  if (candidates.length < (constraint.minGroups ?? 0))
    return { failure: 'the number of feasible clusters is less than spreadConstraint.MinGroups' };
  const room = ({ name, available }: C): number => available + (current.get(name) ?? 0);
  const ordered = [...candidates].sort(
    (a, b) =>
      Number(current.has(b.name)) - Number(current.has(a.name)) ||
      room(b) - room(a) ||
      (a.name < b.name ? -1 : a.name > b.name ? 1 : 0),
  );
  const count = Math.min(ordered.length, constraint.maxGroups ?? 0);
  if (count === 0) return { failure: 'no clusters available to schedule' };
  const chosen = ordered.slice(0, count);
  if (replicas === undefined) return { chosen };
  const others = ordered.slice(count);
  const suffices = (): boolean => chosen.reduce((sum, cluster) => sum + room(cluster), 0) >= replicas;
  for (let last = count - 1; last >= 0 && !suffices(); last--) {
    const leaving = chosen[last];
    const roomiest = others.reduce<C | undefined>(
      (best, other) => (best === undefined || room(other) > room(best) ? other : best),
      undefined,
    );
    if (leaving === undefined || roomiest === undefined || room(roomiest) <= room(leaving)) continue;
    chosen[last] = roomiest;
    others[others.indexOf(roomiest)] = leaving;
  }
  return suffices() ? { chosen } : { failure: `no enough resource when selecting ${count} clusters` };
}
