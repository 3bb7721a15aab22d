/**
 * Whether a policy would move a workload now, and why not: for planning a run, again when a wave starts, and for
 * previews. The result depends on the binding as it is on the hub.
 */

import { fromTimestamp, type Instant, SECOND } from '../core/time.ts';
import { DESCHEDULED_AT } from '../descheduling/descheduling.ts';
import { suspendedByOthers } from '../graceful-reduction/holds.ts';
import { isReducedGracefully } from '../graceful-reduction/reduction-policy.ts';
import { queueOf } from '../graceful-reduction/replica-reduction.ts';
import { strategyOf } from '../karmada/assignment/placement.ts';
import { type Distribution, distributionOf, type FreshPlan } from '../karmada/assignment/rebalance-plan.ts';
import { assignedBy } from '../karmada/assignment/scheduling-decision.ts';
import { whyDue } from '../karmada/assignment/why-due.ts';
import { bindingKey } from '../karmada/binding.ts';
import { isWorkload, type PlacedBinding } from '../karmada/placed-binding.ts';
import { HUB_NAMESPACE } from '../karmada/rescheduling-policy.ts';
import { leavingReplicas } from '../workload-rebalancer/drain-share.ts';
import { ASSIGNED_AT } from '../workload-rebalancer/given-assignment.ts';
import type { EvaluationContext } from './evaluation-context.ts';
import type { Trigger } from './policy-run.ts';
import { durationMs, REBALANCING, type RebalancePolicy } from './rebalance-policy.ts';
import { type Candidate, whyNotSelected, workloadOf } from './select-workloads.ts';

/** `unselected`: the policy does not select it. `skipped`: excluded, whether it would move or not. `still`: nothing would move, or not for these triggers. */
export type WorkloadEvaluation =
  | {
      readonly result: 'concerned';
      readonly why: string;
      readonly plan: Pick<FreshPlan, 'current' | 'moves'>;
      readonly next: Distribution;
      /** Of a move by price. */
      readonly score?: number;
    }
  | {
      readonly result: 'skipped';
      readonly reason: string;
      readonly plan?: Pick<FreshPlan, 'moves'>;
      /** Its placement has a field that no forecast covers; the reason names it. */
      readonly cannotForecast?: true;
      /** Whether the reason is temporary: another client acts on the workload, or it is cooling down. */
      readonly passing?: true;
    }
  | { readonly result: 'unselected' | 'still'; readonly reason: string };

/** For continuously evaluated triggers. Without it they would fire again at once if the scheduler does not follow the plan. */
const LEAST_COOL_DOWN = 300 * SECOND;

export function evaluateWorkload(
  candidate: Candidate,
  { policy, triggers }: { readonly policy: RebalancePolicy; readonly triggers: readonly Trigger[] },
  context: EvaluationContext,
): WorkloadEvaluation {
  const { binding } = candidate;
  const unselected = whyUnselected(candidate, policy);
  if (unselected !== undefined) return { result: 'unselected', reason: unselected };
  const { drains } = policy;
  const settled = drains === undefined ? undefined : whySettled(binding, drains, policy);
  if (settled !== undefined) return { result: 'still', reason: settled };
  const left = leftToOthers(candidate, policy, context);
  if (left !== undefined) return left;
  const plan = planned(binding, policy, context);
  if ('reason' in plan) return { result: 'skipped', ...plan };
  const next = distributionOf(assignedBy(plan.fresh) ?? []);
  if (plan.moves === 0) return { result: 'still', reason: 'assigned anew, nothing would move' };
  const set = triggers.flatMap((trigger) => {
    const why = whyConcerned(trigger, plan, next);
    return why === undefined ? [] : [{ trigger, why }];
  });
  const [first] = set;
  if (first === undefined) return { result: 'still', reason: 'it would move, but not for what set the policy off' };
  const isPressing = set.some(({ trigger }) => trigger.type !== 'CapacityFreed' && trigger.type !== 'Imbalance');
  const notYet = notMovedNow(binding, policy, { isPressing, now: context.now });
  return notYet === undefined ? { result: 'concerned', why: first.why, plan, next } : { ...notYet, plan };
}

export function whyUnselected(candidate: Candidate, { spec }: RebalancePolicy): string | undefined {
  return whyNotSelected(candidate, spec.selector) ?? whyNotOurs(candidate.binding);
}

type Left = Extract<WorkloadEvaluation, { result: 'skipped' }>;

/** Whether a user excludes it, or another controller acts on it; undefined if neither. */
export function leftToOthers(
  candidate: Candidate,
  { drains }: Pick<RebalancePolicy, 'drains'>,
  context: Omit<EvaluationContext, 'plan' | 'planDrain'>,
): Left | undefined {
  const { binding } = candidate;
  const hands = whyHandsOff(candidate, context) ?? (drains === undefined ? undefined : whyNotPartlyMovable(binding));
  if (hands !== undefined) return { result: 'skipped', reason: hands };
  const inHand = whyInHand(binding, context) ?? (drains === undefined ? whyDrained(binding, context) : undefined);
  return inHand === undefined ? undefined : { result: 'skipped', reason: inHand, passing: true };
}

/** Whether it cools down, or is not reduced gracefully where the policy requires that. */
export function notMovedNow(
  binding: PlacedBinding,
  policy: RebalancePolicy,
  { isPressing, now }: { readonly isPressing: boolean; readonly now: Instant },
): Left | undefined {
  const cool = whyCooling(binding, { coolDown: coolDownOf(policy, isPressing), now });
  if (cool !== undefined) return { result: 'skipped', reason: cool, passing: true };
  if (policy.spec.strategy.requireGracefulReduction && !isReducedGracefully(binding))
    return { result: 'skipped', reason: 'the policy requires graceful reduction, which it does not ask for' };
  return undefined;
}

function whyNotOurs(binding: PlacedBinding): string | undefined {
  const { metadata, spec } = binding;
  if (metadata.deletionTimestamp !== undefined) return 'it is being deleted';
  if (!isWorkload(binding) || spec.replicas === 0) return 'it has no replicas to divide';
  if (spec.placement == null) return 'it has no placement';
  const expected = bindingKey(workloadOf(binding));
  const isFound = expected.name === metadata.name && expected.namespace === metadata.namespace;
  return isFound ? undefined : `its binding is not named ${expected.name}, the name that a rebalancer expects`;
}

/** Exclusions by users. */
function whyHandsOff(
  { binding, metadata }: Candidate,
  { switches }: Pick<EvaluationContext, 'switches'>,
): string | undefined {
  const never = (word: string | undefined) => word !== undefined && word !== 'Allowed';
  if (never(switches.get(HUB_NAMESPACE)))
    return `${REBALANCING} on namespace ${HUB_NAMESPACE} keeps policies off the hub`;
  const { namespace } = binding.metadata;
  if (never(switches.get(namespace))) return `${REBALANCING} on namespace ${namespace} keeps policies away`;
  if (never(metadata?.rebalancing)) return `${REBALANCING} on the workload keeps policies away`;
  if (never(binding.metadata.annotations[REBALANCING])) return `${REBALANCING} on the binding keeps policies away`;
  const { scheduling, dispatching } = binding.spec.suspension ?? {};
  if (scheduling === true) return 'its scheduling is suspended';
  if (dispatching === true) return 'its dispatching is suspended';
  const suspended = suspendedByOthers(binding);
  return suspended.length > 0 ? `its dispatching is suspended on ${suspended.join(', ')}` : undefined;
}

/** Another controller acts on it. */
function whyInHand(
  binding: PlacedBinding,
  { clusters, unhealthy }: Pick<EvaluationContext, 'clusters' | 'unhealthy'>,
): string | undefined {
  const { spec } = binding;
  const [evicted] = spec.gracefulEvictionTasks ?? [];
  if (evicted !== undefined) return `it is being evicted from ${evicted.fromCluster}`;
  const [held] = queueOf(binding).keys();
  if (held !== undefined) return `its last move is not over: ${held} keeps its replicas until the others are ready`;
  const failing = spec.clusters.find(({ name }) => unhealthy.has(name));
  if (failing !== undefined) return `it has replicas on ${failing.name}, which is not healthy: failover comes first`;
  const due = whyDue(binding, clusters);
  return due === undefined ? undefined : `the scheduler is about to act on it: ${due}`;
}

/** Why a drain has nothing to move. */
function whySettled(
  binding: PlacedBinding,
  cluster: string,
  { share }: Pick<RebalancePolicy, 'share'>,
): string | undefined {
  if (!isOn(binding, cluster)) return `it has no replicas on ${cluster}`;
  const isDone = leavingReplicas(binding, cluster, share) === 0 && !queueOf(binding).has(cluster);
  return isDone ? `its share of ${share?.percent ?? 100} % is not on ${cluster}` : undefined;
}

/** Whether the cluster runs some of its replicas: those that it is assigned, or those that it keeps until others are ready. */
function isOn(binding: PlacedBinding, cluster: string): boolean {
  return binding.spec.clusters.some(({ name }) => name === cluster) || queueOf(binding).has(cluster);
}

/** Its replicas move off a cluster: those elsewhere stay until that is over. */
function whyDrained({ spec }: PlacedBinding, { drained }: Pick<EvaluationContext, 'drained'>): string | undefined {
  const leaving = spec.clusters.find(({ name }) => drained.has(name));
  return leaving && `it has replicas on ${leaving.name}, which is being drained`;
}

/** Nothing would replace what is removed. */
export function whyNotPartlyMovable({ spec }: PlacedBinding): string | undefined {
  if (spec.resource.kind === 'Job') return 'it is a Job, and runs to its end';
  const { kind } = strategyOf(spec.placement ?? {});
  return kind === 'Duplicated' ? 'it is Duplicated: each cluster has all of its replicas' : undefined;
}

type Unplanned = Pick<Extract<WorkloadEvaluation, { result: 'skipped' }>, 'reason' | 'cannotForecast'>;

function planned(
  binding: PlacedBinding,
  { drains, share }: RebalancePolicy,
  { plan, planDrain }: EvaluationContext,
): FreshPlan | Unplanned {
  try {
    const fresh =
      drains === undefined
        ? plan(binding)
        : planDrain(binding, { cluster: drains, replicas: leavingReplicas(binding, drains, share) });
    const { outcome } = fresh.fresh;
    if (outcome === 'Success') return fresh;
    const { message } = fresh.fresh;
    if (outcome === 'CannotForecast')
      return { reason: `no forecast of where it would go: ${message}`, cannotForecast: true };
    return { reason: `it cannot be assigned anew: ${message}` };
  } catch (thrown) {
    return { reason: `it cannot be planned: ${(thrown as Error).message}` };
  }
}

/** What the trigger contributes to the plan; undefined if nothing. */
function whyConcerned(trigger: Trigger, plan: FreshPlan, next: Distribution): string | undefined {
  const { current, moves, binding } = plan;
  switch (trigger.type) {
    case 'ClusterRecovered':
    case 'ClusterJoined': {
      const gain = (next.get(trigger.cluster) ?? 0) - (current.get(trigger.cluster) ?? 0);
      const what = trigger.type === 'ClusterRecovered' ? 'recovered' : 'joined';
      return gain > 0 ? `${trigger.cluster} ${what} and would get ${gain}` : undefined;
    }
    case 'ClusterDrained':
      return `${trigger.cluster} is drained`;
    case 'CapacityFreed': {
      const [before, after] = [holding(current), holding(next)];
      if (strategyOf(binding.spec.placement ?? {}).kind === 'Aggregated')
        return after < before ? `it would fit in ${after} of its ${before} clusters` : undefined;
      return after > before ? `it could be spread over ${after} clusters instead of ${before}` : undefined;
    }
    case 'Imbalance': {
      const share = Math.floor((moves * 100) / binding.spec.replicas);
      return share >= trigger.percent ? `${share} % of its replicas would move` : undefined;
    }
    case 'Schedule':
      return 'its time has come';
    case 'Requested':
      return 'a run was requested';
    case 'ExternalEvent':
      return `an event was received: ${trigger.event}`;
    // Planned over all workloads (plan-shifts.ts).
    case 'Pressure':
    case 'Price':
      return undefined;
  }
}

function holding(distribution: Distribution): number {
  return [...distribution.values()].filter((replicas) => replicas > 0).length;
}

function coolDownOf({ spec }: RebalancePolicy, isPressing: boolean): number {
  const own = durationMs(spec.strategy.coolDown);
  return isPressing ? own : Math.max(own, LEAST_COOL_DOWN);
}

/** The last move by any client: a rebalance leaves its trigger on the binding, the descheduler and a given assignment their own time. */
function whyCooling(
  { spec, metadata }: PlacedBinding,
  { coolDown, now }: { readonly coolDown: number; readonly now: Instant },
): string | undefined {
  const times = {
    rebalanced: spec.rescheduleTriggeredAt ?? undefined,
    descheduled: fromTimestamp(metadata.annotations[DESCHEDULED_AT] ?? ''),
    moved: fromTimestamp(metadata.annotations[ASSIGNED_AT] ?? ''),
  };
  const moves = Object.entries(times).flatMap(([what, at]) => (at === undefined ? [] : [{ what, at }]));
  const [last] = moves.sort((a, b) => b.at - a.at);
  if (last === undefined || now - last.at >= coolDown) return undefined;
  return `it was ${last.what} ${Math.max(0, Math.round((now - last.at) / SECOND))} s ago and cools down`;
}
