/** PodDisruptionBudgets that the hub propagates: how many ready pods of a workload each member may lose now. */
import * as z from 'zod/mini';
import { matchesLabels } from '../karmada/assignment/match-cluster.ts';
import { bindingKey, resourceBindings } from '../karmada/binding.ts';
import { labelSelector } from '../kubernetes/crd-fields.ts';
import { objectMeta, parseObject } from '../kubernetes/hub-object.ts';
import { keyText, type ObjectKey } from '../kubernetes/object-key.ts';
import type { Resource } from '../kubernetes/resource.ts';

export interface PodDisruptionBudget {
  readonly key: ObjectKey;
  /** Absent: it selects no pod. */
  readonly selector?: z.output<typeof labelSelector>;
}

const budget = z.object({
  metadata: objectMeta,
  spec: z._default(z.object({ selector: z.nullish(labelSelector) }), {}),
});

export const podDisruptionBudgets: Resource<PodDisruptionBudget> = {
  group: 'policy',
  version: 'v1',
  kind: 'PodDisruptionBudget',
  plural: 'poddisruptionbudgets',
  namespaced: true,
  pageSize: 500,
  parse: (object) => {
    const { metadata, spec } = parseObject(budget, object, 'PodDisruptionBudget');
    const { namespace, name } = metadata;
    return { key: { namespace, name }, ...(spec.selector && { selector: spec.selector }) };
  },
};

/** The labels of a workload's pods. */
export interface PodLabels {
  readonly key: ObjectKey;
  readonly labels: Readonly<Record<string, string>>;
}

const workload = z.object({
  metadata: objectMeta,
  spec: z.object({
    template: z.object({ metadata: z._default(z.object({ labels: z._default(labelsOf(), {}) }), { labels: {} }) }),
  }),
});

function labelsOf() {
  return z.record(z.string(), z.string());
}

/** A kind with a pod template, read for the labels of its pods. */
export function podLabelsOf({ group, version, kind, plural }: Resource<unknown>): Resource<PodLabels> {
  return {
    ...{ group, version, kind, plural, namespaced: true, pageSize: 100 },
    parse: (object) => {
      const { metadata, spec } = parseObject(workload, object, kind);
      const { namespace, name } = metadata;
      return { key: { namespace, name }, labels: spec.template.metadata.labels };
    },
  };
}

/** How many pods may be lost of those that a budget selects: now, and if all are healthy. */
export interface AllowedDisruptions {
  readonly now: number;
  readonly most: number;
}

/** By cluster, as the members report it. */
export type DisruptionStatus = ReadonlyMap<string, AllowedDisruptions>;

const count = z._default(z.number(), 0);
const reported = z.object({
  status: z._default(
    z.object({
      aggregatedStatus: z._default(
        z.array(
          z.object({
            clusterName: z.string(),
            status: z.nullish(z.object({ disruptionsAllowed: count, expectedPods: count, desiredHealthy: count })),
          }),
        ),
        [],
      ),
    }),
    { aggregatedStatus: [] },
  ),
});

/** The binding of a PodDisruptionBudget, read for what its members report. */
export const disruptionStatuses: Resource<DisruptionStatus> = {
  ...resourceBindings,
  parse: (object) => {
    const { aggregatedStatus } = parseObject(reported, object, 'binding').status;
    return new Map(
      aggregatedStatus.flatMap(({ clusterName, status }) =>
        status == null
          ? []
          : [
              [
                clusterName,
                { now: status.disruptionsAllowed, most: Math.max(0, status.expectedPods - status.desiredHealthy) },
              ] as const,
            ],
      ),
    );
  },
};

export function disruptionBindingKey({ key: { namespace, name } }: PodDisruptionBudget): ObjectKey {
  return bindingKey({ apiVersion: 'policy/v1', kind: podDisruptionBudgets.kind, namespace, name });
}

/** A budget that limits a workload. */
export interface WorkloadDisruptions {
  /** "PodDisruptionBudget shop/web". */
  readonly of: string;
  readonly allowed: DisruptionStatus;
}

/** By keyText of the binding; workloads without a budget are absent. */
export type Disruptions = ReadonlyMap<string, readonly WorkloadDisruptions[]>;

/** Those that select the pods of a workload. One that no member has reported on limits nothing, as in a member without it. */
export function disruptionsOf(
  { key: { namespace }, labels }: PodLabels,
  budgets: readonly PodDisruptionBudget[],
  statuses: ReadonlyMap<string, DisruptionStatus>,
): readonly WorkloadDisruptions[] {
  return budgets.flatMap((budget) => {
    const { key, selector } = budget;
    if (key.namespace !== namespace || selector === undefined || !matchesLabels(selector, labels)) return [];
    const allowed = statuses.get(keyText(disruptionBindingKey(budget)));
    return allowed === undefined ? [] : [{ of: `PodDisruptionBudget ${keyText(key)}`, allowed }];
  });
}
