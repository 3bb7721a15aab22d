/** Prints the plan as a table with a line per binding, or with details of each. */
import { count } from '../../shared/core/count.ts';
import type { Scheduling } from '../../shared/karmada/assignment/plan-scheduling.ts';
import { type Distribution, distributionOf } from '../../shared/karmada/assignment/rebalance-plan.ts';
import type { ObjectKey } from '../../shared/kubernetes/object-key.ts';
import { aligned } from '../aligned.ts';
import type { Colours } from '../terminal.ts';
import type { MissingBinding } from './choose-bindings.ts';
import { type BindingPlan, isMissing } from './plan-bindings.ts';
import { missingReason } from './plan-document.ts';

/** Maximum clusters in one cell; --explain prints all. */
const CLUSTERS_A_CELL = 6;

type ReplicasOfClusters = Readonly<Record<string, number>>;
type PlanEntry = BindingPlan | MissingBinding;

export function printTable(plans: readonly PlanEntry[], colours: Colours): string {
  if (plans.length === 0) return 'There is no binding with a placement to plan.';
  const head = ['NAMESPACE', 'BINDING', 'MOVES', 'FRESH', 'STEADY'];
  const lines = aligned([head, ...plans.map(rowOf)], { right: [2], text: [4, 3] });
  const paint = (line: string, plan: PlanEntry | undefined): string => {
    if (plan === undefined) return colours.bold(line);
    if (isMissing(plan)) return colours.red(line);
    if (plan.fresh.outcome !== 'Success' && plan.fresh.outcome !== 'CannotForecast') return colours.red(line);
    return plan.moves > 0 ? colours.yellow(line) : line;
  };
  return [...lines.map((line, i) => paint(line, plans[i - 1])), '', summary(plans)].join('\n');
}

function rowOf(plan: PlanEntry): readonly string[] {
  const { namespace, name } = plan.key;
  if (isMissing(plan)) return [namespace || '-', name, '-', missingReason(plan), '-'];
  const { moves, current, fresh, steady } = plan;
  // If both messages agree, one is enough.
  const second = steady.outcome === 'Success' ? cell(current, steady) : steady.outcome;
  return [namespace || '-', name, String(moves), cell(current, fresh), second];
}

function cell(current: Distribution, scheduling: Scheduling): string {
  if (scheduling.outcome !== 'Success') return `${scheduling.outcome}: ${scheduling.message}`;
  return changes(current, distributionOf(scheduling.clusters));
}

/** "m1 5→2, m2 3→5, 4 others stay". */
export function changesBetween(before: ReplicasOfClusters, after: ReplicasOfClusters): string {
  return changes(new Map(Object.entries(before)), new Map(Object.entries(after)));
}

function changes(current: Distribution, next: Distribution): string {
  const names = [...new Set([...current.keys(), ...next.keys()])].sort();
  const changed = names.filter((name) => current.get(name) !== next.get(name));
  if (changed.length === 0) return `stays: ${list(names.map((name) => `${name} ${next.get(name) ?? 0}`)) || 'nowhere'}`;
  const shown = changed.map((name) => `${name} ${change(current.get(name), next.get(name))}`);
  const rest = names.length - changed.length;
  return `${list(shown)}${rest === 0 ? '' : `, ${rest} ${rest === 1 ? 'other stays' : 'others stay'}`}`;
}

/** Resources without replicas are added and removed. */
function change(before: number | undefined, after: number | undefined): string {
  if (before === undefined && after === 0) return 'new';
  return before === 0 && after === undefined ? 'gone' : `${before ?? 0}→${after ?? 0}`;
}

export function list(texts: readonly string[]): string {
  const hidden = texts.length - CLUSTERS_A_CELL;
  if (hidden <= 1) return texts.join(', ');
  return `${texts.slice(0, CLUSTERS_A_CELL).join(', ')} and ${hidden} more`;
}

export function summary(plans: readonly PlanEntry[]): string {
  const known = plans.filter((plan): plan is BindingPlan => !isMissing(plan));
  const moving = known.filter(({ moves }) => moves > 0);
  const unknown = known.filter(({ fresh }) => fresh.outcome === 'CannotForecast').length;
  const failing = known.filter(({ fresh }) => fresh.outcome !== 'Success').length - unknown;
  const moves = moving.reduce((sum, plan) => sum + plan.moves, 0);
  const missing = plans.length - known.length;
  return [
    moves === 0
      ? `A rebalance would move nothing in ${count(known.length, 'binding')}`
      : `A rebalance would move ${count(moves, 'replica')} in ${moving.length} of ${count(known.length, 'binding')}`,
    ...(failing > 0 ? [`${failing} would not be scheduled`] : []),
    ...(unknown > 0 ? [`${unknown} cannot be forecast`] : []),
    ...(missing > 0 ? [`${missing} named without a binding`] : []),
  ]
    .join('; ')
    .concat('.');
}

export function keyLabel({ namespace, name }: ObjectKey): string {
  return namespace === '' ? name : `${namespace}/${name}`;
}
