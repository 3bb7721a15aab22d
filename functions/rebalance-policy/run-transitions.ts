/** The steps of a run, each as the next state. */

import type { Instant } from '../../shared/core/time.ts';
import type {
  HandledTriggers,
  PolicyRun,
  PolicyWithRun,
  RunState,
  Trigger,
  WaveInFlight,
} from '../../shared/rebalance-policy/policy-run.ts';

/** A wave starts; postponed workloads become a new wave at the end. */
export function waveStarted(
  { run: { heldBy: _, ...run }, ...state }: PolicyWithRun,
  { inFlight, skipped, later }: { readonly inFlight: WaveInFlight; readonly skipped: number; readonly later: number },
): PolicyWithRun {
  const waves = run.waves + (later > 0 ? 1 : 0);
  return { ...state, run: { ...run, inFlight, waves, skipped: run.skipped + skipped } };
}

/** No workload of the wave moves now; it is retried if some were only postponed. */
export function waveHeld(
  { run, ...state }: PolicyWithRun,
  {
    skipped,
    later,
    ...held
  }: Pick<PolicyRun, 'notBefore' | 'heldBy'> & { readonly skipped: number; readonly later: number },
): PolicyWithRun {
  if (later === 0) return { ...state, run: { ...run, wavesDone: run.wavesDone + 1, skipped: run.skipped + skipped } };
  return { ...state, run: { ...run, ...held, skipped: run.skipped + skipped } };
}

/** The wave's WorkloadRebalancer exists. */
export function rebalancerCreated(
  { run, ...state }: PolicyWithRun,
  inFlight: WaveInFlight,
  rebalancerUid: string,
): PolicyWithRun {
  return { ...state, run: { ...run, inFlight: { ...inFlight, rebalancerUid } } };
}

/** The wave in flight has ended. */
export function waveDone(
  { run: { inFlight: _, ...run }, ...state }: PolicyWithRun,
  { moved, notBefore }: { readonly moved: number; readonly notBefore: Instant },
): PolicyWithRun {
  return { ...state, run: { ...run, wavesDone: run.wavesDone + 1, moved: run.moved + moved, notBefore } };
}

export interface End {
  readonly state: Exclude<RunState, 'Running'>;
  readonly message: string;
  /** The plan for which no further run starts. */
  readonly stoppedPlan?: string;
}

/** A superseded run's triggers are restored, and so planned again. */
export function runEnded(
  { run: { inFlight: _, ...run }, ...state }: PolicyWithRun,
  { stoppedPlan, ...end }: End,
  now: Instant,
): PolicyWithRun {
  const answered = end.state === 'Superseded' ? unanswered(state.answered, run) : state.answered;
  return { ...state, answered, run: { ...run, ...end, finishedAt: now }, ...(stoppedPlan && { stoppedPlan }) };
}

function unanswered(answered: HandledTriggers, { triggers, before }: PolicyRun): HandledTriggers {
  const clusters = { ...answered.clusters };
  for (const trigger of triggers) {
    if (!('uid' in trigger) || clusters[trigger.uid] !== trigger.at) continue;
    const earlier = before.clusters[trigger.uid];
    if (earlier === undefined) delete clusters[trigger.uid];
    else clusters[trigger.uid] = earlier;
  }
  const handledBy = (type: Trigger['type']) => (triggers.some((trigger) => trigger.type === type) ? before : answered);
  const { calendar } = handledBy('Schedule');
  const { requestedAt } = handledBy('Requested');
  return { clusters, ...(calendar && { calendar }), ...(requestedAt !== undefined && { requestedAt }) };
}
