/** Computes the visible rows or columns of a long list, so that only those are rendered. */

export interface IndexRange {
  /** The first visible index, and the first index after it. */
  readonly from: number;
  readonly to: number;
}

export interface Track {
  readonly count: number;
  /** Pixels of each. */
  readonly size: number;
}

export function spanInView({ count, size }: Track, scrolled: number, extent: number): IndexRange {
  if (count === 0 || extent <= 0) return { from: 0, to: 0 };
  // A browser may overscroll at either end.
  const from = Math.min(Math.max(0, Math.floor(scrolled / size)), count);
  return { from, to: Math.min(count, Math.max(from, Math.ceil((scrolled + extent) / size))) };
}

/** The scroll offset that makes `index` fully visible with the least movement. */
export function scrolledTo(
  { size }: Track,
  index: number,
  view: { readonly scrolled: number; readonly extent: number },
): number {
  const start = index * size;
  if (start < view.scrolled) return start;
  return Math.max(view.scrolled, start + size - view.extent);
}
