/** Builds the input for a plan from documents; throws one Fault that lists all problems. */
import { type Cluster, clusters, parseCluster } from '../../shared/karmada/assignment/cluster.ts';
import { clusterResourceBindings, resourceBindings } from '../../shared/karmada/binding.ts';
import { parsePlacedBinding } from '../../shared/karmada/placed-binding.ts';
import { keyText } from '../../shared/kubernetes/object-key.ts';
import { workloadRebalancers } from '../../shared/workload-rebalancer/workload-rebalancer.ts';
import { bindingWrong, clusterWrong, type Wrong } from './check-object.ts';
import { type CollectedObjects, type ForecastInput, isModelled, nothingCollected } from './plan-input.ts';
import type { HubDocument } from './read-documents.ts';
import { isUnseen, type TakenKind, takeDocuments } from './take-documents.ts';

/** For objects without a namespace. */
export const USUAL_NAMESPACE = 'default';

export function objectsOfFiles(documents: readonly HubDocument[], namespace = USUAL_NAMESPACE): ForecastInput {
  const collected = nothingCollected();
  const rebalancers: TakenKind = {
    resource: workloadRebalancers,
    take: (object) => {
      const rebalancer = workloadRebalancers.parse(object);
      collected.rebalancers.set(rebalancer.name, rebalancer.workloads);
      return [];
    },
  };
  const notes = takeDocuments(documents, { namespace, kinds: [...fleetKinds(collected), rebalancers] });
  return { ...collected, notes, unread: [] };
}

/** Clusters and bindings. */
export function fleetKinds(collected: Omit<CollectedObjects, 'rebalancers'>): readonly TakenKind[] {
  const takeCluster = (object: object) => {
    const cluster: Cluster = parseCluster(object);
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
