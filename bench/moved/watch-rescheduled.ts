/** Observes when bindings are rescheduled: by a watch. */
import { watchLines } from '../../shared/kubernetes/client/watch-lines.ts';
import { openWatch } from '../bindings.ts';
import type { RebalanceArena } from '../rebalance/arena.ts';

/** Resolves when the watch is open. `at`: the moment at which as many bindings have been scheduled since then, by this machine's clock. */
export async function watchRescheduled(
  { admin, namespace, interruption }: RebalanceArena,
  count: number,
  withinMs: number,
): Promise<{ readonly at: Promise<number> }> {
  const since = Math.floor(Date.now() / 1000) * 1000;
  const signal = AbortSignal.any([interruption.signal, AbortSignal.timeout(withinMs)]);
  const text = await openWatch(admin, namespace, { signal, silentMs: withinMs });
  const at = rescheduledAt(text, { count, since });
  // It is awaited only after the rebalance, which may fail first.
  at.catch(() => undefined);
  return { at };
}

interface WatchedBinding {
  readonly object: {
    readonly metadata: { readonly name: string };
    readonly status?: { readonly lastScheduledTime?: string };
  };
}

async function rescheduledAt(
  text: AsyncIterable<string>,
  { count, since }: { readonly count: number; readonly since: number },
): Promise<number> {
  const scheduled = new Set<string>();
  for await (const lines of watchLines(text)) {
    for (const line of lines) {
      const { metadata, status } = (line as WatchedBinding).object;
      if (Date.parse(status?.lastScheduledTime ?? '') >= since) scheduled.add(metadata.name);
      if (scheduled.size === count) return performance.timeOrigin + performance.now();
    }
  }
  throw new Error(`the watch ended with ${scheduled.size} of ${count} bindings scheduled`);
}
