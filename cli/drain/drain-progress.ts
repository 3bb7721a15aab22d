/** Decides from the status of a ClusterDrain whether it is over, and what is printed. */
import type { RebalancePolicy } from '../../shared/rebalance-policy/rebalance-policy.ts';

export interface DrainProgress {
  /** "Running: wave 2 of 5 …"; empty before the functions have written a status. */
  readonly text: string;
  /** Absent while it goes on. */
  readonly end?: 'Drained' | 'Left' | 'Stopped' | 'Invalid' | 'Over' | 'Gone';
}

/** `drain`: as it was read; undefined if it was deleted. */
export function drainProgress(drain: RebalancePolicy | undefined): DrainProgress {
  if (drain === undefined) return { text: 'the ClusterDrain was deleted', end: 'Gone' };
  const { observedGeneration, state = '', message = '', conditions = [], lastRun } = drain.status;
  if (observedGeneration !== drain.generation) return { text: '' };
  const drained = conditions.find(({ type }) => type === 'Drained');
  if (state === 'Invalid' || state === 'Stopped' || state === 'Over') return { text: message, end: state };
  if (drained?.status === 'True') return { text: drained.message, end: 'Drained' };
  if (drained?.reason === 'WorkloadsLeft') return { text: drained.message, end: 'Left' };
  if (drained?.reason === 'Waiting') return { text: drained.message };
  // The message of a finished run has the number.
  const moved = lastRun?.state === 'Running' ? `, ${lastRun.moved} replicas moved` : '';
  return { text: `${message}${moved}` };
}
