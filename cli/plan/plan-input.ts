/** What a plan is made from: clusters, bindings and wishes for a rebalance, from wherever they were read. */
import type { Cluster } from '../../shared/model/assignment/cluster.ts';
import type { ObjectReference } from '../../shared/model/object-reference.ts';
import type { PlacedBinding } from '../../shared/model/placed-binding.ts';

export interface PlanInput {
  /** By name. */
  readonly clusters: ReadonlyMap<string, Cluster>;
  /** By keyText. */
  readonly bindings: ReadonlyMap<string, PlacedBinding>;
  /** The workloads that each rebalancer names, by the rebalancer's name. */
  readonly rebalancers: ReadonlyMap<string, readonly ObjectReference[]>;
  /** Clusters whose nodes are counted in grades, by which Karmada may see less room than the plan does. */
  readonly modelled: ReadonlySet<string>;
  /** Clusters that somebody wrote down without what they serve. */
  readonly unsaid: ReadonlySet<string>;
  /** For stderr, a line each. */
  readonly notes: readonly string[];
  /** What could not be read and is missing here, a line each. */
  readonly unread: readonly string[];
}

export interface Collected {
  readonly clusters: Map<string, Cluster>;
  readonly bindings: Map<string, PlacedBinding>;
  readonly rebalancers: Map<string, readonly ObjectReference[]>;
  readonly modelled: Set<string>;
  readonly unsaid: Set<string>;
}

export function nothingCollected(): Collected {
  return { clusters: new Map(), bindings: new Map(), rebalancers: new Map(), modelled: new Set(), unsaid: new Set() };
}

/** Whether the cluster reports its nodes in grades (spec.resourceModels), as Karmada has it by default. */
export function isModelled(object: unknown): boolean {
  const { spec, status } = object as {
    spec?: { resourceModels?: readonly unknown[] };
    status?: { resourceSummary?: { allocatableModelings?: readonly { count?: number }[] } };
  };
  const counts = status?.resourceSummary?.allocatableModelings ?? [];
  return (spec?.resourceModels ?? []).length > 0 && counts.some(({ count }) => (count ?? 0) > 0);
}
