/** Reads the MoveBudgets of a hub, with what they count. */
import { readClusters } from '../karmada/read-clusters.ts';
import type { Hubs } from '../kubernetes/hub.ts';
import { listIfServed } from '../kubernetes/list-all.ts';
import type { CountedBudgets } from './budget.ts';
import { limitsOf, type MoveLimit, moveBudgets } from './move-budget.ts';
import type { MoveLedger } from './move-ledger.ts';
import { podsByCluster } from './pods-by-cluster.ts';

/** Empty on a hub that is registered without budgets. */
export async function readBudgets(name: string, hubs: Hubs, ledger: MoveLedger): Promise<CountedBudgets> {
  if (!(await hubs.uses(name, 'budgets'))) return { budgets: [], moves: [], pods: new Map() };
  const hub = await hubs.open(name);
  const [budgets, stored] = await Promise.all([
    listIfServed(hub, moveBudgets, (budget) => budget.name),
    ledger.read(name),
  ]);
  const clusters = budgets.flatMap(limitsOf).some(isOfClusters) ? await readClusters(hub) : [];
  return { budgets, moves: stored?.moves ?? [], pods: podsByCluster(clusters) };
}

/** Whether what it allows depends on the clusters of the hub. */
function isOfClusters({ per, replicas }: MoveLimit): boolean {
  return per === 'Cluster' || (per === 'Hub' && replicas.isPercent);
}
