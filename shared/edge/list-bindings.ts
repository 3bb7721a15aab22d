/** Lists the bindings of a hub page by page. */
import { type PlacedBinding, placedBindings, placedClusterBindings } from '../model/placed-binding.ts';
import type { Hub } from '../ports/hub.ts';
import { pagesIfServed } from './list-all.ts';

export type BindingPages = AsyncIterable<readonly PlacedBinding[]>;

/** The message for a hub without bindings: an Open Cluster Management hub, or one without Karmada. */
export const NO_BINDINGS = 'the hub does not know ResourceBindings';

/** Namespaced ones first; undefined if the hub serves none. */
export async function listBindings(hub: Hub): Promise<BindingPages | undefined> {
  const namespaced = await pagesIfServed(hub, placedBindings);
  return namespaced && withClusterBindings(namespaced, hub);
}

async function* withClusterBindings(namespaced: BindingPages, hub: Hub): AsyncGenerator<readonly PlacedBinding[]> {
  yield* namespaced;
  for await (const page of hub.list(placedClusterBindings)) yield page;
}
