/** Conditions as Open Cluster Management's controllers write them: with an observedGeneration. */
import { toTimestamp } from '../../../../shared/core/time.ts';

export interface OcmCondition {
  readonly type: string;
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason: string;
  readonly message: string;
  readonly observedGeneration?: number;
}

export function condition(type: string, status: OcmCondition['status'], reason: string, message: string): OcmCondition {
  return { type, status, reason, message };
}

export type StoredCondition = OcmCondition & { readonly lastTransitionTime: string };

export function conditionsIn(status: unknown): readonly StoredCondition[] {
  const { conditions } = (status ?? {}) as { readonly conditions?: readonly StoredCondition[] };
  return conditions ?? [];
}

/** Replaces conditions of the same types; lastTransitionTime changes only with the status. */
export function withConditions(
  before: readonly StoredCondition[],
  given: readonly OcmCondition[],
  now: number,
): readonly StoredCondition[] {
  const set = given.map((next) => {
    const old = before.find(({ type }) => type === next.type);
    return { ...next, lastTransitionTime: old?.status === next.status ? old.lastTransitionTime : toTimestamp(now) };
  });
  const kept = before.filter(({ type }) => !given.some((next) => next.type === type));
  return [...kept, ...set];
}
