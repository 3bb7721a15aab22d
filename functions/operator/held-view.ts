/** What users see of that which waits for Evenkeel on a hub, and would wait on while it is paused. */
import { type ElasticWorkloadIdentity, FINALIZER } from '../../shared/model/elastic-workload/elastic-workload.ts';
import { assignedTo } from '../../shared/model/graceful-reduction/holds.ts';
import { graceEnd, queueOf } from '../../shared/model/graceful-reduction/replica-reduction.ts';
import type { PlacedBinding } from '../../shared/model/placed-binding.ts';
import { toTimestamp } from '../../shared/model/time.ts';
import type { OutputOf } from '../../shared/operator/operations.ts';

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
