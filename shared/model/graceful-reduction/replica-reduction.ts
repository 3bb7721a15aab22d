/**
 * What is asked and recorded of a replica reduction that waits for its replacement: the proposal's fields, as annotations,
 * since the CRDs of Karmada prune them.
 */
import * as z from 'zod/mini';
import type { PlacedBinding } from '../placed-binding.ts';
import { fromTimestamp, type Instant, SECOND, toTimestamp } from '../time.ts';

/** On a policy or a binding, where the hub's CRDs prune spec.replicaReductionStrategy: "DelayWorkDeletion". */
export const REDUCTION_STRATEGY = 'evenkeel.dev/replica-reduction-strategy';
/** Beside it: how long a reduction waits at most, in whole seconds, 1 to 2147483647. */
export const GRACE_PERIOD = 'evenkeel.dev/replica-reduction-grace-period-seconds';
/** Beside it, instead of a grace period: "true" has each reduction wait for a person. */
export const SUPPRESS_DELETION = 'evenkeel.dev/replica-reduction-suppress-deletion';
/** On a binding whose strategy we brought there from its policy: which policy that is. */
export const STRATEGY_FROM = 'evenkeel.dev/replica-reduction-strategy-from';
/** With a cluster's name after it: a ReplicaReductionTask as JSON. All of them are the proposal's replicaReductionQueue. */
export const QUEUE = 'replica-reduction-queue.evenkeel.dev/';
/** On a binding: status.lastScheduledTime when a reduction of it was released last. What was released is not held again before the next scheduling. */
export const RELEASED_FOR = 'evenkeel.dev/replica-reduction-released-for';

/** The strategies that there are. */
export const DELAY_WORK_DELETION = 'DelayWorkDeletion';

/** Our line in spec.requiredBy. No object can be called so, for a namespace has no dot. */
export const REQUIRED_BY = { namespace: 'evenkeel.dev', name: 'replica-reduction-queue' } as const;

/** Undefined where it asks for none. */
export function reductionStrategyOf({ metadata, spec }: PlacedBinding): typeof DELAY_WORK_DELETION | undefined {
  const word = spec.replicaReductionStrategy ?? metadata.annotations[REDUCTION_STRATEGY];
  return word === DELAY_WORK_DELETION ? word : undefined;
}

/** How long: neither is the default grace period. */
export interface Patience {
  readonly gracePeriodSeconds?: number;
  readonly suppressDeletion?: true;
}

/** An entry of the queue: a cluster keeps `replicas`, more than it is assigned, until the reduction is released. */
export interface ReplicaReductionTask extends Patience {
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

/** A text that is none of ours keeps nothing: what stands there Karmada has a member run. */
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

/** As it stands in the annotation; the admission rules write the same text. */
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

/** What waits, by cluster. */
export type ReplicaReductionQueue = ReadonlyMap<string, ReplicaReductionTask>;

export function queueOf({ metadata }: Pick<PlacedBinding, 'metadata'>): ReplicaReductionQueue {
  return new Map(
    Object.entries(metadata.annotations)
      .filter(([name]) => name.startsWith(QUEUE))
      .map(([name, text]) => [name.slice(QUEUE.length), readTask(text)] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}

/** What a binding says of new reductions. What is no whole number of seconds is passed over: the hub's admission refuses it. */
export function patienceOf({ metadata }: Pick<PlacedBinding, 'metadata'>): Patience {
  const { [GRACE_PERIOD]: grace = '', [SUPPRESS_DELETION]: suppress } = metadata.annotations;
  if (suppress === 'true') return { suppressDeletion: true };
  return /^[1-9][0-9]{0,9}$/.test(grace) ? { gracePeriodSeconds: Number(grace) } : {};
}

/** When its grace is over; undefined where it waits for a person, or nobody has noted yet when it began. */
export function graceEnd(
  { gracePeriodSeconds, suppressDeletion, creationTimestamp }: ReplicaReductionTask,
  defaultSeconds: number,
): Instant | undefined {
  if (suppressDeletion || creationTimestamp === undefined) return undefined;
  return creationTimestamp + (gracePeriodSeconds ?? defaultSeconds) * SECOND;
}

/** Whether its reductions are anybody's concern: it asks for them to be held, or holds some. */
export function asksOrHolds(binding: PlacedBinding): boolean {
  return reductionStrategyOf(binding) !== undefined || queueOf(binding).size > 0;
}
