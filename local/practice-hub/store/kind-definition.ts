/** The definition of a served kind: for the store, routes, discovery and columns. */
import type { PrinterColumn } from '../api/printer-columns.ts';
import type { KubeObject } from './objects.ts';
import type { KindNames, StatusCause } from './status-error.ts';
import type { StructuralSchema } from './structural-schema.ts';

export type Subresource = 'status' | 'scale';

export interface ScalePlaces {
  readonly specReplicasPath: string;
  readonly statusReplicasPath: string;
  /** Of a selector as text; by default that of a Deployment. */
  readonly labelSelectorPath?: string;
}

export interface KindDefinition extends KindNames {
  /** The store's name of the kind: its plural name, unless a kind of another group has that. */
  readonly storeName: string;
  readonly version: string;
  readonly singular: string;
  readonly shortNames: readonly string[];
  /** Names of groups of kinds, for `kubectl get all`. */
  readonly categories?: readonly string[];
  readonly namespaced: boolean;
  /**
   * A kind of a real API server that is built in, and not from a CRD: it supports strategic merge patches, and a PUT
   * without a resourceVersion.
   */
  readonly builtIn: boolean;
  readonly subresources: readonly Subresource[];
  readonly scale?: ScalePlaces;
  readonly nameRule: 'subdomain' | 'label' | 'path-segment';
  /** For the whole object except metadata. */
  readonly schema: StructuralSchema;
  readonly rules?: KindRules;
  readonly columns: readonly PrinterColumn[];
  /** Fields for field selectors besides metadata.name and metadata.namespace. */
  readonly selectableFields: readonly string[];
  /** Converts the body of a write to its stored form, before comparison and validation. */
  readonly decoded?: <T extends Readonly<Record<string, unknown>>>(object: T) => T;
  /** Defaults of the API server at creation. */
  readonly atCreation?: (object: KubeObject) => KubeObject;
}

/** Evaluates the rules, given the flaws from the schema. */
export type KindRules = (
  object: KubeObject,
  flaws: readonly StatusCause[],
  /** Undefined for a new object. */
  before: KubeObject | undefined,
) => readonly StatusCause[];

export function apiVersionOf({ group, version }: KindDefinition): string {
  return group === '' ? version : `${group}/${version}`;
}
