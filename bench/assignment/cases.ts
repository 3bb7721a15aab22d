/** The cases for Karmada's code and for Evenkeel's: one file, read by both. */
import type {
  AssignmentMode,
  AssignmentRequest,
  ClusterReplicas,
} from '../../shared/karmada/assignment/assign-replicas.ts';
import type { StaticWeight } from '../../shared/karmada/assignment/placement.ts';
import { sizeText } from '../figures.ts';

export interface AssignmentSize {
  readonly clusters: number;
  readonly replicas: number;
}

type Labels = Readonly<Record<string, string>>;

export interface AssignmentCase {
  readonly name: string;
  readonly size: AssignmentSize;
  readonly strategy: 'DynamicWeight' | 'Aggregated' | 'StaticWeight';
  readonly mode: AssignmentMode;
  readonly replicas: number;
  readonly uid: string;
  readonly clusters: readonly { readonly name: string; readonly available: number; readonly labels: Labels }[];
  readonly current: readonly ClusterReplicas[];
  readonly weights: readonly { readonly labels: Labels; readonly weight: number }[];
}

/** A first placement, a scale-up by 10 %, a scale-down by 10 %, and a Fresh assignment. */
const kinds = [
  { what: 'first placement', strategy: 'DynamicWeight', mode: 'Steady', assigned: 0 },
  { what: 'scaled up', strategy: 'DynamicWeight', mode: 'Steady', assigned: 0.9 },
  { what: 'scaled down', strategy: 'DynamicWeight', mode: 'Steady', assigned: 1.1 },
  { what: 'rebalanced', strategy: 'DynamicWeight', mode: 'Fresh', assigned: 1 },
  { what: 'rebalanced', strategy: 'Aggregated', mode: 'Fresh', assigned: 1 },
  { what: 'placed', strategy: 'StaticWeight', mode: 'Steady', assigned: 0 },
] as const;

const TIERS = 7;

export function casesOf(sizes: readonly AssignmentSize[]): readonly AssignmentCase[] {
  return sizes.flatMap((size) => kinds.map((kind) => caseOf(kind, size)));
}

/** Capacity for about twice the replicas, different for each cluster: Go's sort returns equal elements in any order. */
function caseOf({ what, strategy, mode, assigned }: (typeof kinds)[number], size: AssignmentSize): AssignmentCase {
  const { clusters: count, replicas } = size;
  const each = Math.ceil(replicas / count);
  const shuffled = (index: number): number => (index * 7919) % count;
  const clusters = Array.from({ length: count }, (_, index) => ({
    name: `member-${String(index).padStart(4, '0')}`,
    available: each + shuffled(index) * Math.ceil((2 * each) / count),
    labels: { tier: `t${index % TIERS}` },
  }));
  return {
    name: `${strategy}, ${what}, ${sizeText(size)}`,
    ...{ size, strategy, mode, replicas, clusters },
    uid: `6f1d2c7e-5a0b-4d53-9a3e-${String(replicas).padStart(12, '0')}`,
    current: share(
      Math.round(replicas * assigned),
      clusters.filter((_, index) => index % 2 === 0),
    ),
    weights: Array.from({ length: TIERS }, (_, tier) => ({ labels: { tier: `t${tier}` }, weight: tier + 1 })),
  };
}

/** Equal parts, and the remainder to the first cluster, so that current replicas cause no ties. */
function share(replicas: number, among: readonly { readonly name: string }[]): readonly ClusterReplicas[] {
  const each = Math.floor(replicas / among.length);
  return among.flatMap(({ name }, index) => {
    const own = index === 0 ? replicas - each * (among.length - 1) : each;
    return own > 0 ? [{ name, replicas: own }] : [];
  });
}

/** The same, in Evenkeel's input format. */
export function requestOf({ strategy, weights, current, ...rest }: AssignmentCase): AssignmentRequest {
  const rules = weights.map(({ labels, weight }): StaticWeight => {
    return { targetCluster: { labelSelector: { matchLabels: labels } }, weight };
  });
  return {
    ...rest,
    strategy: strategy === 'StaticWeight' ? { kind: strategy, weights: rules } : { kind: strategy },
    current: new Map(current.map(({ name, replicas }) => [name, replicas])),
  };
}
