/** Decides which candidates of a chunk are queried, and which clusters of a candidate. */

import type { ItemResult } from '../../shared/core/each-at-once.ts';
import type { Fault } from '../../shared/core/fault.ts';
import type { TelemetryEntry } from '../../shared/core/telemetry.ts';
import { type Instant, SECOND } from '../../shared/core/time.ts';
import { NOT_MOVABLE } from '../../shared/descheduling/cluster-readings.ts';
import type { DeschedulingDecision } from '../../shared/descheduling/descheduling.ts';
import { whyNoCandidate } from '../../shared/descheduling/descheduling-candidate.ts';
import type { Cluster } from '../../shared/karmada/assignment/cluster.ts';
import { possibleClusters } from '../../shared/karmada/assignment/plan-scheduling.ts';
import { whyDue } from '../../shared/karmada/assignment/why-due.ts';
import type { PlacedBinding } from '../../shared/karmada/placed-binding.ts';
import { HUB_NAMESPACE, switchOf } from '../../shared/karmada/rescheduling-policy.ts';
import { keyText, type ObjectKey } from '../../shared/kubernetes/object-key.ts';

export interface EvictionCandidate {
  readonly binding: PlacedBinding;
  /** The last decision on it. */
  readonly last: DeschedulingDecision | undefined;
}

export interface EvictionContext {
  readonly run: string;
  readonly clusters: readonly Cluster[];
  readonly now: Instant;
  readonly cooldownSeconds: number;
}

/** Bindings of paused namespaces are not queried. */
export function withoutPaused(
  bindings: readonly ObjectKey[],
  switches: ReadonlyMap<string, string>,
): readonly ObjectKey[] {
  return bindings.filter(({ namespace }) => switchOf(namespace, switches) !== 'Paused');
}

/** The keys of the namespaces whose switches a chunk needs. */
export function namespacesOf(bindings: readonly ObjectKey[]): readonly ObjectKey[] {
  const names = new Set([HUB_NAMESPACE, ...bindings.map(({ namespace }) => namespace)]);
  return [...names].map((name) => ({ namespace: '', name }));
}

/** Undefined if no query is needed: the binding is gone, this run has decided on it, or it is skipped. */
export function candidateOf(
  binding: PlacedBinding | undefined,
  last: DeschedulingDecision | undefined,
  context: EvictionContext,
): EvictionCandidate | undefined {
  if (binding === undefined || last?.run === context.run) return undefined;
  return whyLeave({ binding, last }, context) === undefined ? { binding, last } : undefined;
}

/** Why a binding is skipped before any query; undefined if it is not. */
function whyLeave(
  { binding, last }: EvictionCandidate,
  { clusters, now, cooldownSeconds }: EvictionContext,
): string | undefined {
  const no = whyNoCandidate(binding);
  if (no !== undefined) return no;
  // Pending replicas may be about to be scheduled.
  if (whyDue(binding, clusters) !== undefined) return 'the scheduler has not acted on its last change yet';
  // After a rebalance, pending pods may be starting.
  const rebalanced = binding.spec.rescheduleTriggeredAt;
  if (rebalanced != null && now - rebalanced < cooldownSeconds * SECOND) return 'it was rebalanced a short while ago';
  if (last?.outcome === 'Written' && now - last.decidedAt < cooldownSeconds * SECOND) return 'it is cooling down';
  return undefined;
}

/** A candidate with its clusters' answers. */
export interface Asked extends EvictionCandidate {
  readonly answers: ReadonlyMap<string, number>;
  readonly faults: ReadonlyMap<string, Fault>;
  /** Capacity by the estimators; empty if they can't compute it. */
  readonly estimated: ReadonlyMap<string, number>;
}

/** By binding: undefined if no query was needed. */
export type Queried = readonly ItemResult<ObjectKey, Asked | undefined>[];

/** Capacity is needed only if there are replicas to move, and only of clusters that could take them. */
export function clustersToEstimate(
  binding: PlacedBinding,
  answers: ReadonlyMap<string, number>,
  clusters: readonly Cluster[],
): readonly Cluster[] {
  return [...answers.values()].some((answer) => answer > 0) ? possibleClusters(binding, clusters) : [];
}

/** One line per failed binding, and one per silent cluster, for any number of bindings. */
export function queryTelemetry(hub: string, asked: Queried): readonly TelemetryEntry[] {
  const silent = new Map(
    asked.flatMap(({ value }) => [...(value?.faults ?? [])].filter(([, { reason }]) => reason !== NOT_MOVABLE)),
  );
  return [
    ...asked.flatMap(({ item, fault }): TelemetryEntry[] => {
      if (fault === undefined) return [];
      const { reason, message: error } = fault;
      return [{ code: 'EK311', fields: { hub, binding: keyText(item), reason, error } }];
    }),
    ...[...silent].map(
      ([cluster, { reason, message: error }]): TelemetryEntry => ({
        code: 'EK310',
        fields: { hub, cluster, reason, error },
      }),
    ),
    ...(silent.size > 0 ? [{ metric: 'EstimatorsSilent' as const, value: silent.size, dimensions: { hub } }] : []),
  ];
}
