/** How a kind of hub object is addressed over the API and read into the model. */
import type { ObjectKey } from './object-key.ts';

export interface Resource<T> {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly namespaced: boolean;
  /** Objects in one page of a list: small where an object may weigh a megabyte. */
  readonly pageSize: number;
  /** Only metadata is asked for in a read, a list and the answer to a patch, and `parse` reads no more. */
  readonly metadataOnly?: true;
  /** Reads the object as the API server sent it; throws a terminal Fault that names the field where it cannot be read. */
  readonly parse: (object: unknown) => T;
}

/** For a write of which only counts whether it went through: writing the whole object out costs a hub about a tenth of a patch. */
export function unread(resource: Resource<unknown>): Resource<undefined> {
  return { ...resource, metadataOnly: true, parse: () => undefined };
}

/** The path of a collection or, with a name, of one object. Names are encoded; a namespace on a cluster-scoped kind is ignored. */
export function resourcePath(resource: Resource<unknown>, key: Partial<ObjectKey> = {}): string {
  const root = resource.group === '' ? `/api/${resource.version}` : `/apis/${resource.group}/${resource.version}`;
  const scope = resource.namespaced && key.namespace ? `/namespaces/${encodeURIComponent(key.namespace)}` : '';
  const name = key.name === undefined ? '' : `/${encodeURIComponent(key.name)}`;
  return `${root}${scope}/${resource.plural}${name}`;
}

/** "apps.karmada.io/v1alpha1", or "v1" of the core. */
export function apiVersionOf({ group, version }: Resource<unknown>): string {
  return group === '' ? version : `${group}/${version}`;
}
