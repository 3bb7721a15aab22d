/** Waves that wait until a user approves them, by an annotation of the policy or drain. */
import type { PolicyRun } from './policy-run.ts';

/** "<run>/<waves>": so many waves of that run are approved, or "<run>/All". */
export const APPROVED = 'evenkeel.dev/approved';

export function approvalText(run: string, waves: number | 'All'): string {
  return `${run}/${waves}`;
}

export interface WaveApprovals {
  /** Of the strategy: which waves wait. */
  readonly approval: 'None' | 'AfterFirstWave' | 'EachWave';
  /** The annotation. */
  readonly approved?: string | undefined;
}

/** Why the next wave of the run does not start; undefined if it is approved, or needs no approval. */
export function whyNotApproved(
  { approval, approved }: WaveApprovals,
  { run, waves, wavesDone }: Pick<PolicyRun, 'run' | 'waves' | 'wavesDone'>,
): string | undefined {
  if (!isGated(approval, wavesDone) || approvedWaves(approved, run) > wavesDone) return undefined;
  return `wave ${wavesDone + 1} of ${waves} waits for approval: evenkeel approve ${run}`;
}

/** `number`: of the wave, 0-based. */
function isGated(approval: WaveApprovals['approval'], number: number): boolean {
  return approval === 'EachWave' || (approval === 'AfterFirstWave' && number === 1);
}

/** The approval of another run, and any other text, approves nothing. */
function approvedWaves(approved: string | undefined, run: string): number {
  if (approved === approvalText(run, 'All')) return Number.POSITIVE_INFINITY;
  const waves = approved?.startsWith(`${run}/`) ? approved.slice(run.length + 1) : '';
  return /^[0-9]{1,6}$/.test(waves) ? Number(waves) : 0;
}
