/** Reads a hub, and decides what a policy or drain would move there now, with the planning code of its runs. Nothing is written. */
import type { Instant } from '../core/time.ts';
import type { Member } from '../karmada/member-cluster.ts';
import type { Hub } from '../kubernetes/hub.ts';
import { whyNotListed } from '../kubernetes/hub-features.ts';
import { runPlanners } from '../rebalance-policy/plan-run.ts';
import type { Trigger } from '../rebalance-policy/policy-run.ts';
import { listFleet, listMembers, listPriorities } from '../rebalance-policy/read-fleet.ts';
import type { RebalancePolicy } from '../rebalance-policy/rebalance-policy.ts';
import { unlimited } from './budget.ts';
import type { MoveReason } from './move-budget.ts';
import type { PolicyPreview } from './preview.ts';
import { previewPlanner } from './preview-planner.ts';
import { readBudget } from './write-grants.ts';

export interface PreviewQuery {
  readonly policy: RebalancePolicy;
  readonly reason: MoveReason;
  readonly triggersOf: (members: readonly Member[]) => readonly Trigger[];
  /** Whether the hub has the feature `failback`. */
  readonly failback: boolean;
  readonly now: Instant;
}

/** Waves without workloads are left out. A workload of which more would move than a budget of the hub ever allows is skipped. */
export async function readPreview(hub: Hub, query: PreviewQuery): Promise<PolicyPreview> {
  const { policy, reason, failback, now } = query;
  const members = await listMembers(hub);
  const triggers = query.triggersOf(members);
  const [{ switches, pages }, priorities] = await Promise.all([listFleet(hub), listPriorities(hub, [policy])]);
  const planner = previewPlanner(runPlanners({ members, switches, now, failback }, priorities)({ policy, triggers }));
  for await (const page of pages) planner.add(page);
  const budget = await readBudget(hub, now).catch((thrown: unknown) => whyNotListed(thrown, 'MoveBudgets', 'budgets'));
  const isUnread = typeof budget === 'string';
  const planned = planner.planned({ reason, budget: isUnread ? () => unlimited : budget });
  const { waves, skipped, still, unselected, notes } = planned;
  return {
    ...{ triggers, skipped, still, unselected },
    waves: waves.filter((wave) => wave.length > 0),
    notes: isUnread ? [budget] : notes,
  };
}
