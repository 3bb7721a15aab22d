/** Compares a plan that was saved with `-o json` with the bindings now: where replicas are not where it had them, and why. */
import { digest } from '../../shared/core/digest.ts';
import { toTimestamp } from '../../shared/core/time.ts';
import { capacityOf } from '../../shared/karmada/assignment/available-replicas.ts';
import { scheduleBinding } from '../../shared/karmada/assignment/plan-scheduling.ts';
import { type Distribution, distributionOf } from '../../shared/karmada/assignment/rebalance-plan.ts';
import type { PlacedBinding } from '../../shared/karmada/placed-binding.ts';
import { keyText, type ObjectKey } from '../../shared/kubernetes/object-key.ts';
import type { ForecastInput } from './plan-input.ts';

/** A binding of a saved plan. */
export interface SavedBinding extends ObjectKey {
  readonly replicas: number;
  /** Of its status at the plan. */
  readonly lastScheduledTime: string | null;
  /** A digest. */
  readonly placement: string;
  /** Null if the plan found no assignment. */
  readonly fresh: Readonly<Record<string, number>> | null;
}

export interface ComparedBinding {
  readonly key: ObjectKey;
  readonly planned: Distribution;
  readonly now: Distribution;
  /** How many of the planned replicas are on their clusters. */
  readonly asPlanned: number;
  /** Why the others are not; absent if all are, and no others. */
  readonly why?: string;
}

/** The fields of a binding that show later whether it is the one of the plan. */
export function savedFields({
  spec,
  status,
  storedPlacement,
}: PlacedBinding): Omit<SavedBinding, keyof ObjectKey | 'fresh'> {
  const { lastScheduledTime: last } = status;
  return {
    replicas: spec.replicas,
    lastScheduledTime: last == null ? null : toTimestamp(last),
    placement: digest(JSON.stringify(storedPlacement ?? null)),
  };
}

/** Those for which the plan found an assignment. */
export function comparePlan(saved: readonly SavedBinding[], input: ForecastInput): readonly ComparedBinding[] {
  return saved.flatMap((before) => {
    const { namespace, name, fresh } = before;
    if (fresh === null) return [];
    const key = { namespace, name };
    const planned = new Map(Object.entries(fresh));
    const binding = input.bindings.get(keyText(key));
    const now = distributionOf(binding?.spec.clusters ?? []);
    const asPlanned = [...planned].reduce(
      (sum, [cluster, replicas]) => sum + Math.min(replicas, now.get(cluster) ?? 0),
      0,
    );
    const isSame =
      binding !== undefined &&
      planned.size === now.size &&
      [...planned].every(([cluster, replicas]) => now.get(cluster) === replicas);
    return [
      { key, planned, now, asPlanned, ...(!isSame && { why: whyDifferent(before, binding, { planned, now, input }) }) },
    ];
  });
}

function whyDifferent(
  before: SavedBinding,
  binding: PlacedBinding | undefined,
  { planned, now, input }: { planned: Distribution; now: Distribution; input: ForecastInput },
): string {
  if (binding === undefined) return 'its binding is gone';
  const { replicas, lastScheduledTime, placement } = savedFields(binding);
  if (lastScheduledTime === before.lastScheduledTime) return 'it was not rescheduled after the plan';
  if (replicas !== before.replicas) return `it has ${replicas} replicas, and had ${before.replicas} in the plan`;
  if (placement !== before.placement) return 'its placement has changed';
  const clusters = [...input.clusters.values()];
  const capacity = capacityOf(binding);
  const { unfit } = scheduleBinding({
    binding: withoutClusters(binding),
    clusters,
    available: capacity,
    mode: 'Fresh',
  });
  for (const [name, wanted] of planned) {
    const missing = wanted - (now.get(name) ?? 0);
    if (missing <= 0) continue;
    const cluster = input.clusters.get(name);
    if (cluster === undefined) return `cluster ${name} is gone`;
    const reason = unfit.get(name);
    if (reason !== undefined) return `${name}: ${reason}`;
    const left = capacity(cluster);
    if (left < missing) return `${name} has capacity for ${left} more, and ${missing} are missing`;
  }
  return 'the clusters reported other capacities when it was scheduled';
}

/** A cluster that holds the workload fits whatever its taints are. */
function withoutClusters(binding: PlacedBinding): PlacedBinding {
  return { ...binding, spec: { ...binding.spec, clusters: [] } };
}
