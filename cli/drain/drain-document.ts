/** The result of a drain, for -o json and -o yaml. */
import type { RebalancePolicy } from '../../shared/rebalance-policy/rebalance-policy.ts';
import { drainProgress } from './drain-progress.ts';

/** `drain`: as it was last read; undefined if it was deleted. */
export function drainDocument(cluster: string, drain: RebalancePolicy | undefined): object {
  const { text, end = 'InProgress' } = drainProgress(drain);
  const { lastRun } = drain?.status ?? {};
  return {
    cluster,
    drained: end === 'Drained',
    outcome: end,
    message: text,
    ...(lastRun && { run: lastRun.name, moved: lastRun.moved }),
  };
}
