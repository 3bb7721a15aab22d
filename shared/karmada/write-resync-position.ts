/** Compares the bindings of a hub page by page, and writes where the next resync of the function goes on. */
import type { Instant } from '../core/time.ts';
import type { ListedBindings } from './list-changed-bindings.ts';
import type { PlacedBinding } from './placed-binding.ts';
import {
  type Comparison,
  type PositionKey,
  positionAfter,
  positionWithin,
  type ResyncPosition,
  type ResyncPositions,
  type StoredPosition,
} from './resync-position.ts';

/** Numbers for the log and the metrics, of what was compared so far. */
type ComparedCounts = Comparison['counts'];

export interface ComparedPage<C extends ComparedCounts> {
  /** keyText of its bindings that the next resync reads although they did not change. */
  readonly open: readonly string[];
  /** With those of earlier pages. */
  readonly counts: C;
}

export interface PageComparison<C extends ComparedCounts> {
  readonly none: C;
  readonly comparePage: (page: readonly PlacedBinding[], before: C) => Promise<ComparedPage<C>>;
  /** What else the decisions depended on, read when the position is saved. */
  readonly dependsOn: () => Pick<ResyncPosition, 'context'> & Partial<Pick<ResyncPosition, 'versions'>>;
}

export interface ComparedFrom {
  readonly key: PositionKey;
  readonly position: StoredPosition | undefined;
  readonly positions: ResyncPositions;
  readonly startedAt: Instant;
}

/** Returns the numbers of all pages, with those of an earlier invocation that this one goes on from. A fault of a page is thrown after the position is saved. */
export async function compareBindings<C extends ComparedCounts>(
  { pages, versions, isComplete, before, rest }: ListedBindings,
  { none, comparePage, dependsOn }: PageComparison<C>,
  { key, position, positions, startedAt }: ComparedFrom,
): Promise<C> {
  let counts: C = { ...none, ...before?.counts };
  const open = [...(before?.open ?? [])];
  const compared = (): Comparison => {
    const { context, versions: others } = dependsOn();
    const began = before?.began ?? startedAt;
    return { versions: { ...others, ...versions }, open, context, isComplete, began, counts };
  };
  try {
    for await (const page of pages) {
      const result = await comparePage(page, counts);
      open.push(...result.open);
      counts = result.counts;
    }
  } catch (thrown) {
    const within = positionWithin(compared(), rest());
    if (within !== undefined) await positions.save(key, within, position);
    throw thrown;
  }
  await positions.save(key, positionAfter(compared(), position), position);
  return counts;
}
