/** The reasons for each cluster's replicas: one binding after the other, cluster by cluster. */
import type { Cluster } from '../../shared/karmada/assignment/cluster.ts';
import { constraintBy, effectiveSpread, strategyOf } from '../../shared/karmada/assignment/placement.ts';
import { countsCapacity, type Scheduling } from '../../shared/karmada/assignment/plan-scheduling.ts';
import { distributionOf } from '../../shared/karmada/assignment/rebalance-plan.ts';
import { isWorkload } from '../../shared/karmada/placed-binding.ts';
import { referenceLabel } from '../../shared/kubernetes/object-reference.ts';
import { aligned } from '../aligned.ts';
import { type Colours, widthOf } from '../terminal.ts';
import type { MissingBinding } from './choose-bindings.ts';
import { type BindingPlan, isMissing } from './plan-bindings.ts';
import { caveats, missingReason, reasonOf } from './plan-document.ts';
import { keyLabel, summary } from './print-plan.ts';

const INDENT = '  ';

type Clusters = ReadonlyMap<string, Cluster>;

export function explainPlan(
  plans: readonly (BindingPlan | MissingBinding)[],
  clusters: Clusters,
  colours: Colours,
): string {
  const parts = plans.map((plan) => (isMissing(plan) ? missing(plan, colours) : explained(plan, clusters, colours)));
  return [...parts, summary(plans)].join('\n\n');
}

function missing(plan: MissingBinding, colours: Colours): string {
  return `${colours.bold(keyLabel(plan.key))}\n  ${colours.red(missingReason(plan))}`;
}

function explained(plan: BindingPlan, clusters: Clusters, colours: Colours): string {
  const { key, binding, moves, fresh, steady } = plan;
  const { resource, replicas } = binding.spec;
  const what = isWorkload(binding) ? `${replicas} ${replicas === 1 ? 'replica' : 'replicas'} of ` : '';
  const [head = '', ...rows] = aligned(rowsOf(plan, clusters), { right: [1, 2, 3, 4], text: 5, width: insideWidth() });
  const lines = [
    `Moves:  ${moves}`,
    `Fresh:  ${resultText(fresh)}`,
    `Steady: ${resultText(steady)}`,
    ...caveats(binding).map((caveat) => `But ${caveat}`),
    head,
    ...rows,
  ];
  const paint = (line: string): string => {
    if (line === head) return colours.dim(line);
    return line.startsWith('But ') || /^(Fresh|Steady): +\w+: /.test(line) ? colours.red(line) : line;
  };
  return [
    `${colours.bold(keyLabel(key))}: ${what}${referenceLabel(resource)}`,
    ...lines.map((line) => `${INDENT}${paint(line)}`),
  ].join('\n');
}

/** Width of indented text; undefined: nothing is truncated. */
function insideWidth(): number | undefined {
  const width = widthOf();
  return width === undefined ? undefined : width - INDENT.length;
}

function resultText(scheduling: Scheduling): string {
  return scheduling.outcome === 'Success' ? reasonOf(scheduling) : `${scheduling.outcome}: ${reasonOf(scheduling)}`;
}

/** Current and planned replicas, capacity, and the reason. */
function rowsOf(plan: BindingPlan, clusters: Clusters): readonly (readonly string[])[] {
  const { current, steady, fresh, binding } = plan;
  const next = { steady: assigned(steady), fresh: assigned(fresh) };
  const names = [...new Set([...clusters.keys(), ...current.keys()])].sort();
  const count = (distribution: ReadonlyMap<string, number> | undefined, name: string): string =>
    distribution === undefined ? '-' : String(distribution.get(name) ?? 0);
  const roomed = countsCapacity(binding);
  return [
    ['CLUSTER', 'NOW', 'STEADY', 'FRESH', 'CAPACITY', 'WHY'],
    ...names.map((name) => {
      const cluster = clusters.get(name);
      const capacity = cluster === undefined || !roomed ? '-' : String(plan.capacity(cluster));
      const why = cluster === undefined ? 'there is no such cluster' : whyOf(plan, cluster, next.fresh);
      return [name, count(current, name), count(next.steady, name), count(next.fresh, name), capacity, why];
    }),
  ];
}

function assigned(scheduling: Scheduling): ReadonlyMap<string, number> | undefined {
  return scheduling.outcome === 'Success' ? distributionOf(scheduling.clusters) : undefined;
}

function whyOf(plan: BindingPlan, cluster: Cluster, fresh: ReadonlyMap<string, number> | undefined): string {
  if (cluster.deleting) return 'is being deleted';
  const unfit = plan.fresh.unfit.get(cluster.name);
  if (unfit !== undefined) return unfit.replace(/^cluster\(s\) /, '');
  if (fresh === undefined) return 'fits';
  return fresh.has(cluster.name) ? whyChosen(plan, cluster) : whyPassedOver(plan, cluster, fresh.size);
}

function whyChosen({ binding, current, capacity }: BindingPlan, cluster: Cluster): string {
  if (!isWorkload(binding)) return 'every cluster that fits gets it';
  const { kind } = strategyOf(binding.spec.placement ?? {});
  if (kind === 'Duplicated') return 'every cluster gets all';
  if (kind === 'StaticWeight') return 'by its weight in the placement';
  return `weighs ${weightText(capacity(cluster), current.get(cluster.name) ?? 0)}`;
}

/** Fresh assignment counts the workload's own replicas as free capacity. */
function weightText(capacity: number, own: number): string {
  return own === 0 ? String(capacity) : `${capacity + own}: ${capacity} free and ${own} of its own`;
}

function whyPassedOver({ binding, current, capacity }: BindingPlan, cluster: Cluster, chosen: number): string {
  const placement = binding.spec.placement ?? {};
  const { kind } = strategyOf(placement);
  const most = constraintBy('cluster', effectiveSpread(placement))?.maxGroups ?? 0;
  if (most > 0 && most <= chosen) return `not chosen: spreadConstraints take at most ${most}`;
  if (kind === 'StaticWeight') return 'its weight in the placement gives it none';
  const own = current.get(cluster.name) ?? 0;
  if (capacity(cluster) + own === 0) return 'has no capacity';
  const weight = weightText(capacity(cluster), own);
  if (kind === 'Aggregated') return `weighs ${weight}; others suffice`;
  return `weighs ${weight}; too little for a share`;
}
