/** Decides whether a binding's reductions are due: for resync, and after policy changes. */

import { objectiveTelemetry } from '../../shared/core/objectives.ts';
import type { Settings } from '../../shared/core/settings.ts';
import type { TelemetryEntry } from '../../shared/core/telemetry.ts';
import { type Instant, SECOND, toTimestamp } from '../../shared/core/time.ts';
import type { ReductionPolicy } from '../../shared/graceful-reduction/reduction-policy.ts';
import {
  graceEnd,
  gracePeriodOf,
  queueOf,
  reductionStrategyOf,
} from '../../shared/graceful-reduction/replica-reduction.ts';
import type { Member } from '../../shared/karmada/member-cluster.ts';
import type { PlacedBinding } from '../../shared/karmada/placed-binding.ts';
import { policyOf } from '../../shared/karmada/rescheduling-policy.ts';
import { keyText } from '../../shared/kubernetes/object-key.ts';
import { decideWrite, inputOf, isUnaffected, withPolicyAnnotations } from './release-reduction.ts';

/** One-time schedules have a precision of one minute, and the release waits in a queue. */
const LATE_MS = 2 * 60 * SECOND;

interface ReductionInputs {
  readonly policies: ReadonlyMap<string, ReductionPolicy>;
  /** By name. */
  readonly members: ReadonlyMap<string, Member>;
  readonly settings: Settings;
  readonly now: Instant;
}

/** Whether a reconcile of the binding would write. */
export function isDue(binding: PlacedBinding, { policies, members, settings, now }: ReductionInputs): boolean {
  const key = policyOf(binding.metadata.annotations);
  const annotated = withPolicyAnnotations(binding, key && policies.get(keyText(key)));
  if (isUnaffected(annotated)) return false;
  const input = inputOf(annotated.binding, { members, settings, now });
  return decideWrite({ ...input, releaseOnTemplateChange: false }, annotated).patch !== undefined;
}

/**
 * Whether it may become due without a change of its own: by time, or when a member becomes Ready or unready. All that is held, and a reduction that can
 * still be held (unheldReductions).
 */
export function mayBecomeDue(
  binding: PlacedBinding,
  { settings, now }: Pick<ReductionInputs, 'settings' | 'now'>,
): boolean {
  if (queueOf(binding).size > 0) return true;
  if (reductionStrategyOf(binding) === undefined || binding.status.lastScheduledTime == null) return false;
  const { gracePeriodSeconds = settings.reductionGraceSeconds } = gracePeriodOf(binding);
  return now - binding.status.lastScheduledTime < gracePeriodSeconds * SECOND;
}

/** Keys of the bindings that the next resync reads although they did not change. */
export function openOf(
  page: readonly PlacedBinding[],
  { due, ...inputs }: Pick<ReductionInputs, 'settings' | 'now'> & { readonly due: readonly PlacedBinding[] },
): readonly string[] {
  const open = page.filter((binding) => due.includes(binding) || mayBecomeDue(binding, inputs));
  return open.map(({ metadata }) => keyText(metadata));
}

/** Numbers for the log and the metrics. `overdueSince`: when the first grace period of an overdue one ended; 0 without any. */
export type FoundReductions = Readonly<Record<'seen' | 'held' | 'overdue' | 'overdueSince' | 'found', number>>;

export const noneFound: FoundReductions = { seen: 0, held: 0, overdue: 0, overdueSince: 0, found: 0 };

export function telemetryOf(hub: string, found: FoundReductions): readonly TelemetryEntry[] {
  const { held, overdue, overdueSince } = found;
  const dimensions = { hub };
  // A metric costs $0.30 a month for each hub that sends it, also for zeros.
  const metrics = [
    { metric: 'ReductionsHeld', value: held, dimensions } as const,
    { metric: 'ReductionsOverdue', value: overdue, dimensions } as const,
  ].filter(({ value }) => value > 0);
  const line = { code: 'EK331', fields: { hub, overdue, since: toTimestamp(overdueSince) } } as const;
  return [...metrics, ...objectiveTelemetry('holds', { kept: 0, missed: overdue }), ...(overdue > 0 ? [line] : [])];
}

/** With those of another page. */
export function foundIn(
  { seen, held, overdue, overdueSince, found }: FoundReductions,
  page: readonly PlacedBinding[],
  { due, settings, now }: Pick<ReductionInputs, 'settings' | 'now'> & { readonly due: number },
): FoundReductions {
  const late = page.flatMap((binding) => overdueHolds(binding, settings.reductionGraceSeconds, now));
  const ends = [...(overdue > 0 ? [overdueSince] : []), ...late.map(({ end }) => end)];
  return {
    seen: seen + page.length,
    held: held + page.filter((binding) => queueOf(binding).size > 0).length,
    overdue: overdue + late.length,
    overdueSince: ends.length === 0 ? 0 : Math.min(...ends),
    found: found + due,
  };
}

/** Clusters whose hold exceeds the grace period: a release was missed. The grace period does not run while all dispatching is suspended. */
export function overdueHolds(binding: PlacedBinding, graceSeconds: number, now: Instant) {
  if (binding.spec.suspension?.dispatching === true) return [];
  return [...queueOf(binding)].flatMap(([cluster, task]) => {
    const end = graceEnd(task, graceSeconds);
    return end !== undefined && now >= end + LATE_MS ? [{ cluster, end }] : [];
  });
}
