/** What the practice hub must know of a kind to serve it: for its tables of kinds, and for store, routes, discovery and columns that read them. */
import type { Column } from '../api/printer-columns.ts';
import type { KindRules } from './kind-rules.ts';
import type { KubeObject } from './objects.ts';
import type { KindNames } from './status-error.ts';
import type { StructuralSchema } from './structural-schema.ts';

export type Subresource = 'status' | 'scale';

export interface ScalePlaces {
  readonly specReplicasPath: string;
  readonly statusReplicasPath: string;
  /** Of a selector as text. */
  readonly labelSelectorPath: string;
}

export interface KindDefinition extends KindNames {
  /** What the store calls the kind: its plural name, unless a kind of another group has that. */
  readonly storeName?: string;
  readonly version: string;
  readonly singular: string;
  readonly shortNames: readonly string[];
  /** Names of groups of kinds, for `kubectl get all`. */
  readonly categories?: readonly string[];
  readonly namespaced: boolean;
  /**
   * A kind compiled into a real API server rather than added by a CRD: it takes strategic merge patches, and a PUT
   * without a resourceVersion.
   */
  readonly builtIn: boolean;
  readonly subresources: readonly Subresource[];
  /** Where its scale subresource reads and writes; as of a Deployment where left out. */
  readonly scale?: ScalePlaces;
  readonly nameRule: 'subdomain' | 'label' | 'path-segment';
  /** Of the whole object but its metadata. Without one nothing is pruned or validated. */
  readonly schema?: StructuralSchema;
  readonly rules?: KindRules;
  readonly columns: readonly Column[];
  /** What a field selector may name beside metadata.name and metadata.namespace. */
  readonly selectableFields?: readonly string[];
  readonly says: string;
  /** What the API server itself fills in at creation. */
  readonly atCreation?: (object: KubeObject) => KubeObject;
}

export function storeNameOf({ storeName, plural }: Pick<KindDefinition, 'storeName' | 'plural'>): string {
  return storeName ?? plural;
}

const header: StructuralSchema = { properties: { apiVersion: {}, kind: {}, metadata: {} } };

/** With what every object has. */
export function wholeObject(schema: StructuralSchema): StructuralSchema {
  return { ...schema, properties: { ...header.properties, ...schema.properties } };
}

export function apiVersionOf({ group, version }: KindDefinition): string {
  return group === '' ? version : `${group}/${version}`;
}
