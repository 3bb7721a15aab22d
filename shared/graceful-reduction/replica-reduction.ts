/**
 * Requests and records of a replica reduction that waits for its replacement: the proposal's fields, as annotations,
 * because Karmada's CRDs prune the fields.
 */
import * as z from 'zod/mini';
import { fromTimestamp, type Instant, SECOND, toTimestamp } from '../core/time.ts';
import type { PlacedBinding } from '../karmada/placed-binding.ts';

/** On a policy or a binding, if the hub's CRDs prune spec.replicaReductionStrategy: "DelayWorkDeletion". */
export const REDUCTION_STRATEGY = 'evenkeel.dev/replica-reduction-strategy';
/** With it: the maximum wait of a reduction, in whole seconds, 1 to 2147483647. */
export const GRACE_PERIOD = 'evenkeel.dev/replica-reduction-grace-period-seconds';
/** With it, instead of a grace period: "true" makes each reduction wait for a manual release. */
export const SUPPRESS_DELETION = 'evenkeel.dev/replica-reduction-suppress-deletion';
/** On a binding whose strategy we copied from its policy: that policy. */
export const STRATEGY_FROM = 'evenkeel.dev/replica-reduction-strategy-from';
/** With a cluster's name after it: a ReplicaReductionTask as JSON. All of them are the proposal's replicaReductionQueue. */
export const QUEUE = 'replica-reduction-queue.evenkeel.dev/';
/** On a binding: status.lastScheduledTime of its last release. A released reduction is not held again before the next scheduling. */
export const RELEASED_FOR = 'evenkeel.dev/replica-reduction-released-for';

/** The only supported strategy. */
export const DELAY_WORK_DELETION = 'DelayWorkDeletion';

/** Our entry in spec.requiredBy. No real object conflicts with it: a namespace has no dot. */
export const REQUIRED_BY = { namespace: 'evenkeel.dev', name: 'replica-reduction-queue' } as const;

/** Undefined if it requests none. */
export function reductionStrategyOf({ metadata, spec }: PlacedBinding): typeof DELAY_WORK_DELETION | undefined {
  const word = spec.replicaReductionStrategy ?? metadata.annotations[REDUCTION_STRATEGY];
  return word === DELAY_WORK_DELETION ? word : undefined;
}

/** With neither field, the default grace period applies. */
export interface GracePeriod {
  readonly gracePeriodSeconds?: number;
  readonly suppressDeletion?: true;
}

/** An entry of the queue: a cluster keeps `replicas`, more than it is assigned, until the reduction is released. */
export interface ReplicaReductionTask extends GracePeriod {
  readonly replicas: number;
  /** Absent until the system wrote it. */
  readonly creationTimestamp?: Instant;
}

const task = z.object({
  replicas: z.int().check(z.nonnegative()),
  gracePeriodSeconds: z.optional(z.int().check(z.positive())),
  suppressDeletion: z.optional(z.boolean()),
  creationTimestamp: z.optional(z.string()),
});

/** An invalid entry keeps no replicas: Karmada would run that number in the member cluster. */
function readTask(text: string): ReplicaReductionTask {
  const parsed = z.safeParse(task, jsonOf(text));
  if (!parsed.success) return { replicas: 0 };
  const { replicas, gracePeriodSeconds, suppressDeletion, creationTimestamp } = parsed.data;
  const created = fromTimestamp(creationTimestamp ?? '');
  return {
    replicas,
    ...(gracePeriodSeconds !== undefined && { gracePeriodSeconds }),
    ...(suppressDeletion === true && { suppressDeletion }),
    ...(created !== undefined && { creationTimestamp: created }),
  };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The text of the annotation; the admission rules write the same text. */
export function taskText({
  replicas,
  gracePeriodSeconds,
  suppressDeletion,
  creationTimestamp,
}: ReplicaReductionTask): string {
  return JSON.stringify({
    replicas,
    gracePeriodSeconds,
    suppressDeletion,
    ...(creationTimestamp !== undefined && { creationTimestamp: toTimestamp(creationTimestamp) }),
  });
}

/** The held reductions, by cluster. */
export type ReplicaReductionQueue = ReadonlyMap<string, ReplicaReductionTask>;

export function queueOf({ metadata }: Pick<PlacedBinding, 'metadata'>): ReplicaReductionQueue {
  return new Map(
    Object.entries(metadata.annotations)
      .filter(([name]) => name.startsWith(QUEUE))
      .map(([name, text]) => [name.slice(QUEUE.length), readTask(text)] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}

/** The replicas that each cluster keeps until others are ready, without those that a user is to release. */
export function heldUntilReplaced(binding: Pick<PlacedBinding, 'metadata' | 'spec'>): ReadonlyMap<string, number> {
  const assigned = new Map(binding.spec.clusters.map(({ name, replicas }) => [name, replicas]));
  return new Map(
    [...queueOf(binding)].flatMap(([cluster, { replicas, suppressDeletion }]) => {
      const held = replicas - (assigned.get(cluster) ?? 0);
      return held > 0 && !suppressDeletion ? [[cluster, held] as const] : [];
    }),
  );
}

/** The grace period for new reductions from a binding's annotations. Invalid values are ignored: the hub's admission rejects them. */
export function gracePeriodOf({ metadata }: Pick<PlacedBinding, 'metadata'>): GracePeriod {
  const { [GRACE_PERIOD]: grace = '', [SUPPRESS_DELETION]: suppress } = metadata.annotations;
  if (suppress === 'true') return { suppressDeletion: true };
  return /^[1-9][0-9]{0,9}$/.test(grace) ? { gracePeriodSeconds: Number(grace) } : {};
}

/** When its grace period ends; undefined if it waits for a manual release, or its start is not recorded yet. */
export function graceEnd(
  { gracePeriodSeconds, suppressDeletion, creationTimestamp }: ReplicaReductionTask,
  defaultSeconds: number,
): Instant | undefined {
  if (suppressDeletion || creationTimestamp === undefined) return undefined;
  return creationTimestamp + (gracePeriodSeconds ?? defaultSeconds) * SECOND;
}

/** Whether the binding requests graceful reductions or holds some. */
export function asksOrHolds(binding: PlacedBinding): boolean {
  return reductionStrategyOf(binding) !== undefined || queueOf(binding).size > 0;
}
