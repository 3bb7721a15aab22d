/** Describes the differences of two divisions of the same replicas; the order of clusters is ignored. */
import type { ClusterReplicas } from '../../shared/karmada/assignment/assign-replicas.ts';

export function differences(ours: readonly ClusterReplicas[], theirs: readonly ClusterReplicas[]): readonly string[] {
  const left = new Map(ours.map(({ name, replicas }) => [name, replicas]));
  const right = new Map(theirs.map(({ name, replicas }) => [name, replicas]));
  const names = [...new Set([...left.keys(), ...right.keys()])].sort();
  return names.flatMap((name) => {
    const [own, other] = [left.get(name) ?? 0, right.get(name) ?? 0];
    return own === other ? [] : [`${name} has ${own} here and ${other} there`];
  });
}
