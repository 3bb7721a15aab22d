/** Decides the next step of a run: end, wait, start a wave, create its rebalancer, or observe it in flight. */

import { count } from '../../shared/core/count.ts';
import { Fault } from '../../shared/core/fault.ts';
import type { Outcome } from '../../shared/core/invocation.ts';
import { type Instant, SECOND } from '../../shared/core/time.ts';
import type { Member } from '../../shared/karmada/member-cluster.ts';
import type { ObjectEvent } from '../../shared/kubernetes/object-event.ts';
import { referenceLabel } from '../../shared/kubernetes/object-reference.ts';
import { whyNotApproved } from '../../shared/rebalance-policy/approval.ts';
import { opensAt } from '../../shared/rebalance-policy/calendar.ts';
import { isOver } from '../../shared/rebalance-policy/cluster-drain.ts';
import {
  clustersOf,
  isLeftAlone,
  type PolicyRun,
  type PolicyWithRun,
  type Wave,
  type WaveInFlight,
} from '../../shared/rebalance-policy/policy-run.ts';
import { durationMs, planOf, type RebalancePolicy, windowsOf } from '../../shared/rebalance-policy/rebalance-policy.ts';
import { movingIn } from './fill-wave.ts';
import type { WaveProgress } from './observe-wave.ts';
import { type End, waveDone, waveHeld, waveStarted } from './run-transitions.ts';
import { rebalancerName } from './wave-rebalancer.ts';

/** Longer than a wave may take, so that the lease outlives every check of the wave. */
const LEASE_MARGIN = 600 * SECOND;

export interface Wait extends Outcome {
  /** Absent if only a change of the policy ends the wait. */
  readonly until?: Instant;
  /** For users who are to act. */
  readonly objectEvent?: ObjectEvent;
}

export type RunStep =
  | { readonly step: 'Start' }
  | { readonly step: 'Create' | 'Observe'; readonly inFlight: WaveInFlight }
  | { readonly step: 'Wait'; readonly wait: Wait }
  | { readonly step: 'End'; readonly end: End };

/**
 * A wave in flight is observed to its end, even if the policy changes: it can't be reverted, and the next one must
 * not start concurrently.
 */
export function nextStep(
  run: PolicyRun,
  { policy, members }: { readonly policy: RebalancePolicy; readonly members: readonly Member[] },
  now: Instant,
): RunStep {
  if (policy.deletionTimestamp !== undefined) return { step: 'End', end: deleted };
  const { inFlight } = run;
  if (inFlight !== undefined) return { step: inFlight.rebalancerUid === undefined ? 'Create' : 'Observe', inFlight };
  if (isOver(policy, now)) return { step: 'End', end: over };
  const edited = planOf(policy) !== run.plan;
  if (edited) return superseded('the policy was edited; its new spec is planned');
  const failed = failedAgain(run, members);
  if (failed !== undefined) return superseded(failed);
  if (run.wavesDone < run.waves) return whenToStart(run, policy, now);
  const message = `${count(run.moved, 'replica')} moved in ${count(run.waves, 'wave')}`;
  return { step: 'End', end: { state: 'Finished', message } };
}

export const deleted: End = { state: 'Cancelled', message: 'the policy was deleted' };
const over: End = { state: 'Cancelled', message: 'the time of the drain, spec.until, is over' };

/** The next wave as it is stored. Throws a retryable Fault if its row is missing. */
export function storedWave(wave: Wave | undefined, { wavesDone, run }: PolicyRun): Wave {
  if (wave !== undefined) return wave;
  throw new Fault('retryable', `wave ${wavesDone} of run ${run} is not in the table`, { reason: 'WaveLost' });
}

/** Until when a wave that starts now must be ready, and until when its workloads are leased. */
export function waveTimes({ spec }: RebalancePolicy, now: Instant): { readyBy: Instant; leasedUntil: Instant } {
  const readyBy = now + durationMs(spec.strategy.waves.readyWithin);
  return { readyBy, leasedUntil: readyBy + LEASE_MARGIN };
}

export interface WaveStart {
  readonly next: PolicyWithRun;
  /** Postponed workloads as a further wave; empty if the wave itself is retried. */
  readonly postponed: readonly Wave[];
  readonly outcome: Outcome;
}

/** `wave`: as planned. `workloads`: as stored for its start. `retryAt`: when postponed workloads are tried again if none moves. */
export function startWave(
  state: PolicyWithRun,
  { wave, workloads }: { readonly wave: Wave; readonly workloads: Wave['workloads'] },
  { startedAt, readyBy, retryAt }: Readonly<Record<'startedAt' | 'readyBy' | 'retryAt', Instant>>,
): WaveStart {
  const { run } = state;
  const later = workloads.filter(({ outcome }) => outcome === 'PutOff');
  const moving = movingIn(workloads).length;
  const settledBefore = wave.workloads.filter(isLeftAlone).length;
  const counts = { skipped: workloads.length - later.length - moving - settledBefore, later: later.length };
  const inFlight = { rebalancer: rebalancerName(state.name, run, wave.number), startedAt, readyBy };
  const isStarted = moving > 0;
  return {
    next: isStarted
      ? waveStarted(state, { inFlight, ...counts })
      : waveHeld(state, { ...heldUntil(later, retryAt), ...counts }),
    postponed: isStarted && later.length > 0 ? [{ ...wave, number: run.waves, workloads: later }] : [],
    outcome: { reason: `${waveOf(run, wave)}: ${count(moving, 'workload')} to move`, fields: { moving } },
  };
}

/** A wave none of whose workloads moves is tried again; if all wait for a budget, not before that allows the first of them. */
function heldUntil(
  later: Wave['workloads'],
  retryAt: Instant,
): { readonly notBefore: Instant; readonly heldBy?: string } {
  const [first] = later;
  if (first === undefined) return { notBefore: retryAt };
  const notBefore = Math.max(retryAt, Math.min(...later.map(({ until }) => until ?? retryAt)));
  const heldBy = `${count(later.length, 'workload')} put off, the first (${referenceLabel(first.workload)}): ${first.reason ?? ''}`;
  return { notBefore, heldBy };
}

/** The result of an observation: wait on, or the wave has ended, ready or late. */
export type WaveResult =
  | { readonly wait: Wait }
  | { readonly wait?: undefined; readonly isLate: boolean; readonly done: PolicyWithRun; readonly outcome: Outcome };

export function waveResult(
  state: PolicyWithRun,
  {
    wave,
    inFlight,
    progress,
  }: { readonly wave: Wave; readonly inFlight: WaveInFlight; readonly progress: WaveProgress },
  {
    policy,
    now,
    checkAgainAt,
  }: { readonly policy: RebalancePolicy; readonly now: Instant; readonly checkAgainAt: Instant },
): WaveResult {
  const { waitingFor, moved } = progress;
  const isLate = waitingFor.length > 0 && now >= inFlight.readyBy;
  if (waitingFor.length > 0 && !isLate) {
    const reason = `${waveOf(state.run, wave)}: ${count(waitingFor.length, 'workload')} not ready yet`;
    return { wait: { reason, fields: { first: waitingFor[0] }, until: Math.min(checkAgainAt, inFlight.readyBy) } };
  }
  const notBefore = now + durationMs(policy.spec.strategy.waves.pause);
  const outcome = { reason: `${waveOf(state.run, wave)} is ready`, fields: { moved } };
  return { isLate, done: waveDone(state, { moved, notBefore }), outcome };
}

function waveOf({ waves }: PolicyRun, { number }: Wave): string {
  return `wave ${number + 1} of ${waves}`;
}

function superseded(message: string): RunStep {
  return { step: 'End', end: { state: 'Superseded', message } };
}

/** As a message; undefined if all triggering clusters are healthy. */
function failedAgain({ triggers }: PolicyRun, members: readonly Member[]): string | undefined {
  const healthy = new Set(members.flatMap((member) => (member.healthy ? [member.cluster.name] : [])));
  const failed = clustersOf(triggers).find((name) => !healthy.has(name));
  return failed && `${failed} is no longer healthy; the rest waits until it is`;
}

function whenToStart(run: PolicyRun, policy: RebalancePolicy, now: Instant): RunStep {
  const { spec } = policy;
  if (spec.suspend) return waiting('the policy is suspended');
  const unapproved = whyNotApproved({ approval: spec.strategy.approval, approved: policy.approved }, run);
  if (unapproved !== undefined) return waitingForApproval(run, unapproved);
  if (run.notBefore > now) return waiting(run.heldBy ?? 'the next wave is not to start yet', run.notBefore);
  const opens = opensAt(windowsOf(spec), now);
  if (opens === Number.POSITIVE_INFINITY) return waiting('no window ever opens');
  return opens > now ? waiting('no window is open', opens) : { step: 'Start' };
}

function waiting(reason: string, until?: Instant): RunStep {
  return { step: 'Wait', wait: { reason, ...(until !== undefined && { until }) } };
}

/** One Event for each wave. */
function waitingForApproval(run: PolicyRun, reason: string): RunStep {
  const id = rebalancerName('approval', run, run.wavesDone);
  const objectEvent: ObjectEvent = { type: 'Normal', reason: 'WaitingForApproval', message: reason, id };
  return { step: 'Wait', wait: { reason, objectEvent } };
}

/** How the run ends with a wave that was not ready in time. Failures caused by an unhealthy cluster do not stop the policy. */
export function endOfLateWave(
  run: PolicyRun,
  { waitingFor }: WaveProgress,
  { policy, members }: { readonly policy: RebalancePolicy; readonly members: readonly Member[] },
): End {
  const failed = failedAgain(run, members);
  if (failed !== undefined) return { state: 'Superseded', message: failed };
  const named = waitingFor.slice(0, 3).join('; ');
  const more = waitingFor.length > 3 ? ` and ${waitingFor.length - 3} more` : '';
  const wave = `wave ${run.wavesDone + 1} of ${run.waves}`;
  const message = `${wave} was not ready within ${policy.spec.strategy.waves.readyWithin}: ${named}${more}`;
  return { state: 'Stopped', message, stoppedPlan: planOf(policy) };
}

export function endOfRejectedWave(run: PolicyRun, policy: RebalancePolicy, rejection: string): End {
  const message = `the hub rejected the WorkloadRebalancer of wave ${run.wavesDone + 1} of ${run.waves}: ${rejection}`;
  return { state: 'Stopped', message, stoppedPlan: planOf(policy) };
}
