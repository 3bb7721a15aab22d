/** Conditions of a status, as the API's own helpers keep them. */
import { type Instant, toTimestamp } from '../core/time.ts';

export interface Condition {
  readonly type: string;
  readonly status: 'True' | 'False';
  readonly reason: string;
  readonly message: string;
}

type PreservedCondition = Readonly<Record<string, unknown>> & { readonly type: string; readonly status: string };

/** The conditions with this one set; lastTransitionTime changes only if the status changes. */
export function withCondition(
  conditions: readonly PreservedCondition[],
  next: Condition,
  now: Instant,
): Readonly<Record<string, unknown>>[] {
  const before = conditions.find(({ type }) => type === next.type);
  const since = before?.status === next.status ? before.lastTransitionTime : toTimestamp(now);
  const set = { ...next, lastTransitionTime: since };
  return before === undefined
    ? [...conditions, set]
    : conditions.map((condition) => (condition.type === next.type ? set : condition));
}
