/** Decides what is stored after an evaluation: a new run, a run without work, or only the handled triggers. */

import { count } from '../../shared/core/count.ts';
import { isSameJson } from '../../shared/core/same-json.ts';
import { type Instant, SECOND, toTimestamp } from '../../shared/core/time.ts';
import type { PlannedRun } from '../../shared/rebalance-policy/plan-run.ts';
import {
  type HandledTriggers,
  type PolicyRun,
  type PolicyState,
  type RunRecord,
  recordOf,
  type Trigger,
  type Wave,
  type WorkloadDecision,
} from '../../shared/rebalance-policy/policy-run.ts';
import { durationMs, planOf, type RebalancePolicy } from '../../shared/rebalance-policy/rebalance-policy.ts';
import type { Evaluated } from './evaluate-policies.ts';

/** A chunk of skipped workloads is one row. */
const SKIPPED_CHUNK = 500;
/** How long a cluster's trigger is kept for workloads that other clients are rebalancing, beyond the policy's cool-down. */
const TIMEOUT = 3600 * SECOND;
/** Interval of the checks whether they are done. */
const WAIT = 60 * SECOND;

export interface Evaluation extends Pick<Evaluated, 'policy' | 'state' | 'problems' | 'off'> {
  /** Absent if nothing is planned. */
  readonly planned: PlannedRun | undefined;
  /** Unique id of the run. */
  readonly id: string;
}

export interface NewRun {
  readonly state: PolicyState;
  readonly waves: readonly Wave[];
  readonly skipped: readonly Wave[];
  /** Absent without a run. */
  readonly record?: RunRecord;
  /** Of the run that it replaces in the state. */
  readonly replaced?: RunRecord;
}

/** Time of the next possible trigger, or of the next check of blocked workloads; undefined if there is neither. */
export function nextEvaluationAt(evaluations: readonly Evaluation[], now: Instant): Instant | undefined {
  const at = Math.min(...evaluations.map((each) => nextEvaluationOf(each, now)));
  return at === Number.POSITIVE_INFINITY ? undefined : at;
}

function nextEvaluationOf({ policy, off, planned }: Evaluation, now: Instant): Instant {
  const waits =
    (planned?.passing ?? 0) > 0 && off.triggers.some((trigger) => 'cluster' in trigger && isKept(trigger, policy, now));
  return Math.min(off.evaluateAt, waits ? now + WAIT : Number.POSITIVE_INFINITY);
}

/** What is stored; policies without a change are left out. */
export function newRuns(evaluations: readonly Evaluation[], now: Instant): readonly NewRun[] {
  return evaluations.flatMap((each) => newRun(each, now) ?? []);
}

function newRun(evaluation: Evaluation, now: Instant): NewRun | undefined {
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
    ...(state.run && { replaced: recordOf(state, state.run) }),
  };
}

/** Suspending a stopped policy acknowledges the stop: it may start again after it is resumed. */
function withoutRun({ policy, state, off: { passed } }: Evaluation): NewRun | undefined {
  const { stoppedPlan, ...rest } = state;
  const isSeen = policy.spec.suspend && stoppedPlan !== undefined;
  if (!isSeen && isSameJson(passed, state.answered)) return undefined;
  return { state: { ...(isSeen ? rest : state), answered: passed }, waves: [], skipped: [] };
}

/**
 * Continuous triggers, and kept triggers of clusters, create no run if nothing would move. A dry run
 * is not repeated before the workloads would have cooled down.
 */
function isNothingNew({ policy, state, off }: Evaluation, { waves, passing }: PlannedRun, now: Instant): boolean {
  const isContinuous = off.triggers.every(isContinuousTrigger);
  const workloads = waves.flat().length;
  if (workloads === 0)
    return isContinuous || (passing > 0 && off.triggers.every((trigger) => isKept(trigger, policy, now)));
  const { run } = state;
  if (!isContinuous || run?.state !== 'DryRun' || run.plan !== planOf(policy)) return false;
  return run.workloads === workloads && now - run.startedAt < durationMs(policy.spec.strategy.coolDown);
}

function runOf(
  { policy, state, off, id }: Evaluation,
  { waves, skipped, unfinished }: PlannedRun,
  now: Instant,
): PolicyRun {
  const workloads = waves.flat().length;
  const { dryRun } = policy.spec;
  const isDone = dryRun || workloads === 0;
  const done = dryRun ? 'only recorded: spec.dryRun is true' : 'nothing would move';
  return {
    // Starts with the time, so that later ones sort after earlier ones.
    run: `${toTimestamp(now)}-${id}`,
    triggers: off.triggers,
    state: dryRun ? 'DryRun' : workloads === 0 ? 'Finished' : 'Running',
    message: isDone ? done : `${count(workloads, 'workload')} in ${count(waves.length, 'wave')}`,
    startedAt: now,
    ...(isDone && { finishedAt: now }),
    plan: planOf(policy),
    waves: waves.length,
    wavesDone: 0,
    ...(unfinished.length > 0 && { unfinished }),
    notBefore: now,
    workloads,
    moved: 0,
    skipped: skipped.length,
    before: state.answered,
  };
}

function answeredBy({ policy, off }: Evaluation, { passing }: PlannedRun, now: Instant): HandledTriggers {
  const { passed, triggers } = off;
  const clusters = triggers.flatMap((trigger) =>
    'uid' in trigger && !(passing > 0 && isKept(trigger, policy, now)) ? [[trigger.uid, trigger.at] as const] : [],
  );
  const time = triggers.find((trigger) => trigger.type === 'Schedule');
  const requestedAt = triggers.find((trigger) => trigger.type === 'Requested')?.at ?? passed.requestedAt;
  const externalEventAt = triggers.find((trigger) => trigger.type === 'ExternalEvent')?.at ?? passed.externalEventAt;
  return {
    clusters: { ...passed.clusters, ...Object.fromEntries(clusters) },
    ...(passed.calendar && { calendar: { ...passed.calendar, ...(time && { at: time.at }) } }),
    ...(requestedAt !== undefined && { requestedAt }),
    ...(externalEventAt !== undefined && { externalEventAt }),
  };
}

type ContinuousTrigger = Exclude<Trigger, { readonly at: Instant }>;

/** It holds for as long as its cause lasts. */
function isContinuousTrigger(trigger: Trigger): trigger is ContinuousTrigger {
  return !('at' in trigger);
}

/** Limited in time: a recovery of last week must not move replicas today. */
function isKept(trigger: Trigger, { spec }: RebalancePolicy, now: Instant): boolean {
  if (isContinuousTrigger(trigger)) return true;
  if (trigger.type === 'Schedule' || trigger.type === 'Requested' || trigger.type === 'ExternalEvent') return false;
  const waited = trigger.type === 'ClusterJoined' ? spec.triggers.clusterJoined : spec.triggers.clusterRecovered;
  const stableFor = durationMs(waited?.stableFor ?? '0s');
  return now < trigger.at + stableFor + durationMs(spec.strategy.coolDown) + TIMEOUT;
}

function onlyRecorded(decision: WorkloadDecision): WorkloadDecision {
  return { ...decision, outcome: 'DryRun' };
}

function chunked(decisions: readonly WorkloadDecision[]): readonly (readonly WorkloadDecision[])[] {
  return Array.from({ length: Math.ceil(decisions.length / SKIPPED_CHUNK) }, (_, i) =>
    decisions.slice(i * SKIPPED_CHUNK, (i + 1) * SKIPPED_CHUNK),
  );
}
