/** The CustomResourceDefinitions of the kinds that a real hub serves by them: here only to be read, since the table of kinds is what is served. */
import { elasticCrds } from '../../../shared/elastic-workload/elastic-workload-crd.ts';
import { policyCrd } from '../../../shared/rebalance-policy/policy-crd.ts';
import { type KindDefinition, storeNameOf } from './kind-definition.ts';
import type { KubeObject } from './objects.ts';

export const DEFINITIONS = 'customresourcedefinitions';

/** Compiled into a real hub all the same: Karmada's aggregated API server has it. */
const AGGREGATED = 'clusters';

export function definitionsOf(kinds: readonly KindDefinition[]): readonly KubeObject[] {
  const ours = [policyCrd(), ...elasticCrds()] as readonly KubeObject[];
  const named = new Set(ours.map(({ metadata }) => metadata.name));
  const others = kinds.filter((kind) => !kind.builtIn && storeNameOf(kind) !== AGGREGATED).map(definitionOf);
  return [...ours, ...others.filter(({ metadata }) => !named.has(metadata.name))];
}

function definitionOf({ group, version, kind, plural, singular, ...rest }: KindDefinition): KubeObject {
  const { shortNames, namespaced, subresources } = rest;
  const versions = [
    {
      name: version,
      served: true,
      storage: true,
      schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      subresources: Object.fromEntries(subresources.map((name) => [name, {}])),
    },
  ];
  const names = { kind, listKind: `${kind}List`, plural, singular, shortNames };
  const spec = { group, names, scope: namespaced ? 'Namespaced' : 'Cluster', versions };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec,
  } as unknown as KubeObject;
}
