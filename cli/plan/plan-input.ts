/** The input for a plan: clusters, bindings and rebalancers; and how documents become it. */
import { type Cluster, clusters, parseCluster } from '../../shared/karmada/assignment/cluster.ts';
import { clusterResourceBindings, resourceBindings } from '../../shared/karmada/binding.ts';
import type { PlacedBinding } from '../../shared/karmada/placed-binding.ts';
import { parsePlacedBinding } from '../../shared/karmada/placed-binding.ts';
import { keyText } from '../../shared/kubernetes/object-key.ts';
import type { ObjectReference } from '../../shared/kubernetes/object-reference.ts';
import { workloadRebalancers } from '../../shared/workload-rebalancer/workload-rebalancer.ts';
import { USUAL_NAMESPACE } from '../hub-options.ts';
import { bindingWrong, clusterWrong, type Wrong } from './check-object.ts';
import type { HubDocument } from './read-documents.ts';
import { isUnseen, type TakenKind, takeDocuments, taking } from './take-documents.ts';

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

export function objectsOfFiles(documents: readonly HubDocument[], namespace = USUAL_NAMESPACE): ForecastInput {
  const collected = nothingCollected();
  const rebalancers = taking(workloadRebalancers, ({ name, workloads }) => collected.rebalancers.set(name, workloads));
  const notes = takeDocuments(documents, { namespace, kinds: [...fleetKinds(collected), rebalancers] });
  return { ...collected, notes, unread: [] };
}

/** Clusters and bindings. */
export function fleetKinds(collected: Omit<CollectedObjects, 'rebalancers'>): readonly TakenKind[] {
  const takeCluster = (object: object) => {
    const cluster = parseCluster(object);
    collected.clusters.set(cluster.name, cluster);
    if (isModelled(object)) collected.modelled.add(cluster.name);
    if (lacksEnablements(object)) collected.withoutEnablements.add(cluster.name);
    return listOf(clusterWrong(cluster));
  };
  const takeBinding = (object: object) => {
    const binding = parsePlacedBinding(object);
    collected.bindings.set(keyText(binding.metadata), binding);
    return listOf(bindingWrong(binding));
  };
  return [
    { resource: clusters, take: takeCluster },
    { resource: resourceBindings, take: takeBinding },
    { resource: clusterResourceBindings, take: takeBinding },
  ];
}

function listOf(found: Wrong | undefined): readonly Wrong[] {
  return found === undefined ? [] : [found];
}

/**
 * Whether a Cluster lacks status.apiEnablements, as handwritten ones do. A Cluster from a hub without any status does not
 * count: nothing is scheduled to it.
 */
function lacksEnablements(object: object): boolean {
  const { status } = object as { status?: { apiEnablements?: unknown; resourceSummary?: unknown } };
  if (status?.apiEnablements != null) return false;
  return status?.resourceSummary != null || isUnseen(object);
}
