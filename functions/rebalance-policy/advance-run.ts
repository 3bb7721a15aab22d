/** Decides the next step of a run: end, wait, observe the wave in flight, or start the next one. */
import { opensAt } from '../../shared/model/rebalance-policy/calendar.ts';
import { clustersOf, type PolicyRun } from '../../shared/model/rebalance-policy/policy-run.ts';
import { planOf, type RebalancePolicy, windowsOf } from '../../shared/model/rebalance-policy/rebalance-policy.ts';
import type { Instant } from '../../shared/model/time.ts';
import { count } from '../../shared/model/words.ts';
import type { WaveProgress } from './observe-wave.ts';
import type { End } from './run-transitions.ts';

export type NextStep =
  | { readonly step: 'Look' | 'Start' }
  /** Without `until`, only a change of the policy ends the wait. */
  | { readonly step: 'Wait'; readonly until?: Instant; readonly message: string }
  | { readonly step: 'End'; readonly end: End };

/**
 * A wave in flight is observed to its end, even if the policy changes: it can't be reverted, and the next one must
 * not start concurrently.
 */
export function nextStep(
  run: PolicyRun,
  { policy, isHealthy }: { readonly policy: RebalancePolicy; readonly isHealthy: (cluster: string) => boolean },
  now: Instant,
): NextStep {
  if (policy.deletionTimestamp !== undefined) return { step: 'End', end: deleted };
  if (run.inFlight !== undefined) return { step: 'Look' };
  const edited = planOf(policy) !== run.plan;
  if (edited) return superseded('the policy was edited; its new spec is planned');
  const failed = failedAgain(run, isHealthy);
  if (failed !== undefined) return superseded(failed);
  if (run.wavesDone < run.waves) return whenToStart(run, policy, now);
  const message = `${count(run.moved, 'replica')} moved in ${count(run.waves, 'wave')}`;
  return { step: 'End', end: { state: 'Finished', message } };
}

export const deleted: End = { state: 'Cancelled', message: 'the policy was deleted' };

function superseded(message: string): NextStep {
  return { step: 'End', end: { state: 'Superseded', message } };
}

/** As a message; undefined if all triggering clusters are healthy. */
function failedAgain({ triggers }: PolicyRun, isHealthy: (cluster: string) => boolean): string | undefined {
  const failed = clustersOf(triggers).find((name) => !isHealthy(name));
  return failed && `${failed} is no longer healthy; the rest waits until it is`;
}

function whenToStart(run: PolicyRun, { spec }: RebalancePolicy, now: Instant): NextStep {
  if (spec.suspend) return { step: 'Wait', message: 'the policy is suspended' };
  if (run.notBefore > now) return { step: 'Wait', until: run.notBefore, message: 'the next wave is not to start yet' };
  const opens = opensAt(windowsOf(spec), now);
  if (opens === Number.POSITIVE_INFINITY) return { step: 'Wait', message: 'no window ever opens' };
  return opens > now ? { step: 'Wait', until: opens, message: 'no window is open' } : { step: 'Start' };
}

/** How the run ends with a wave that was not ready in time. Failures caused by an unhealthy cluster do not stop the policy. */
export function endOfLateWave(
  run: PolicyRun,
  { waitingFor }: WaveProgress,
  { policy, isHealthy }: { readonly policy: RebalancePolicy; readonly isHealthy: (cluster: string) => boolean },
): End {
  const failed = failedAgain(run, isHealthy);
  if (failed !== undefined) return { state: 'Superseded', message: failed };
  const named = waitingFor.slice(0, 3).join('; ');
  const more = waitingFor.length > 3 ? ` and ${waitingFor.length - 3} more` : '';
  const wave = `wave ${run.wavesDone + 1} of ${run.waves}`;
  const message = `${wave} was not ready within ${policy.spec.strategy.waves.readyWithin}: ${named}${more}`;
  return { state: 'Stopped', message, stoppedPlan: planOf(policy) };
}

/** For example, an admission policy with another account name, or a missing permission. */
export function endOfRejectedWave(run: PolicyRun, policy: RebalancePolicy, rejection: string): End {
  const message = `the hub rejected the WorkloadRebalancer of wave ${run.wavesDone + 1} of ${run.waves}: ${rejection}`;
  return { state: 'Stopped', message, stoppedPlan: planOf(policy) };
}
