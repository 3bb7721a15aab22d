/** Lists the bindings that a resync compares: those that changed since its position, or all of them. */

import type { Fault } from '../core/fault.ts';
import { groupBy } from '../core/group-by.ts';
import type { Hub } from '../kubernetes/hub.ts';
import { changesOf } from '../kubernetes/list-all.ts';
import type { Resource } from '../kubernetes/resource.ts';
import { type BindingPages, listBindings } from './list-bindings.ts';
import { type PlacedBinding, placedBindings, placedClusterBindings, placedKind } from './placed-binding.ts';
import { keyOfText, type ResyncPosition } from './resync-position.ts';

const kinds: readonly Resource<PlacedBinding>[] = [placedBindings, placedClusterBindings];

export interface ListedBindings {
  readonly pages: BindingPages;
  /** By plural: the pages have all changes up to this version. */
  readonly versions: Readonly<Record<string, string>>;
  /** Whether the pages have every binding. */
  readonly isComplete: boolean;
}

/** Changed ones, and those that are open in the position. Undefined if the changes can't be followed. */
export async function listChangedBindings(
  hub: Hub,
  { versions: from, open }: Pick<ResyncPosition, 'versions' | 'open'>,
): Promise<ListedBindings | undefined> {
  const changes = await changesOf(hub, kinds, from);
  if (changes === undefined) return undefined;
  const { changed, versions } = changes;
  const unchanged = await readBindings(
    hub,
    open.filter((key) => !changed.has(key)),
  );
  const page = [...changed.values(), ...unchanged].filter((binding) => binding !== undefined);
  return { pages: onePage(page), versions, isComplete: false };
}

/** Every binding; undefined if the hub serves none. `versions` is complete when the pages are read. */
export async function listAllBindings(hub: Hub): Promise<ListedBindings | undefined> {
  const versions: Record<string, string> = {};
  const pages = await listBindings(hub, ({ plural }, version) => {
    versions[plural] = version;
  });
  return pages && { pages, versions, isComplete: true };
}

/** Those that changed since the position, or all without one, or if the changes can't be followed. Undefined if the hub serves none. */
export async function listBindingsSince(
  hub: Hub,
  from: ResyncPosition | undefined,
): Promise<ListedBindings | undefined> {
  return (from && (await listChangedBindings(hub, from))) ?? (await listAllBindings(hub));
}

async function readBindings(hub: Hub, open: readonly string[]): Promise<readonly PlacedBinding[]> {
  const ofKind = groupBy(open.map(keyOfText), ({ namespace }) => placedKind({ namespace }));
  const found = await Promise.all([...ofKind].map(([kind, keys]) => hub.getMany(kind, keys, unlessInvalid)));
  return found.flatMap((objects) => [...objects.values()]);
}

/** An invalid binding is omitted, as by a list. One that could not be read now must stay open. */
function unlessInvalid(fault: Fault): void {
  if (fault.retryClass !== 'terminal') throw fault;
}

async function* onePage(page: readonly PlacedBinding[]): BindingPages {
  yield page;
}
