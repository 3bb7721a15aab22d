/** Which rows or columns of a long list are in view, so that only those are drawn. */

export interface Span {
  /** The first in view, and the first behind it. */
  readonly from: number;
  readonly to: number;
}

export interface Track {
  readonly count: number;
  /** Pixels of each. */
  readonly size: number;
}

export function spanInView({ count, size }: Track, scrolled: number, room: number): Span {
  if (count === 0 || room <= 0) return { from: 0, to: 0 };
  // A browser scrolls a little beyond either end and springs back.
  const from = Math.min(Math.max(0, Math.floor(scrolled / size)), count);
  return { from, to: Math.min(count, Math.max(from, Math.ceil((scrolled + room) / size))) };
}

/** Where to scroll so that the one at `index` is wholly in view, moving as little as possible. */
export function scrolledTo(
  { size }: Track,
  index: number,
  view: { readonly scrolled: number; readonly room: number },
): number {
  const start = index * size;
  if (start < view.scrolled) return start;
  return Math.max(view.scrolled, start + size - view.room);
}
