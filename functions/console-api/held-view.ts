/** What users see of that which waits for Evenkeel on a hub, and would wait on while it is paused. */

import type { OutputOf } from '../../shared/console-api/operations.ts';
import { toTimestamp } from '../../shared/core/time.ts';
import { type ElasticWorkloadIdentity, FINALIZER } from '../../shared/elastic-workload/elastic-workload.ts';
import { assignedTo } from '../../shared/graceful-reduction/holds.ts';
import { graceEnd, queueOf } from '../../shared/graceful-reduction/replica-reduction.ts';
import type { PlacedBinding } from '../../shared/karmada/placed-binding.ts';

export interface HeldObjects {
  readonly bindings: readonly PlacedBinding[];
  readonly claims: readonly ElasticWorkloadIdentity[];
  readonly graceSeconds: number;
}

export function heldAnswer({ bindings, claims, graceSeconds }: HeldObjects): OutputOf<'listHeld'> {
  return {
    reductions: bindings.flatMap((binding) =>
      [...queueOf(binding)].map(([cluster, task]) => {
        const { namespace, name } = binding.metadata;
        const until = graceEnd(task, graceSeconds);
        return {
          namespace,
          binding: name,
          cluster,
          replicas: task.replicas,
          assigned: assignedTo(binding, cluster),
          ...(until !== undefined && { until: toTimestamp(until) }),
        };
      }),
    ),
    elasticWorkloads: claims
      .filter(({ finalizers }) => finalizers.includes(FINALIZER))
      .map(({ group, key, deletionTimestamp }) => ({
        group,
        ...key,
        ...(deletionTimestamp !== undefined && { deleting: toTimestamp(deletionTimestamp) }),
      })),
  };
}
