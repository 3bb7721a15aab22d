/** Lists the bindings that a resync compares: those that changed since its position, or all of them. */

import type { Fault } from '../core/fault.ts';
import { groupBy } from '../core/group-by.ts';
import type { Hub } from '../kubernetes/hub.ts';
import { changesOf } from '../kubernetes/list-all.ts';
import type { Resource } from '../kubernetes/resource.ts';
import { type BindingPages, listBindings } from './list-bindings.ts';
import { type PlacedBinding, placedBindings, placedClusterBindings, placedKind } from './placed-binding.ts';
import { keyOfText, type RestOfComparison, type RestOfList, type ResyncPosition } from './resync-position.ts';

const kinds: readonly Resource<PlacedBinding>[] = [placedBindings, placedClusterBindings];

export interface ListedBindings {
  readonly pages: BindingPages;
  /** By plural: the pages have all changes up to this version. */
  readonly versions: Readonly<Record<string, string>>;
  /** Whether the pages have every binding, with those that were compared before. */
  readonly isComplete: boolean;
  /** What an earlier invocation compared of them. */
  readonly before?: ComparedBefore;
  /** What is not handled yet of a list of every binding, once a page is. */
  readonly rest: () => RestOfList | undefined;
}

/** The part of a comparison that an earlier invocation did. */
export type ComparedBefore = Pick<RestOfComparison, 'began' | 'counts'> & Pick<ResyncPosition, 'open'>;

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
  return { pages: onePage(page), versions, isComplete: false, rest: () => undefined };
}

/**
 * Every binding, or the rest of them after an earlier invocation; undefined if the hub serves none. `versions` is complete when the pages are
 * read: those of the first page of each kind, so that what changed while it was listed is followed later.
 */
export async function listAllBindings(hub: Hub, from?: ResyncPosition): Promise<ListedBindings | undefined> {
  const versions: Record<string, string> = { ...from?.versions };
  let left: RestOfList | undefined;
  const pages = await listBindings(hub, {
    from: from?.rest,
    onVersion: ({ plural }, version) => {
      versions[plural] = version;
    },
    onHandled: (rest) => {
      left = rest;
    },
  });
  const before = from?.rest && { ...from.rest, open: from.open };
  return pages && { pages, versions, isComplete: true, ...(before && { before }), rest: () => left };
}

/** Those that changed since the position, or all without one, or if the changes can't be followed, or what is left of all. Undefined if the hub serves none. */
export async function listBindingsSince(
  hub: Hub,
  from: ResyncPosition | undefined,
): Promise<ListedBindings | undefined> {
  if (from?.rest !== undefined) return listAllBindings(hub, from);
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
