/** Events (core/v1) about objects of a hub: written for users, never read. */
import type { ObjectKey } from './object-key.ts';
import type { Resource } from './resource.ts';

/** An Event about an object. */
export interface ObjectEvent {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
  /** Identifies the occurrence: a repeated Event updates the existing one. */
  readonly id: string;
}

/** The involved object. */
export interface Regarding {
  readonly kind: Pick<Resource<unknown>, 'group' | 'version' | 'kind'>;
  readonly key: ObjectKey;
  readonly uid: string;
}

/** An involved object without a namespace. */
export function clusterScoped(
  kind: Regarding['kind'],
  { name, uid }: { readonly name: string; readonly uid: string },
): Regarding {
  return { kind, key: { namespace: '', name }, uid };
}

export const hubEvents: Resource<undefined> = {
  group: '',
  version: 'v1',
  kind: 'Event',
  plural: 'events',
  namespaced: true,
  pageSize: 100,
  parse: () => undefined,
};
