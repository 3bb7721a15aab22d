/** Reads the bindings of a hub page by page, for whoever looks through all of them. */
import { type PlacedBinding, placedBindings, placedClusterBindings } from '../model/placed-binding.ts';
import type { Hub } from '../ports/hub.ts';
import { pagesIfServed } from './list-all.ts';

export type BindingPages = AsyncIterable<readonly PlacedBinding[]>;

/** What is said of a hub that serves no bindings: one of Open Cluster Management, or one that Karmada is still to be installed on. */
export const NO_BINDINGS = 'the hub does not know ResourceBindings';

/** Namespaced ones first; undefined where the hub serves none. */
export async function listBindings(hub: Hub): Promise<BindingPages | undefined> {
  const namespaced = await pagesIfServed(hub, placedBindings);
  return namespaced && withClusterBindings(namespaced, hub);
}

async function* withClusterBindings(namespaced: BindingPages, hub: Hub): AsyncGenerator<readonly PlacedBinding[]> {
  yield* namespaced;
  for await (const page of hub.list(placedClusterBindings)) yield page;
}
