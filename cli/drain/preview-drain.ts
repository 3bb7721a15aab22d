/** What a drain would move where, and what it can't move and why, with the planning code of its runs. */
import type { Hub } from '../../shared/kubernetes/hub.ts';
import { whyNotListed } from '../../shared/kubernetes/hub-features.ts';
import { unlimited } from '../../shared/move-budget/budget.ts';
import { readBudget } from '../../shared/move-budget/write-grants.ts';
import { parseClusterDrain } from '../../shared/rebalance-policy/cluster-drain.ts';
import type { NewDrain } from '../../shared/rebalance-policy/new-drain.ts';
import { runPlanners } from '../../shared/rebalance-policy/plan-run.ts';
import { listFleet, listMembers } from '../../shared/rebalance-policy/read-fleet.ts';
import { requireCluster } from '../../shared/rebalance-policy/write-drains.ts';
import { limitWaves, ownLimitsOf } from '../plan/limit-waves.ts';
import type { PolicyPlan } from '../plan/plan-policy.ts';

/** Workloads without replicas on the cluster are left out. One of which more would move than a budget of the hub ever allows is skipped. */
export async function previewDrain(hub: Hub, drain: NewDrain, cluster: string): Promise<PolicyPlan> {
  const metadata = { ...drain.metadata, uid: 'new', resourceVersion: '0', creationTimestamp: '1970-01-01T00:00:00Z' };
  const policy = parseClusterDrain({ ...drain, metadata });
  const members = await listMembers(hub);
  requireCluster(cluster, members);
  const { switches, pages } = await listFleet(hub);
  const triggers = [{ type: 'ClusterDrained', cluster } as const];
  const plannerOf = runPlanners({ members, switches, now: Date.now(), failback: false }, new Map());
  const planner = plannerOf({ policy, triggers });
  const ownLimits = new Map<string, string>();
  for await (const page of pages) {
    planner.add(page);
    for (const [key, limit] of ownLimitsOf(page)) ownLimits.set(key, limit);
  }
  const planned = planner.planned();
  const budget = await readBudget(hub, Date.now()).catch((thrown: unknown) =>
    whyNotListed(thrown, 'MoveBudgets', 'budgets'),
  );
  const limited = limitWaves(planned.waves, {
    reason: 'Drain',
    budget: typeof budget === 'string' ? () => unlimited : budget,
    ownLimits,
  });
  const waves = limited.waves.filter((wave) => wave.length > 0);
  const skipped = [...planned.skipped, ...limited.exceeding];
  const numbered = new Map(waves.map((wave, place) => [place + 1, wave]));
  return {
    policy,
    triggers,
    waves: numbered,
    skipped,
    still: [],
    unselected: [],
    notes: typeof budget === 'string' ? [budget] : limited.notes,
  };
}
