/** Runs an action for each item with limited concurrency. The first failure stops it, after running actions have ended. */
import { asFault, type Fault } from './fault.ts';

export async function eachAtOnce<T, R>(
  items: readonly T[],
  atOnce: number,
  act: (item: T) => Promise<R>,
): Promise<readonly R[]> {
  const results: R[] = [];
  const left = items.entries();
  let failed = false;
  const work = async () => {
    for (const [place, item] of left) {
      if (failed) return;
      try {
        results[place] = await act(item);
      } catch (thrown) {
        failed = true;
        throw thrown;
      }
    }
  };
  const ended = await Promise.allSettled(Array.from({ length: atOnce }, work));
  for (const each of ended) if (each.status === 'rejected') throw each.reason;
  return results;
}

/** The result of an action for one item, or its fault. */
export interface ItemResult<T, R> {
  readonly item: T;
  readonly value?: R;
  readonly fault?: Fault;
}

/** The same, but a failure affects only its own item. */
export function tryEach<T, R>(
  items: readonly T[],
  atOnce: number,
  act: (item: T) => Promise<R>,
): Promise<readonly ItemResult<T, R>[]> {
  return eachAtOnce(items, atOnce, async (item) => {
    try {
      return { item, value: await act(item) };
    } catch (thrown) {
      return { item, fault: asFault(thrown) };
    }
  });
}
