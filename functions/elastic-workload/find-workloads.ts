/** Decides which ElasticWorkloads a change on the hub may affect. */

import type { Outcome } from '../../shared/core/invocation.ts';
import { elasticOfWork, scoreSelector } from '../../shared/elastic-workload/elastic-workload.ts';
import type { Within } from '../../shared/kubernetes/hub.ts';
import { whyNotListed } from '../../shared/kubernetes/hub-features.ts';
import type { ObjectKey } from '../../shared/kubernetes/object-key.ts';

/** The change: a PlacementDecision in this namespace, or AddOnPlacementScores of this name; without either a ManagedCluster, or unknown. */
export interface Hint {
  readonly namespace?: string;
  readonly resourceName?: string;
}

/**
 * For scores, the ElasticWorkloads with these weights. Else all ElasticWorkloads of the namespace, because placementRef is namespaced, or of all
 * namespaces. A narrower scope would cost more: when a region fails, a hundred clusters are tainted in one second, and the hundred events coalesce into one LIST and one reconcile of each ElasticWorkload.
 */
export function searchScope({ namespace, resourceName }: Hint): Within {
  if (resourceName !== undefined) return { labelSelector: scoreSelector(resourceName) };
  return namespace === undefined ? {} : { namespace };
}

type Owner = NonNullable<ReturnType<typeof elasticOfWork>>;

/** Owners of existing ManifestWorks, including deleted ones, by ownerText. */
export function ownersOf(works: readonly ObjectKey[]): Map<string, Owner> {
  return new Map(works.flatMap(({ name }) => elasticOfWork(name) ?? []).map((owner) => [ownerText(owner), owner]));
}

export function ownerText({ group, namespace, name }: Owner): string {
  return `${group}/${namespace}/${name}`;
}

export const notServed: Outcome = { reason: 'the hub does not know ElasticWorkloads' };

export function outcomeOfError(thrown: unknown): Outcome {
  return { reason: whyNotListed(thrown, 'ElasticWorkloads', 'elasticWorkloads') };
}
