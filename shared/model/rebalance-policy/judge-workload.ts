/**
 * Whether a policy would move a workload now, and why not: for runs when they are planned, again when a wave starts, and for
 * previews. Each answer is about a binding as the hub shows it.
 */

import type { Cluster } from '../assignment/cluster.ts';
import { strategyOf } from '../assignment/placement.ts';
import { type Distribution, distributionOf, type FreshPlan } from '../assignment/rebalance-plan.ts';
import { assignedBy } from '../assignment/scheduling-decision.ts';
import { whyDue } from '../assignment/why-due.ts';
import { bindingKey } from '../binding.ts';
import { DESCHEDULED_AT } from '../descheduling.ts';
import { suspendedByOthers } from '../graceful-reduction/holds.ts';
import { queueOf, reductionStrategyOf } from '../graceful-reduction/replica-reduction.ts';
import { isWorkload, type PlacedBinding } from '../placed-binding.ts';
import { HUB_NAMESPACE } from '../rescheduling-policy.ts';
import { fromTimestamp, type Instant, SECOND } from '../time.ts';
import type { Trigger } from './policy-run.ts';
import { durationMs, REBALANCING, type RebalancePolicy } from './rebalance-policy.ts';
import { type Candidate, whyNotSelected, workloadOf } from './select-workloads.ts';

/** `unselected`: none of the policy's business. `skipped`: left alone, whether it would move or not. `still`: nothing would move, or not for this. */
export type Judgement =
  | { readonly verdict: 'concerned'; readonly why: string; readonly plan: FreshPlan; readonly next: Distribution }
  | {
      readonly verdict: 'skipped';
      readonly reason: string;
      readonly plan?: FreshPlan;
      /** Whether waiting helps: somebody else is at work on it, or it cools down. */
      readonly passing?: true;
    }
  | { readonly verdict: 'unselected' | 'still'; readonly reason: string };

export interface Around {
  readonly clusters: readonly Cluster[];
  /** Clusters that are not well, by name. */
  readonly unwell: ReadonlySet<string>;
  /** Namespaces' annotation REBALANCING. */
  readonly switches: ReadonlyMap<string, string>;
  readonly plan: (binding: PlacedBinding) => FreshPlan;
  readonly now: Instant;
}

/** What a policy looks for all the time would else set it off again at once, where the scheduler does not do what is planned. */
const LEAST_COOL_DOWN = 300 * SECOND;

export function judgeWorkload(
  candidate: Candidate,
  { policy, triggers }: { readonly policy: RebalancePolicy; readonly triggers: readonly Trigger[] },
  around: Around,
): Judgement {
  const { binding } = candidate;
  const unselected = whyNotSelected(candidate, policy.spec.selector) ?? whyNotOurs(binding);
  if (unselected !== undefined) return { verdict: 'unselected', reason: unselected };
  const hands = whyHandsOff(candidate, around);
  if (hands !== undefined) return { verdict: 'skipped', reason: hands };
  const inHand = whyInHand(binding, around);
  if (inHand !== undefined) return { verdict: 'skipped', reason: inHand, passing: true };
  const plan = planned(binding, around);
  if ('reason' in plan) return { verdict: 'skipped', reason: plan.reason };
  const next = distributionOf(assignedBy(plan.fresh) ?? []);
  if (plan.moves === 0) return { verdict: 'still', reason: 'assigned anew, nothing would move' };
  const set = triggers.flatMap((trigger) => {
    const why = whyConcerned(trigger, plan, next);
    return why === undefined ? [] : [{ trigger, why }];
  });
  const [first] = set;
  if (first === undefined) return { verdict: 'still', reason: 'it would move, but not for what set the policy off' };
  const isPressing = set.some(({ trigger }) => trigger.type !== 'CapacityFreed' && trigger.type !== 'Imbalance');
  const cool = whyCooling(binding, { coolDown: coolDownOf(policy, isPressing), now: around.now });
  if (cool !== undefined) return { verdict: 'skipped', reason: cool, plan, passing: true };
  if (policy.spec.strategy.requireGracefulReduction && reductionStrategyOf(binding) === undefined)
    return { verdict: 'skipped', reason: 'the policy requires graceful reduction, which it does not ask for', plan };
  return { verdict: 'concerned', why: first.why, plan, next };
}

function whyNotOurs(binding: PlacedBinding): string | undefined {
  const { metadata, spec } = binding;
  if (metadata.deletionTimestamp !== undefined) return 'it is being deleted';
  if (!isWorkload(binding) || spec.replicas === 0) return 'it has no replicas to divide';
  if (spec.placement == null) return 'it has no placement';
  const looked = bindingKey(workloadOf(binding));
  const isFound = looked.name === metadata.name && looked.namespace === metadata.namespace;
  return isFound ? undefined : `its binding is not called ${looked.name}, where a rebalancer looks for it`;
}

/** What its people said. */
function whyHandsOff({ binding, metadata }: Candidate, { switches }: Around): string | undefined {
  const never = (word: string | undefined) => word !== undefined && word !== 'Allowed';
  if (never(switches.get(HUB_NAMESPACE)))
    return `${REBALANCING} on namespace ${HUB_NAMESPACE} keeps policies off the hub`;
  const { namespace } = binding.metadata;
  if (never(switches.get(namespace))) return `${REBALANCING} on namespace ${namespace} keeps policies away`;
  if (never(metadata?.annotations[REBALANCING])) return `${REBALANCING} on the workload keeps policies away`;
  if (never(binding.metadata.annotations[REBALANCING])) return `${REBALANCING} on the binding keeps policies away`;
  const { scheduling, dispatching } = binding.spec.suspension ?? {};
  if (scheduling === true) return 'its scheduling is suspended';
  if (dispatching === true) return 'its dispatching is suspended';
  const suspended = suspendedByOthers(binding);
  return suspended.length > 0 ? `its dispatching is suspended on ${suspended.join(', ')}` : undefined;
}

/** Who else is at work on it. */
function whyInHand(binding: PlacedBinding, { clusters, unwell }: Around): string | undefined {
  const { spec } = binding;
  const [evicted] = spec.gracefulEvictionTasks ?? [];
  if (evicted !== undefined) return `it is being evicted from ${evicted.fromCluster}`;
  const [held] = queueOf(binding).keys();
  if (held !== undefined) return `its last move is not over: ${held} keeps its replicas until the others are ready`;
  const failing = spec.clusters.find(({ name }) => unwell.has(name));
  if (failing !== undefined) return `it has replicas on ${failing.name}, which is not well: failover comes first`;
  const due = whyDue(binding, clusters);
  return due === undefined ? undefined : `the scheduler is about to act on it: ${due}`;
}

function planned(binding: PlacedBinding, { plan }: Around): FreshPlan | { readonly reason: string } {
  try {
    const fresh = plan(binding);
    return fresh.fresh.outcome === 'Success' ? fresh : { reason: `it cannot be assigned anew: ${fresh.fresh.message}` };
  } catch (thrown) {
    return { reason: `it cannot be planned: ${(thrown as Error).message}` };
  }
}

/** What of the plan is this trigger's doing, in words; undefined where nothing is. */
function whyConcerned(trigger: Trigger, plan: FreshPlan, next: Distribution): string | undefined {
  const { current, moves, binding } = plan;
  switch (trigger.type) {
    case 'ClusterRecovered':
    case 'ClusterJoined': {
      const gain = (next.get(trigger.cluster) ?? 0) - (current.get(trigger.cluster) ?? 0);
      const what = trigger.type === 'ClusterRecovered' ? 'recovered' : 'joined';
      return gain > 0 ? `${trigger.cluster} ${what} and would get ${gain}` : undefined;
    }
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
  }
}

function holding(distribution: Distribution): number {
  return [...distribution.values()].filter((replicas) => replicas > 0).length;
}

function coolDownOf({ spec }: RebalancePolicy, isPressing: boolean): number {
  const own = durationMs(spec.strategy.coolDown);
  return isPressing ? own : Math.max(own, LEAST_COOL_DOWN);
}

/** Whoever moved it last: a rebalance leaves its trigger on the binding, the descheduler its own time. */
function whyCooling(
  { spec, metadata }: PlacedBinding,
  { coolDown, now }: { readonly coolDown: number; readonly now: Instant },
): string | undefined {
  const rebalanced = spec.rescheduleTriggeredAt ?? Number.NEGATIVE_INFINITY;
  const descheduled = fromTimestamp(metadata.annotations[DESCHEDULED_AT] ?? '') ?? Number.NEGATIVE_INFINITY;
  const last = Math.max(rebalanced, descheduled);
  if (now - last >= coolDown) return undefined;
  const what = rebalanced >= descheduled ? 'rebalanced' : 'descheduled';
  return `it was ${what} ${Math.max(0, Math.round((now - last) / SECOND))} s ago and cools down`;
}
