/** Computes a policy's status from its stored state, and what its end reports elsewhere. */

import { count } from '../../shared/core/count.ts';
import { isSameJson } from '../../shared/core/same-json.ts';
import type { TelemetryEntry } from '../../shared/core/telemetry.ts';
import { type Instant, toTimestamp } from '../../shared/core/time.ts';
import { type Condition, withCondition } from '../../shared/kubernetes/condition.ts';
import type { ObjectEvent } from '../../shared/kubernetes/object-event.ts';
import { referenceLabel } from '../../shared/kubernetes/object-reference.ts';
import { nextTime } from '../../shared/rebalance-policy/calendar.ts';
import { isOver } from '../../shared/rebalance-policy/cluster-drain.ts';
import type { PlannedRun } from '../../shared/rebalance-policy/plan-run.ts';
import {
  isRunning,
  type PolicyRun,
  type PolicyState,
  type RunRecord,
  triggerText,
} from '../../shared/rebalance-policy/policy-run.ts';
import { type PolicyStatus, planOf, type RebalancePolicy } from '../../shared/rebalance-policy/rebalance-policy.ts';
import { rebalancerName } from './wave-rebalancer.ts';

export interface PolicyReport {
  /** Problems of its spec; none if absent. */
  readonly problems?: readonly string[];
  /** Why its run waits. */
  readonly waiting?: string | undefined;
  /** What it would move now; absent if nothing was planned. */
  readonly planned?: PlannedRun | undefined;
}

interface Reported extends PolicyReport {
  readonly policy: RebalancePolicy;
  readonly state: PolicyState | undefined;
}

const NO_RUN = 'no trigger yet';
/** Workloads that a condition names. */
const NAMED = 5;

/** Merge patches of a policy's status; undefined if it is up to date. */
export function statusChange(
  report: PolicyReport,
  now: Instant,
): (policy: RebalancePolicy, state: PolicyState | undefined) => object | undefined {
  return (policy, state) => {
    const status = statusOf({ ...report, policy, state }, now);
    return isSameJson(status, policy.status) ? undefined : withNulls(status);
  };
}

/** A merge patch removes only fields that are null in it. */
function withNulls({ lastRun, nextScheduleTime = null as never, ...status }: PolicyStatus): object {
  return { ...status, nextScheduleTime, lastRun: lastRun ? { finishedAt: null, ...lastRun } : null };
}

function statusOf({ policy, state, problems = [], waiting, planned }: Reported, now: Instant): PolicyStatus {
  const run = state?.run;
  const stopped = isStopped(policy, state);
  const ended = isOver(policy, now) && !isRunning(state) ? whenOver(policy.until) : undefined;
  const { schedule } = policy.spec.triggers;
  const next = schedule === undefined || problems.length > 0 ? undefined : nextTime(schedule, now);
  const conditions: readonly Condition[] = [
    problems.length === 0
      ? { type: 'Accepted', status: 'True', reason: 'Valid', message: 'the spec is valid' }
      : { type: 'Accepted', status: 'False', reason: 'Invalid', message: problems.join('; ') },
    run?.state === 'Running'
      ? {
          type: 'Progressing',
          status: 'True',
          reason: run.inFlight ? 'WaveInFlight' : 'Waiting',
          message: waiting ?? run.message,
        }
      : {
          type: 'Progressing',
          status: 'False',
          reason: run?.state ?? 'NoRun',
          message: run?.message ?? NO_RUN,
        },
    stopped
      ? {
          type: 'Stopped',
          status: 'True',
          reason: 'RunStopped',
          message: `${run?.message ?? ''}; nothing starts until the policy is edited, or suspended and resumed`,
        }
      : { type: 'Stopped', status: 'False', reason: 'NotStopped', message: 'no run was stopped' },
    ...(policy.drains === undefined ? [] : drainedCondition(policy, { state, planned, ended })),
  ];
  const set = conditions.reduce<PolicyStatus['conditions']>(
    (all = [], condition) => withCondition(all, condition, now) as unknown as PolicyStatus['conditions'],
    policy.status.conditions,
  );
  return {
    observedGeneration: policy.generation,
    state: ended === undefined ? stateOf({ policy, state, problems }) : 'Over',
    message: ended ?? (problems.length > 0 ? problems.join('; ') : (waiting ?? run?.message ?? NO_RUN)),
    conditions: set,
    ...(run && { lastRun: lastRunOf(run) }),
    ...(next !== undefined && { nextScheduleTime: toTimestamp(next) }),
  };
}

function whenOver(until: Instant): string {
  return `the drain ended at ${toTimestamp(until)}; write a later spec.until to drain the cluster again`;
}

/** Of a ClusterDrain; unchanged if nothing was planned, and no run is in progress. `ended`: that its time is over. */
function drainedCondition(
  { drains: cluster, share }: RebalancePolicy,
  { state, planned, ended }: Pick<Reported, 'state' | 'planned'> & { readonly ended: string | undefined },
): readonly Condition[] {
  const type = 'Drained';
  if (ended !== undefined) return [{ type, status: 'False', reason: 'Over', message: ended }];
  if (share?.percent === 0)
    return [
      { type, status: 'True', reason: 'NoneToMove', message: `${cluster} gets no new replicas, and keeps its own` },
    ];
  if (isRunning(state))
    return [{ type, status: 'False', reason: 'Draining', message: `replicas are being moved off ${cluster}` }];
  if (planned === undefined) return [];
  const left = [...planned.waves.flat(), ...planned.skipped];
  if (left.length === 0) {
    const moved = `${share?.percent} % of the replicas on ${cluster} have moved`;
    const message = share === undefined ? `no workload has replicas on ${cluster}` : moved;
    return [{ type, status: 'True', reason: share === undefined ? 'NoReplicas' : 'ShareMoved', message }];
  }
  const named = left
    .slice(0, NAMED)
    .map(({ workload, why, reason }) => `${referenceLabel(workload)}: ${reason ?? why}`)
    .join('; ');
  const more = left.length > NAMED ? `; and ${left.length - NAMED} more` : '';
  const message = `${count(left.length, 'workload')} on ${cluster}: ${named}${more}`;
  return [{ type, status: 'False', reason: planned.passing > 0 ? 'Waiting' : 'WorkloadsLeft', message }];
}

/** Whether its plan is unchanged since a run was stopped. */
export function isStopped(policy: RebalancePolicy, state: PolicyState | undefined): boolean {
  return state?.stoppedPlan === planOf(policy);
}

function stateOf({ policy, state, problems }: Required<Pick<Reported, 'policy' | 'state' | 'problems'>>): string {
  if (problems.length > 0) return 'Invalid';
  if (isStopped(policy, state)) return 'Stopped';
  if (policy.spec.suspend) return 'Suspended';
  if (!isRunning(state)) return 'Idle';
  return state?.run?.inFlight === undefined ? 'Waiting' : 'Running';
}

function lastRunOf(run: PolicyRun): NonNullable<PolicyStatus['lastRun']> {
  return {
    name: run.run,
    triggers: run.triggers.map(triggerText),
    state: run.state,
    message: run.message,
    startedAt: toTimestamp(run.startedAt),
    ...(run.finishedAt !== undefined && { finishedAt: toTimestamp(run.finishedAt) }),
    waves: run.waves,
    wavesDone: run.wavesDone,
    workloads: run.workloads,
    moved: run.moved,
    skipped: run.skipped,
  };
}

/** The Event on the policy about a run that moves workloads. */
export function eventOfStart(run: RunRecord['run']): { readonly objectEvent: ObjectEvent; readonly now: Instant } {
  const triggers = run.triggers.map(triggerText).join(', ');
  const message = `Run ${run.run}, set off by ${triggers}: ${run.message}`;
  const objectEvent: ObjectEvent = {
    type: 'Normal',
    reason: 'RunStarted',
    message,
    id: rebalancerName('start', run, 0),
  };
  return { objectEvent, now: run.startedAt };
}

/** The Event on the policy about the end of its run. */
export function eventOfEnd(run: PolicyRun, now: Instant): { readonly objectEvent: ObjectEvent; readonly now: Instant } {
  const { state, message, finishedAt = now } = run;
  const type = state === 'Stopped' ? 'Warning' : 'Normal';
  const id = rebalancerName('run', run, 0);
  return { objectEvent: { type, reason: `Run${state}`, message, id }, now: finishedAt };
}

/** Only a stopped run raises the alarm. */
export function telemetryOfEnd(
  hub: string,
  policy: string,
  { state, run, message }: PolicyRun,
): readonly TelemetryEntry[] {
  if (state !== 'Stopped') return [];
  return [
    { code: 'EK320', fields: { hub, policy, run, error: message } },
    { metric: 'PolicyRunsStopped', value: 1, dimensions: { hub } },
  ];
}
