/** `evenkeel rebalance --wait`: shows the progress of a rebalance until it is done, and sets the exit code. */
import { setTimeout as delay } from 'node:timers/promises';
import { SECOND } from '../../shared/core/time.ts';
import type { Hub } from '../../shared/kubernetes/hub.ts';
import { INTERRUPTED, interruptible } from '../interruptible.ts';
import { liveLine } from '../live-line.ts';
import { coloursOf } from '../terminal.ts';
import { type Followed, followRebalance, type Progress } from './follow-rebalance.ts';
import { progressLine, progressText, unfinished } from './print-progress.ts';

interface WaitOptions {
  readonly timeoutSeconds: number;
  /** For the progress and, for users, the result. */
  readonly stream: NodeJS.WriteStream;
  /** Receives the last progress, also after Ctrl-C. */
  readonly onEnd?: (progress: Progress) => void;
}

/** Maximum number of printed workloads; the object's status contains all. */
const SHOWN = 10;

/** The exit code. */
export function waitForRebalance(hub: Hub, followed: Followed, waiting: WaitOptions): Promise<number> {
  return interruptible(async (signal) => {
    const { stream, timeoutSeconds } = waiting;
    const began = Date.now();
    const line = liveLine(stream);
    const colours = coloursOf(stream);
    const progress = await followRebalance(hub, followed, {
      now: Date.now,
      pause: (ms) => delay(ms, undefined, { signal }).catch(() => undefined),
      until: began + timeoutSeconds * SECOND,
      stopped: () => signal.aborted,
      report: (seen) =>
        line.show((width) => progressLine(seen, { width, ms: Date.now() - began, colours }), progressText(seen)),
    });
    line.clear();
    waiting.onEnd?.(progress);
    return signal.aborted ? stopped(followed) : finish(followed, progress, { ...waiting, ms: Date.now() - began });
  });
}

function stopped({ name }: Followed): number {
  const again = `check with: evenkeel get task ${name}, or kubectl get workloadrebalancer ${name} -o yaml`;
  process.stderr.write(`evenkeel: stopped waiting, the rebalance continues; ${again}\n`);
  return INTERRUPTED;
}

function finish(
  followed: Followed,
  progress: Progress,
  { stream, ms, timeoutSeconds }: WaitOptions & { ms: number },
): number {
  const { total, counts, gone } = progress;
  // In a pipe, the last line already contains the result.
  if (stream.isTTY) stream.write(`${progressText(progress)} in ${Math.round(ms / SECOND)} s\n`);
  if (gone) process.stderr.write(`evenkeel: the object is already deleted, by its ttl or by a user\n`);
  if (counts.rescheduled === total) return 0;
  const lines = unfinished(followed, progress);
  for (const each of lines.slice(0, SHOWN)) process.stderr.write(`evenkeel: ${each}\n`);
  if (lines.length > SHOWN) process.stderr.write(`evenkeel: and ${lines.length - SHOWN} more\n`);
  if (counts.waiting + counts.triggered > 0)
    process.stderr.write(
      `evenkeel: not done after ${timeoutSeconds} s; wait longer with --timeout, or check with: evenkeel get task ${followed.name}\n`,
    );
  return 1;
}
