/** How a kind of hub object is addressed over the API and read into the model. */
import * as z from 'zod/mini';
import { parseObject } from './hub-object.ts';
import type { ObjectKey } from './object-key.ts';

export interface Resource<T> {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly namespaced: boolean;
  /** Objects per page of a list: small for kinds whose objects may have a megabyte. */
  readonly pageSize: number;
  /** Reads, lists and responses to patches request only metadata, and `parse` reads nothing else. */
  readonly metadataOnly?: true;
  /** Parses the object as the API server sent it; throws a terminal Fault that names the invalid field. */
  readonly parse: (object: unknown) => T;
}

const versioned = z.object({
  metadata: z.object({ resourceVersion: z.string(), generation: z._default(z.number(), 1) }),
});

/** The kind of a reference: the inverse of apiVersionOf. */
export function kindOf({ apiVersion, kind }: { readonly apiVersion: string; readonly kind: string }) {
  const [version = '', group = ''] = apiVersion.split('/').reverse();
  return { group, version, kind };
}

/** A kind whose objects are selected by their labels. */
export interface LabelledResource {
  readonly kind: Resource<unknown>;
  /** From the key of the object to the returned one. */
  readonly keyOf: (key: ObjectKey) => ObjectKey;
}

/** For writes whose response body is not needed: serializing the whole object costs a hub about a tenth of a patch. */
export function unread(resource: Resource<unknown>): Resource<undefined> {
  return { ...resource, metadataOnly: true, parse: () => undefined };
}

/** Of an object after a write. */
export interface WrittenVersion {
  readonly resourceVersion: string;
  readonly generation: number;
}

/** For writes of which only the version of the resulting object is needed. */
export function writtenVersion(resource: Resource<unknown>): Resource<WrittenVersion> {
  return {
    ...resource,
    metadataOnly: true,
    parse: (object) => parseObject(versioned, object, resource.kind).metadata,
  };
}

/** The path of a collection or, with a name, of one object. Names are encoded; a namespace on a cluster-scoped kind is ignored. */
export function resourcePath(resource: Resource<unknown>, key: Partial<ObjectKey> = {}): string {
  const root = resource.group === '' ? `/api/${resource.version}` : `/apis/${resource.group}/${resource.version}`;
  const scope = resource.namespaced && key.namespace ? `/namespaces/${encodeURIComponent(key.namespace)}` : '';
  const name = key.name === undefined ? '' : `/${encodeURIComponent(key.name)}`;
  return `${root}${scope}/${resource.plural}${name}`;
}

/** "apps.karmada.io/v1alpha1", or "v1" of the core. */
export function apiVersionOf({ group, version }: Pick<Resource<unknown>, 'group' | 'version'>): string {
  return group === '' ? version : `${group}/${version}`;
}

/** The field manager of server-side apply and of patches: the owner of our fields in managedFields. */
export const FIELD_MANAGER = 'evenkeel';
