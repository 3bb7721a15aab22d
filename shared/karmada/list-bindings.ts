/** Lists the bindings of a hub page by page. */

import type { Hub } from '../kubernetes/hub.ts';
import { pagesIfServed } from '../kubernetes/list-all.ts';
import { keyText } from '../kubernetes/object-key.ts';
import type { Resource } from '../kubernetes/resource.ts';
import { type PlacedBinding, placedBindings, placedClusterBindings } from './placed-binding.ts';

export type BindingPages = AsyncIterable<readonly PlacedBinding[]>;

/** The message for a hub without bindings: an Open Cluster Management hub, or one without Karmada. */
export const NO_BINDINGS = 'the hub does not know ResourceBindings';

/** Namespaced ones first; undefined if the hub serves none. `onVersion` as in ListOptions. */
export async function listBindings(
  hub: Hub,
  onVersion: (kind: Resource<PlacedBinding>, resourceVersion: string) => void = () => undefined,
): Promise<BindingPages | undefined> {
  const optionsOf = (kind: Resource<PlacedBinding>) => ({ onVersion: (version: string) => onVersion(kind, version) });
  const namespaced = await pagesIfServed(hub, placedBindings, optionsOf(placedBindings));
  return namespaced && inTurn(namespaced, hub.list(placedClusterBindings, optionsOf(placedClusterBindings)));
}

/** All of them at once; none if the hub serves none. A restarted list may return a binding twice: the last one read wins. */
export async function allBindings(hub: Hub): Promise<readonly PlacedBinding[]> {
  const found = new Map<string, PlacedBinding>();
  for await (const page of (await listBindings(hub)) ?? [])
    for (const binding of page) found.set(keyText(binding.metadata), binding);
  return [...found.values()];
}

async function* inTurn(first: BindingPages, second: BindingPages): AsyncGenerator<readonly PlacedBinding[]> {
  yield* first;
  yield* second;
}
