/** Lists the bindings of a hub page by page. */

import type { Hub } from '../kubernetes/hub.ts';
import { pagesIfServed } from '../kubernetes/list-all.ts';
import { keyText } from '../kubernetes/object-key.ts';
import type { Resource } from '../kubernetes/resource.ts';
import { type PlacedBinding, placedBindings, placedClusterBindings } from './placed-binding.ts';
import type { RestOfList } from './resync-position.ts';

export type BindingPages = AsyncIterable<readonly PlacedBinding[]>;

/** The message for a hub without bindings: an Open Cluster Management hub, or one without Karmada. */
export const NO_BINDINGS = 'the hub does not know ResourceBindings';

interface ListBindingsOptions {
  /** As in ListOptions, for each kind. */
  readonly onVersion?: (kind: Resource<PlacedBinding>, resourceVersion: string) => void;
  readonly from?: RestOfList | undefined;
  /** Receives what is left after each page, undefined after the last. */
  readonly onHandled?: (rest: RestOfList | undefined) => void;
}

/** Namespaced ones first; undefined if the hub serves none. */
export async function listBindings(
  hub: Hub,
  { onVersion, from, onHandled }: ListBindingsOptions = {},
): Promise<BindingPages | undefined> {
  const first = { plural: placedClusterBindings.plural, token: '' };
  const optionsOf = (kind: Resource<PlacedBinding>) => ({
    onVersion: (version: string) => onVersion?.(kind, version),
    ...(from?.plural === kind.plural && { from: from.token }),
    onHandled: (token: string) => {
      const after = kind === placedBindings ? first : undefined;
      onHandled?.(token === '' ? after : { plural: kind.plural, token });
    },
  });
  const others = hub.list(placedClusterBindings, optionsOf(placedClusterBindings));
  if (from?.plural === placedClusterBindings.plural) return others;
  const namespaced = await pagesIfServed(hub, placedBindings, optionsOf(placedBindings));
  return namespaced && inTurn(namespaced, others);
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
