/** Decides what is kept of a policy once it was evaluated: a run that begins, one that had nothing to do, or only what it has answered. */
import type { PlannedRun } from '../../shared/model/rebalance-policy/plan-run.ts';
import type {
  Answered,
  PolicyRun,
  PolicyState,
  RunRecord,
  Trigger,
  Wave,
  WorkloadDecision,
} from '../../shared/model/rebalance-policy/policy-run.ts';
import { durationMs, planOf, type RebalancePolicy } from '../../shared/model/rebalance-policy/rebalance-policy.ts';
import { isSameJson } from '../../shared/model/same-json.ts';
import { type Instant, SECOND, toTimestamp } from '../../shared/model/time.ts';
import { count } from '../../shared/model/words.ts';
import type { SetOff } from './evaluate-policies.ts';
import { recordOf } from './run-transitions.ts';

/** A chunk of those that are left alone is one row. */
const SKIPPED_CHUNK = 500;
/** How long a cluster's trigger is kept for those that others are at work on, beyond the policy's own cool-down. */
const PATIENCE = 3600 * SECOND;
/** And how often it is looked whether they are done. */
const WAIT = 60 * SECOND;

export interface Evaluation {
  readonly policy: RebalancePolicy;
  readonly state: PolicyState;
  readonly off: SetOff;
  /** Absent where nothing is to be planned. */
  readonly planned: PlannedRun | undefined;
  /** Names the run; unique. */
  readonly id: string;
}

export interface NewRun {
  readonly state: PolicyState;
  readonly waves: readonly Wave[];
  readonly skipped: readonly Wave[];
  /** Absent where there is no run. */
  readonly record?: RunRecord;
}

/** When something may set the policy off, or those that wait for somebody else may be ready for it; infinite where nothing will by the clock. */
export function whenToLook({ policy, off, planned }: Evaluation, now: Instant): Instant {
  const waits =
    (planned?.passing ?? 0) > 0 && off.triggers.some((trigger) => 'uid' in trigger && isKept(trigger, policy, now));
  return Math.min(off.lookAt, waits ? now + WAIT : Number.POSITIVE_INFINITY);
}

/** Undefined where there is nothing new to keep. */
export function newRun(evaluation: Evaluation, now: Instant): NewRun | undefined {
  const { state, planned } = evaluation;
  if (planned === undefined || isNothingNew(evaluation, planned, now)) return withoutRun(evaluation);
  const run = runOf(evaluation, planned, now);
  const answered = answeredBy(evaluation, planned, now);
  const { hub, uid } = state;
  const { stoppedPlan: _, ...rest } = state;
  const rows = (workloads: readonly WorkloadDecision[], number: number): Wave => ({
    hub,
    uid,
    run: run.run,
    number,
    workloads,
  });
  return {
    state: { ...rest, answered, run },
    waves: planned.waves.map((wave, number) => rows(run.state === 'DryRun' ? wave.map(onlyRecorded) : wave, number)),
    skipped: chunked(planned.skipped).map(rows),
    record: recordOf(state, run),
  };
}

/** Whoever suspends a policy that was stopped has seen it: it may start again when it is resumed. */
function withoutRun({ policy, state, off: { passed } }: Evaluation): NewRun | undefined {
  const { stoppedPlan, ...rest } = state;
  const isSeen = policy.spec.suspend && stoppedPlan !== undefined;
  if (!isSeen && isSameJson(passed, state.answered)) return undefined;
  return { state: { ...(isSeen ? rest : state), answered: passed }, waves: [], skipped: [] };
}

/**
 * What a policy looks for all the time, and a cluster's change that it only waits to answer, are not worth a run each time it finds
 * nothing; nor is a dry run worth repeating before the workloads would have cooled down.
 */
function isNothingNew({ policy, state, off }: Evaluation, { waves, passing }: PlannedRun, now: Instant): boolean {
  const isLooking = off.triggers.every(({ type }) => type === 'CapacityFreed' || type === 'Imbalance');
  const workloads = waves.flat().length;
  if (workloads === 0)
    return isLooking || (passing > 0 && off.triggers.every((trigger) => isKept(trigger, policy, now)));
  const { run } = state;
  if (!isLooking || run?.state !== 'DryRun' || run.plan !== planOf(policy)) return false;
  return run.workloads === workloads && now - run.startedAt < durationMs(policy.spec.strategy.coolDown);
}

function runOf({ policy, state, off, id }: Evaluation, { waves, skipped }: PlannedRun, now: Instant): PolicyRun {
  const workloads = waves.flat().length;
  const { dryRun } = policy.spec;
  const isDone = dryRun || workloads === 0;
  const done = dryRun ? 'only recorded: the policy says dryRun' : 'nothing would move';
  return {
    // By time, so that later ones sort after earlier ones.
    run: `${toTimestamp(now)}-${id}`,
    triggers: off.triggers,
    state: dryRun ? 'DryRun' : workloads === 0 ? 'Finished' : 'Running',
    message: isDone ? done : `${count(workloads, 'workload')} in ${count(waves.length, 'wave')}`,
    startedAt: now,
    ...(isDone && { finishedAt: now }),
    plan: planOf(policy),
    waves: waves.length,
    wavesDone: 0,
    notBefore: now,
    workloads,
    moved: 0,
    skipped: skipped.length,
    before: state.answered,
  };
}

function answeredBy({ policy, off }: Evaluation, { passing }: PlannedRun, now: Instant): Answered {
  const { passed, triggers } = off;
  const clusters = triggers.flatMap((trigger) =>
    'uid' in trigger && !(passing > 0 && isKept(trigger, policy, now)) ? [[trigger.uid, trigger.at] as const] : [],
  );
  const time = triggers.find((trigger) => trigger.type === 'Schedule');
  return {
    clusters: { ...passed.clusters, ...Object.fromEntries(clusters) },
    ...(passed.calendar && { calendar: { ...passed.calendar, ...(time && { at: time.at }) } }),
  };
}

/** Not for ever: what came back last week is no reason to move anything today. */
function isKept(trigger: Trigger, { spec }: RebalancePolicy, now: Instant): boolean {
  if (trigger.type === 'CapacityFreed' || trigger.type === 'Imbalance') return true;
  if (trigger.type === 'Schedule') return false;
  const waited = trigger.type === 'ClusterJoined' ? spec.triggers.clusterJoined : spec.triggers.clusterRecovered;
  const stableFor = durationMs(waited?.stableFor ?? '0s');
  return now < trigger.at + stableFor + durationMs(spec.strategy.coolDown) + PATIENCE;
}

function onlyRecorded(decision: WorkloadDecision): WorkloadDecision {
  return { ...decision, outcome: 'DryRun' };
}

function chunked(decisions: readonly WorkloadDecision[]): readonly (readonly WorkloadDecision[])[] {
  return Array.from({ length: Math.ceil(decisions.length / SKIPPED_CHUNK) }, (_, i) =>
    decisions.slice(i * SKIPPED_CHUNK, (i + 1) * SKIPPED_CHUNK),
  );
}
