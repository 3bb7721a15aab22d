/** The input for a plan: clusters, bindings and rebalancers. */
import type { Cluster } from '../../shared/karmada/assignment/cluster.ts';
import type { PlacedBinding } from '../../shared/karmada/placed-binding.ts';
import type { ObjectReference } from '../../shared/kubernetes/object-reference.ts';

export interface ForecastInput {
  /** By name. */
  readonly clusters: ReadonlyMap<string, Cluster>;
  /** By keyText. */
  readonly bindings: ReadonlyMap<string, PlacedBinding>;
  /** The workloads that each rebalancer names, by the rebalancer's name. */
  readonly rebalancers: ReadonlyMap<string, readonly ObjectReference[]>;
  /** Clusters with resource models, by which Karmada may estimate a lower capacity than the plan does. */
  readonly modelled: ReadonlySet<string>;
  /** Clusters without status.apiEnablements. */
  readonly withoutEnablements: ReadonlySet<string>;
  /** For stderr, one per line. */
  readonly notes: readonly string[];
  /** Objects that could not be read, one per line. */
  readonly unread: readonly string[];
}

export interface CollectedObjects {
  readonly clusters: Map<string, Cluster>;
  readonly bindings: Map<string, PlacedBinding>;
  readonly rebalancers: Map<string, readonly ObjectReference[]>;
  readonly modelled: Set<string>;
  readonly withoutEnablements: Set<string>;
}

export function nothingCollected(): CollectedObjects {
  return {
    clusters: new Map(),
    bindings: new Map(),
    rebalancers: new Map(),
    modelled: new Set(),
    withoutEnablements: new Set(),
  };
}

/** Whether the cluster has spec.resourceModels, as by Karmada's default. */
export function isModelled(object: unknown): boolean {
  const { spec, status } = object as {
    spec?: { resourceModels?: readonly unknown[] };
    status?: { resourceSummary?: { allocatableModelings?: readonly { count?: number }[] } };
  };
  const counts = status?.resourceSummary?.allocatableModelings ?? [];
  return (spec?.resourceModels ?? []).length > 0 && counts.some(({ count }) => (count ?? 0) > 0);
}
