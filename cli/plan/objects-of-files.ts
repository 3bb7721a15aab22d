/** Makes of the documents that a person named what a plan needs; throws one Fault that lists all that is wrong with them. */
import { type Cluster, clusters, parseCluster } from '../../shared/model/assignment/cluster.ts';
import { clusterResourceBindings, resourceBindings } from '../../shared/model/binding.ts';
import { keyText } from '../../shared/model/object-key.ts';
import { parsePlacedBinding } from '../../shared/model/placed-binding.ts';
import { workloadRebalancers } from '../../shared/model/workload-rebalancer.ts';
import { bindingWrong, clusterWrong, type Wrong } from './check-object.ts';
import { type Collected, isModelled, nothingCollected, type PlanInput } from './plan-input.ts';
import type { HubDocument } from './read-documents.ts';
import { isUnseen, type TakenKind, takeDocuments } from './take-documents.ts';

/** Of objects that name no namespace. */
export const USUAL_NAMESPACE = 'default';

export function objectsOfFiles(documents: readonly HubDocument[], namespace = USUAL_NAMESPACE): PlanInput {
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
export function fleetKinds(collected: Omit<Collected, 'rebalancers'>): readonly TakenKind[] {
  const takeCluster = (object: object) => {
    const cluster: Cluster = parseCluster(object);
    collected.clusters.set(cluster.name, cluster);
    if (isModelled(object)) collected.modelled.add(cluster.name);
    if (isUnsaid(object)) collected.unsaid.add(cluster.name);
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
 * Whether a Cluster leaves open what it serves (status.apiEnablements), as people who write one down do. One that comes
 * from a hub and has no report at all does not: nothing is scheduled to it.
 */
function isUnsaid(object: object): boolean {
  const { status } = object as { status?: { apiEnablements?: unknown; resourceSummary?: unknown } };
  if (status?.apiEnablements != null) return false;
  return status?.resourceSummary != null || isUnseen(object);
}
