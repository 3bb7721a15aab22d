/** Reads which PodDisruptionBudgets limit some workloads, and how many of their pods each member may lose. */
import { groupBy } from '../core/group-by.ts';
import type { Hub } from '../kubernetes/hub.ts';
import { listInNamespaces } from '../kubernetes/list-all.ts';
import { keyText, type ObjectKey } from '../kubernetes/object-key.ts';
import { workloadKindOf } from '../kubernetes/workload-metadata.ts';
import type { Candidate } from '../rebalance-policy/select-workloads.ts';
import {
  type Disruptions,
  disruptionBindingKey,
  disruptionStatuses,
  disruptionsOf,
  type PodDisruptionBudget,
  type PodLabels,
  podDisruptionBudgets,
  podLabelsOf,
} from './disruption-budget.ts';

/** Those in these namespaces. */
export async function listDisruptionBudgets(
  hub: Hub,
  namespaces: ReadonlySet<string>,
): Promise<readonly PodDisruptionBudget[]> {
  return listInNamespaces(hub, podDisruptionBudgets, { namespaces, keyOf: ({ key }) => key });
}

/** Reads only workloads in namespaces that have a budget. */
export async function listDisruptions(
  hub: Hub,
  budgets: readonly PodDisruptionBudget[],
  candidates: readonly Candidate[],
): Promise<Disruptions> {
  const namespaces = new Set(budgets.map(({ key }) => key.namespace));
  const limited = candidates.filter(({ binding }) => namespaces.has(binding.metadata.namespace));
  if (limited.length === 0) return new Map();
  const byKind = [...groupBy(limited, ({ binding }) => workloadKindOf(binding.spec.resource))];
  const [statuses, ...pods] = await Promise.all([
    hub.getMany(disruptionStatuses, budgets.map(disruptionBindingKey)),
    ...byKind.map(([kind, of]) =>
      kind === undefined ? new Map<string, PodLabels>() : hub.getMany(podLabelsOf(kind), of.map(keyOf)),
    ),
  ]);
  return new Map(
    byKind.flatMap(([, of], i) =>
      of.flatMap((candidate) => {
        const labels = pods[i]?.get(keyText(keyOf(candidate)));
        const limits = labels === undefined ? [] : disruptionsOf(labels, budgets, statuses);
        return limits.length === 0 ? [] : [[keyText(candidate.binding.metadata), limits] as const];
      }),
    ),
  );
}

/** Of the workload. */
function keyOf({ binding: { spec } }: Candidate): ObjectKey {
  return { namespace: spec.resource.namespace, name: spec.resource.name };
}
