/** Follows a ClusterDrain until it is over, the time has passed, or the user interrupts, and decides the exit code. */
import { setTimeout as delay } from 'node:timers/promises';
import { SECOND } from '../../shared/core/time.ts';
import type { Hub } from '../../shared/kubernetes/hub.ts';
import { clusterDrains } from '../../shared/rebalance-policy/cluster-drain.ts';
import type { RebalancePolicy } from '../../shared/rebalance-policy/rebalance-policy.ts';
import { cut } from '../aligned.ts';
import { INTERRUPTED, interruptible } from '../interruptible.ts';
import { liveLine } from '../live-line.ts';
import { type DrainProgress, drainProgress } from './drain-progress.ts';

export interface FollowedDrain {
  readonly cluster: string;
  readonly name: string;
  readonly timeoutSeconds: number;
}

interface FollowOptions {
  /** For the progress and, for users, the result. */
  readonly stream: NodeJS.WriteStream;
  /** Receives the drain as it was last read, also after Ctrl-C; undefined if it was deleted. */
  readonly onEnd?: (drain: RebalancePolicy | undefined) => void;
}

const POLL_MS = 1000;

/** 0: drained; 1: not, or not in time; 130: interrupted. */
export function followDrain(hub: Hub, drain: FollowedDrain, { stream, onEnd }: FollowOptions): Promise<number> {
  return interruptible(async (signal) => {
    const line = liveLine(stream);
    const until = Date.now() + drain.timeoutSeconds * SECOND;
    for (;;) {
      const read = await hub.get(clusterDrains, { namespace: '', name: drain.name });
      const progress = drainProgress(read);
      if (progress.end !== undefined) {
        line.clear();
        onEnd?.(read);
        return finish(drain, progress, stream);
      }
      if (progress.text !== '') line.show((width) => cut(progress.text, width - 1), progress.text);
      if (signal.aborted || Date.now() >= until) {
        line.clear();
        onEnd?.(read);
        return signal.aborted ? stopped(drain) : late(drain, progress);
      }
      await delay(POLL_MS, undefined, { signal }).catch(() => undefined);
    }
  });
}

function finish({ cluster }: FollowedDrain, { end, text }: DrainProgress, stream: NodeJS.WriteStream): number {
  if (end === 'Drained') {
    stream.write(`${cluster} is drained: ${text}\n`);
    return 0;
  }
  process.stderr.write(`evenkeel: ${cluster} is not drained: ${text}${nextStepOf(end, cluster)}\n`);
  return 1;
}

function nextStepOf(end: DrainProgress['end'], cluster: string): string {
  switch (end) {
    case 'Left':
      return '; the drain goes on when they can move';
    case 'Gone':
      return '; another user ended the drain';
    case 'Over':
      return `, or delete the ClusterDrain with: evenkeel uncordon ${cluster}`;
    default:
      return `; edit the ClusterDrain, or end it with: evenkeel uncordon ${cluster}`;
  }
}

function stopped({ cluster }: FollowedDrain): number {
  process.stderr.write(
    `evenkeel: stopped waiting, the drain goes on; follow it with: evenkeel drain ${cluster}; end it with: evenkeel uncordon ${cluster}\n`,
  );
  return INTERRUPTED;
}

function late({ cluster, name, timeoutSeconds }: FollowedDrain, { text }: DrainProgress): number {
  const what =
    text === ''
      ? 'no function has picked it up: evenkeel hub check --drains lists what the hub lacks'
      : `${text}; wait longer with --timeout, or check with: kubectl get clusterdrain ${name}`;
  process.stderr.write(`evenkeel: ${cluster} is not drained after ${timeoutSeconds} s: ${what}\n`);
  return 1;
}
