/** Whether a cluster is meant: by a ClusterAffinity, a label selector, or a toleration of its taints. */
import { ownValue } from '../../core/own-value.ts';
import { fromTimestamp, type Instant, SECOND } from '../../core/time.ts';
import type { ClusterIdentity, Taint } from './cluster.ts';
import type { ClusterAffinity, LabelSelector, SelectorRequirement, Toleration } from './placement.ts';

/** All fields of an affinity must match; `exclude` takes precedence; an empty affinity matches every cluster. */
export function matchesAffinity(affinity: ClusterAffinity, cluster: ClusterIdentity): boolean {
  if (affinity.exclude?.includes(cluster.name)) return false;
  if (affinity.labelSelector && !matchesLabels(affinity.labelSelector, cluster.labels ?? {})) return false;
  if (!(affinity.fieldSelector?.matchExpressions ?? []).every((field) => matchesField(field, cluster))) return false;
  const names = affinity.clusterNames ?? [];
  return names.length === 0 || names.includes(cluster.name);
}

/** An empty selector matches everything; an unknown operator matches nothing. */
export function matchesLabels(selector: LabelSelector, labels: Readonly<Record<string, string>>): boolean {
  const exact = Object.entries(selector.matchLabels ?? {}).every(([key, value]) => ownValue(labels, key) === value);
  return (
    exact &&
    (selector.matchExpressions ?? []).every((expression) => holds(expression, ownValue(labels, expression.key)))
  );
}

function holds({ operator, values }: SelectorRequirement, value: string | undefined): boolean {
  if (operator === 'In') return value !== undefined && (values ?? []).includes(value);
  if (operator === 'NotIn') return value === undefined || !(values ?? []).includes(value);
  if (operator === 'Exists') return value !== undefined;
  return operator === 'DoesNotExist' && value === undefined;
}

/** Of several zones, one suffices for In, and one is too many for NotIn. */
function matchesField(expression: SelectorRequirement, cluster: ClusterIdentity): boolean {
  if (expression.key === 'provider') return holds(expression, cluster.provider);
  if (expression.key === 'region') return holds(expression, cluster.region);
  if (expression.key !== 'zone') return false;
  const zones = cluster.zones ?? [];
  if (zones.length === 0) return holds(expression, undefined);
  const matches = zones.map((zone) => holds(expression, zone));
  return expression.operator === 'NotIn' ? matches.every(Boolean) : matches.some(Boolean);
}

/** The tolerations of a taint. An empty key with Exists tolerates every taint; an empty effect every effect. */
export function tolerationsOf(taint: Taint, tolerations: readonly Toleration[]): readonly Toleration[] {
  return tolerations.filter(({ key, operator, value, effect }) => {
    if (effect && effect !== taint.effect) return false;
    if (key ? key !== taint.key : operator !== 'Exists') return false;
    return operator === 'Exists' || ((operator || 'Equal') === 'Equal' && (value ?? '') === taint.value);
  });
}

/** When a NoExecute taint evicts: a toleration without seconds never ends, and of several the shortest counts. `untoleratedMs`: how long replicas stay without one. */
export function toleratedUntil(taint: Taint, tolerations: readonly Toleration[], untoleratedMs = 0): Instant {
  const since = fromTimestamp(taint.timeAdded ?? '') ?? 0;
  const matching = tolerationsOf(taint, tolerations);
  if (matching.length === 0) return since + untoleratedMs;
  const seconds = matching.flatMap(({ tolerationSeconds }) => tolerationSeconds ?? []);
  return seconds.length === 0 ? Number.POSITIVE_INFINITY : since + Math.max(0, Math.min(...seconds)) * SECOND;
}

/** A taint as kubectl writes it: "key=value:Effect", "key:Effect". */
export function taintText({ key, value, effect }: Taint): string {
  return `${key}${value === '' ? '' : `=${value}`}:${effect}`;
}
