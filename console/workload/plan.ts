/** A workload's clusters with current, Steady and Fresh replicas. */
import type { WorkloadAnswer } from '../../shared/console-api/operations/fleet.ts';

export interface PlanRow {
  readonly name: string;
  readonly now: number;
  readonly ready: number;
  readonly held: WorkloadAnswer['clusters'][number]['held'];
  /** Null if there is no such plan. */
  readonly steady: number | null;
  readonly fresh: number | null;
}

export function planRows({ clusters, plan }: Pick<WorkloadAnswer, 'clusters' | 'plan'>): readonly PlanRow[] {
  const here = new Map(clusters.map((cluster) => [cluster.name, cluster]));
  const names = new Set([...here.keys(), ...Object.keys(plan.steady ?? {}), ...Object.keys(plan.fresh ?? {})]);
  return [...names].toSorted().map((name) => {
    const cluster = here.get(name);
    return {
      name,
      now: cluster?.assigned ?? 0,
      ready: cluster?.ready ?? 0,
      held: cluster?.held,
      steady: plan.steady === null ? null : (plan.steady[name] ?? 0),
      fresh: plan.fresh === null ? null : (plan.fresh[name] ?? 0),
    };
  });
}
