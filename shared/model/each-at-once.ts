/** Runs an action for each item with limited concurrency. The first failure stops it, after running actions have ended. */

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
