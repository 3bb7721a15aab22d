/** Decides what a run does next: end, wait, look at the wave in flight, or start the next one. */
import { opensAt } from '../../shared/model/rebalance-policy/calendar.ts';
import { clustersOf, type PolicyRun } from '../../shared/model/rebalance-policy/policy-run.ts';
import { planOf, type RebalancePolicy, windowsOf } from '../../shared/model/rebalance-policy/rebalance-policy.ts';
import type { Instant } from '../../shared/model/time.ts';
import { count } from '../../shared/model/words.ts';
import type { Looked } from './look-at-wave.ts';
import type { End } from './run-transitions.ts';

export type NextStep =
  | { readonly step: 'Look' | 'Start' }
  /** Without a time nothing by the clock ends it: a change of the policy does. */
  | { readonly step: 'Wait'; readonly until?: Instant; readonly message: string }
  | { readonly step: 'End'; readonly end: End };

/**
 * What is in flight is looked at to its end, whatever the policy says by now: a wave can't be taken back, and the next one must
 * not start beside it.
 */
export function nextStep(
  run: PolicyRun,
  { policy, isWell }: { readonly policy: RebalancePolicy; readonly isWell: (cluster: string) => boolean },
  now: Instant,
): NextStep {
  if (policy.deletionTimestamp !== undefined) return { step: 'End', end: deleted };
  if (run.inFlight !== undefined) return { step: 'Look' };
  const edited = planOf(policy) !== run.plan;
  if (edited) return superseded('the policy was edited; what it says now is planned anew');
  const failed = failedAgain(run, isWell);
  if (failed !== undefined) return superseded(failed);
  if (run.wavesDone < run.waves) return whenToStart(run, policy, now);
  const message = `${count(run.moved, 'replica')} moved in ${count(run.waves, 'wave')}`;
  return { step: 'End', end: { state: 'Finished', message } };
}

export const deleted: End = { state: 'Cancelled', message: 'the policy was deleted' };

function superseded(message: string): NextStep {
  return { step: 'End', end: { state: 'Superseded', message } };
}

/** In words; undefined where all clusters whose change set it off are well. */
function failedAgain({ triggers }: PolicyRun, isWell: (cluster: string) => boolean): string | undefined {
  const failed = clustersOf(triggers).find((name) => !isWell(name));
  return failed && `${failed} is not well any more; the rest waits until it is`;
}

function whenToStart(run: PolicyRun, { spec }: RebalancePolicy, now: Instant): NextStep {
  if (spec.suspend) return { step: 'Wait', message: 'the policy is suspended' };
  if (run.notBefore > now) return { step: 'Wait', until: run.notBefore, message: 'the next wave is not to start yet' };
  const opens = opensAt(windowsOf(spec), now);
  if (opens === Number.POSITIVE_INFINITY) return { step: 'Wait', message: 'no window ever opens' };
  return opens > now ? { step: 'Wait', until: opens, message: 'no window is open' } : { step: 'Start' };
}

/** How the run ends with a wave that was not ready in time. What the failing cluster brought about is nobody's to mend but its own. */
export function endOfLateWave(
  run: PolicyRun,
  { waitingFor }: Looked,
  { policy, isWell }: { readonly policy: RebalancePolicy; readonly isWell: (cluster: string) => boolean },
): End {
  const failed = failedAgain(run, isWell);
  if (failed !== undefined) return { state: 'Superseded', message: failed };
  const named = waitingFor.slice(0, 3).join('; ');
  const more = waitingFor.length > 3 ? ` and ${waitingFor.length - 3} more` : '';
  const wave = `wave ${run.wavesDone + 1} of ${run.waves}`;
  const message = `${wave} was not ready within ${policy.spec.strategy.waves.readyWithin}: ${named}${more}`;
  return { state: 'Stopped', message, stoppedPlan: planOf(policy) };
}

/** An admission policy that knows us by another name, or a right that is missing. */
export function endOfRefusedWave(run: PolicyRun, policy: RebalancePolicy, refusal: string): End {
  const message = `the hub refused the WorkloadRebalancer of wave ${run.wavesDone + 1} of ${run.waves}: ${refusal}`;
  return { state: 'Stopped', message, stoppedPlan: planOf(policy) };
}
