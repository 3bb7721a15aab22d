/** Builds the WorkloadRebalancer of a rebalance: the standard object, as kubectl would create it. */

import type { PlacedBinding } from '../../shared/karmada/placed-binding.ts';
import type { NewObject } from '../../shared/kubernetes/hub.ts';
import { distinctReferences, type ObjectReference } from '../../shared/kubernetes/object-reference.ts';
import { apiVersionOf } from '../../shared/kubernetes/resource.ts';
import {
  PRESERVE_ANNOTATION,
  rebalanceSpec,
  workloadRebalancers,
} from '../../shared/workload-rebalancer/workload-rebalancer.ts';
import { documentText } from '../document-text.ts';

export interface RequestedRebalance {
  readonly name: string;
  readonly bindings: readonly PlacedBinding[];
  readonly ttlSeconds: number | undefined;
  readonly preservesAvailable: boolean;
}

export interface NewRebalancer extends NewObject {
  readonly apiVersion: string;
  readonly kind: string;
}

export function workloadsOf(bindings: readonly PlacedBinding[]): readonly ObjectReference[] {
  return distinctReferences(
    bindings.map(({ spec: { resource } }) => {
      const { apiVersion, kind, namespace, name } = resource;
      return { apiVersion, kind, namespace, name };
    }),
  );
}

export function newRebalancer({ name, bindings, ttlSeconds, preservesAvailable }: RequestedRebalance): NewRebalancer {
  return {
    apiVersion: apiVersionOf(workloadRebalancers),
    kind: workloadRebalancers.kind,
    metadata: { name, ...(preservesAvailable && { annotations: { [PRESERVE_ANNOTATION]: 'true' } }) },
    spec: rebalanceSpec(workloadsOf(bindings), ttlSeconds),
  };
}

/** The alphabet of generateName in the API server: without vowels, so that no words occur. */
const ALPHABET = 'bcdfghjklmnpqrstvwxz2456789';

export function generatedName(chances: readonly number[], prefix = 'rebalance'): string {
  const characters = chances.map((chance) => ALPHABET[chance % ALPHABET.length] ?? '');
  return `${prefix}-${characters.join('')}`;
}

export function objectText(object: NewRebalancer, output: 'json' | 'yaml' | 'name'): string {
  return output === 'name' ? object.metadata.name : documentText(object, output);
}
