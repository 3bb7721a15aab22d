/** Decides which workloads of a chunk may be moved now within the budgets of the hub. */

import { count } from '../../shared/core/count.ts';
import { fnv1a } from '../../shared/core/fnv1a.ts';
import { type Instant, SECOND, toTimestamp } from '../../shared/core/time.ts';
import { capacityOf } from '../../shared/karmada/assignment/available-replicas.ts';
import type { Cluster } from '../../shared/karmada/assignment/cluster.ts';
import { distributionOf, leavesBetween, planFresh } from '../../shared/karmada/assignment/rebalance-plan.ts';
import { assignedBy } from '../../shared/karmada/assignment/scheduling-decision.ts';
import { bindingKey } from '../../shared/karmada/binding.ts';
import { readyIn, reportsOf } from '../../shared/karmada/readiness.ts';
import type { ObjectEvent } from '../../shared/kubernetes/object-event.ts';
import { keyText, type ObjectKey } from '../../shared/kubernetes/object-key.ts';
import type { Budget, Grant, MoveRequest } from '../../shared/move-budget/budget.ts';
import type { Disruptions } from '../../shared/move-budget/disruption-budget.ts';
import { leaving, moveRequest, moverOfRebalancer } from '../../shared/move-budget/move-request.ts';
import type { Candidate } from '../../shared/rebalance-policy/select-workloads.ts';
import { leavingReplicas } from '../../shared/workload-rebalancer/drain-share.ts';
import { isResolved, type RebalanceTask, type TaskWorkload } from '../../shared/workload-rebalancer/rebalance-task.ts';
import { failed } from './moves.ts';
import { type Triggered, triggerAuthor } from './trigger-bindings.ts';

export interface BudgetInputs {
  readonly task: Pick<RebalanceTask, 'name' | 'uid' | 'drains' | 'share' | 'preservesAvailable' | 'ofPolicy'>;
  readonly workloads: readonly TaskWorkload[];
  /** Those of the workloads that have a binding. */
  readonly candidates: readonly Candidate[];
  readonly clusters: readonly Cluster[];
  /** Whether the hub has the feature `failback`. */
  readonly failback: boolean;
  /** PodDisruptionBudgets by keyText of the binding. */
  readonly disruptions?: Disruptions;
}

/** A workload that waits for the budgets of the hub. */
export interface WaitingWorkload {
  readonly workload: TaskWorkload;
  readonly reason: string;
  /** Absent: until other moves are over. */
  readonly until?: Instant | undefined;
}

export interface WithinBudget {
  /** Those that may be moved now, and those that have no binding. */
  readonly granted: readonly TaskWorkload[];
  /** Those that alone exceed a limit, with their result. */
  readonly failed: readonly TaskWorkload[];
  readonly waiting: readonly WaitingWorkload[];
  /** Whether the hub has limits, so that the granted ones count. */
  readonly isCounted: boolean;
}

export function grantWorkloads(inputs: BudgetInputs, budget: Budget): WithinBudget {
  const { workloads, candidates, disruptions } = inputs;
  const byKey = new Map(candidates.map((each) => [keyText(each.binding.metadata), each]));
  const granted: TaskWorkload[] = [];
  const tooMany: TaskWorkload[] = [];
  const waiting: WaitingWorkload[] = [];
  for (const workload of workloads) {
    const key = keyText(bindingKey(workload.workload));
    const candidate = byKey.get(key);
    const grant: Grant =
      candidate === undefined
        ? { result: 'granted' }
        : budget.take(moveRequest(candidate, moveOf({ ...candidate, workload }, inputs), disruptions?.get(key)));
    if (grant.result === 'granted') granted.push(workload);
    else if (grant.result === 'waits') waiting.push({ workload, reason: grant.reason, until: grant.until });
    else tooMany.push(failed(workload, 'ExceedsBudget', grant.reason).triggered.workload);
  }
  return { granted, failed: tooMany, waiting, isCounted: true };
}

interface MovingWorkload extends Pick<Candidate, 'binding'> {
  readonly workload: TaskWorkload;
}

function moveOf(
  { binding, workload }: MovingWorkload,
  inputs: BudgetInputs,
): Pick<MoveRequest, 'reason' | 'mover' | 'leaves'> {
  const { task } = inputs;
  const reason = task.ofPolicy ? 'Policy' : 'Rebalance';
  return {
    reason: task.drains === undefined ? reason : 'Drain',
    mover: moverOf(task),
    leaves: leavesOf({ binding, workload }, inputs),
  };
}

/** Other moves take about as long as pods take to start. */
const ASK_AGAIN_MS = 60 * SECOND;

/** When a limit allows the first of them at the earliest; for those that wait for other moves, in a minute. */
export function askAgainAt(waiting: readonly WaitingWorkload[], now: Instant): Instant {
  return Math.min(...waiting.map(({ until }) => Math.max(until ?? now + ASK_AGAIN_MS, now + SECOND)));
}

/** Without a result, as before. */
export function waitingWorkload({ workload, reason, until }: WaitingWorkload): TaskWorkload {
  const time = until === undefined ? '' : `, until ${toTimestamp(until)}`;
  return { ...workload, why: `waits: ${reason}${time}` };
}

/** One for each state of the limits. */
export function waitingEvent(
  { generation }: Pick<RebalanceTask, 'generation'>,
  waiting: readonly WaitingWorkload[],
): ObjectEvent {
  const [first] = waiting.map(waitingWorkload);
  const message = `${count(waiting.length, 'workload')} wait for the budget of moves; the first ${first?.why ?? 'waits'}`;
  return {
    type: 'Normal',
    reason: 'WaitingForBudget',
    message,
    id: `waiting-${generation}-${fnv1a(message).toString(16)}`,
  };
}

/** The bindings of workloads that were moved, or left alone: nothing more is written for them. */
export function writtenOf(
  triggered: readonly Triggered[],
  { isCounted }: Pick<WithinBudget, 'isCounted'>,
): readonly ObjectKey[] {
  if (!isCounted) return [];
  return triggered.flatMap(({ workload }) => (isResolved(workload) ? [bindingKey(workload.workload)] : []));
}

/** A wave of a policy has a name of its own, by which its run was granted its moves. */
export function moverOf(task: BudgetInputs['task']): string {
  return moverOfRebalancer(task.ofPolicy ? task.name : triggerAuthor(task));
}

/** The replicas that are to leave each cluster; all of them if that can't be forecast. */
function leavesOf(
  { binding, workload: { assignment } }: MovingWorkload,
  { task, clusters, failback }: BudgetInputs,
): Readonly<Record<string, number>> {
  const assigned = binding.spec.clusters;
  if (assignment !== undefined) return leaving(assigned, ({ name }) => assignment[name] ?? 0);
  const { drains, share } = task;
  if (drains !== undefined) {
    const leaves = leavingReplicas(binding, drains, share);
    return leaving(assigned, ({ name, replicas }) => (name === drains ? replicas - leaves : replicas));
  }
  if (task.preservesAvailable) {
    const reports = reportsOf(binding);
    return leaving(assigned, ({ name, replicas }) => readyIn(reports.get(name), replicas));
  }
  const plan = planFresh(binding, { clusters, capacity: capacityOf(binding), failback });
  const next = assignedBy(plan.fresh);
  if (next === undefined) return plan.fresh.outcome === 'CannotForecast' ? leaving(assigned, () => 0) : {};
  return leavesBetween(plan.current, distributionOf(next));
}
