/** Lists the bindings of a hub page by page. */

import type { Hub } from '../kubernetes/hub.ts';
import { pagesIfServed } from '../kubernetes/list-all.ts';
import { keyText } from '../kubernetes/object-key.ts';
import { type PlacedBinding, placedBindings, placedClusterBindings } from './placed-binding.ts';

export type BindingPages = AsyncIterable<readonly PlacedBinding[]>;

/** The message for a hub without bindings: an Open Cluster Management hub, or one without Karmada. */
export const NO_BINDINGS = 'the hub does not know ResourceBindings';

/** Namespaced ones first; undefined if the hub serves none. */
export async function listBindings(hub: Hub): Promise<BindingPages | undefined> {
  const namespaced = await pagesIfServed(hub, placedBindings);
  return namespaced && withClusterBindings(namespaced, hub);
}

/** All of them at once; none if the hub serves none. A restarted list may return a binding twice: the last one read wins. */
export async function allBindings(hub: Hub): Promise<readonly PlacedBinding[]> {
  const found = new Map<string, PlacedBinding>();
  for await (const page of (await listBindings(hub)) ?? [])
    for (const binding of page) found.set(keyText(binding.metadata), binding);
  return [...found.values()];
}

async function* withClusterBindings(namespaced: BindingPages, hub: Hub): AsyncGenerator<readonly PlacedBinding[]> {
  yield* namespaced;
  for await (const page of hub.list(placedClusterBindings)) yield page;
}
