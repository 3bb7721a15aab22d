/** Decides what is written to a binding with held or requested reductions: annotations of its policy, waiting and released reductions, and new holds. */

import type { Outcome } from '../../shared/core/invocation.ts';
import { objectiveTelemetry } from '../../shared/core/objectives.ts';
import type { Settings } from '../../shared/core/settings.ts';
import type { TelemetryEntry } from '../../shared/core/telemetry.ts';
import type { Instant } from '../../shared/core/time.ts';
import {
  decideReductions,
  type ReductionDecision,
  type ReductionInput,
} from '../../shared/graceful-reduction/decide-reductions.ts';
import { type QueuePatch, queuePatch } from '../../shared/graceful-reduction/holds.ts';
import { carriedAnnotations, type ReductionPolicy } from '../../shared/graceful-reduction/reduction-policy.ts';
import { asksOrHolds, queueOf } from '../../shared/graceful-reduction/replica-reduction.ts';
import { unheldReductions } from '../../shared/graceful-reduction/unheld-reductions.ts';
import type { Member } from '../../shared/karmada/member-cluster.ts';
import type { PlacedBinding } from '../../shared/karmada/placed-binding.ts';
import type { ObjectEvent } from '../../shared/kubernetes/object-event.ts';
import { keyText, type ObjectKey } from '../../shared/kubernetes/object-key.ts';

/** The binding with its policy's annotations applied. */
export interface AnnotatedBinding {
  readonly binding: PlacedBinding;
  /** Annotations to write, null for removal; undefined if there are none. */
  readonly policyAnnotations: Readonly<Record<string, string | null>> | undefined;
}

export function withPolicyAnnotations(binding: PlacedBinding, policy: ReductionPolicy | undefined): AnnotatedBinding {
  const policyAnnotations = carriedAnnotations(binding, policy);
  if (policyAnnotations === undefined) return { binding, policyAnnotations };
  const merged = Object.entries({ ...binding.metadata.annotations, ...policyAnnotations });
  const annotations = Object.fromEntries(merged.flatMap(([name, text]) => (text === null ? [] : [[name, text]])));
  return { binding: { ...binding, metadata: { ...binding.metadata, annotations } }, policyAnnotations };
}

/** It neither holds nor requests reductions. */
export function isUnaffected({ binding, policyAnnotations }: AnnotatedBinding): boolean {
  return policyAnnotations === undefined && !asksOrHolds(binding);
}

/** Clusters of the binding, and clusters that may still have removed replicas. */
export function clustersOf(binding: PlacedBinding): readonly ObjectKey[] {
  const names = new Set([
    ...binding.spec.clusters.map(({ name }) => name),
    ...binding.status.aggregatedStatus.map(({ clusterName }) => clusterName),
    ...queueOf(binding).keys(),
  ]);
  return [...names].map((name) => ({ namespace: '', name }));
}

export function inputOf(
  binding: PlacedBinding,
  {
    members,
    settings,
    now,
  }: { readonly members: ReadonlyMap<string, Member>; readonly settings: Settings; readonly now: Instant },
): ReductionInput {
  return {
    binding,
    members,
    now,
    graceSeconds: settings.reductionGraceSeconds,
    releaseOnTemplateChange: settings.reductionTemplateRelease === 1,
  };
}

export interface ReductionWrite extends ReductionDecision {
  /** Undefined if the binding is up to date. */
  readonly patch: QueuePatch | undefined;
  /** Clusters whose reduction was not held in its own write. */
  readonly taken: readonly string[];
  readonly reason: string;
}

export function decideWrite(
  input: ReductionInput,
  { policyAnnotations }: Pick<AnnotatedBinding, 'policyAnnotations'>,
): ReductionWrite {
  const decision = decideReductions(input);
  const unheld = unheldReductions(input);
  const changes = queuePatch(input.binding, new Map([...decision.next, ...unheld]));
  const annotations = { ...policyAnnotations, ...changes?.metadata?.annotations };
  const metadata = Object.keys(annotations).length > 0 && { metadata: { annotations } };
  const patch = { ...changes, ...metadata };
  const taken = [...unheld.keys()];
  return {
    ...decision,
    taken,
    patch: Object.keys(patch).length === 0 ? undefined : patch,
    reason: reasonOf(decision, taken, policyAnnotations !== undefined),
  };
}

function reasonOf({ released, waiting }: ReductionDecision, taken: readonly string[], isCarried: boolean): string {
  const parts = [
    ...released.map(({ cluster, reason }) => `${cluster} is released: ${reason}`),
    ...waiting.map(({ cluster, reason }) => `${cluster} waits: ${reason}`),
    ...taken.map((cluster) => `${cluster} is held from now on`),
    ...(isCarried ? ['the annotations of its policy were copied to it'] : []),
  ];
  return parts.join('; ') || 'nothing is held';
}

export function outcomeOf({ reason, released, waiting, taken }: ReductionWrite): Outcome {
  return { reason, fields: { released: released.length, waiting: waiting.length, taken: taken.length } };
}

type Release = ReductionDecision['released'][number];

/** Released at the end of the grace period, before its replacement was ready. */
function isLate({ by }: Release): boolean {
  return by === 'Grace';
}

export function eventsOf({ metadata }: PlacedBinding, { released }: ReductionWrite): readonly ObjectEvent[] {
  return released.map((release) => ({
    type: isLate(release) ? 'Warning' : 'Normal',
    reason: 'ReplicaReductionReleased',
    message: `What ${release.cluster} kept is released: ${release.reason}`,
    id: `${release.cluster}.${metadata.generation}`,
  }));
}

export function telemetryOf(
  { hub, ...key }: ObjectKey & { readonly hub: string },
  { released }: ReductionWrite,
): readonly TelemetryEntry[] {
  const dimensions = { hub };
  const missed = released.filter(isLate);
  const counts = { kept: released.length - missed.length, missed: missed.length };
  const late = missed.flatMap(({ cluster, reason }): TelemetryEntry[] => [
    { code: 'EK330', fields: { hub, binding: keyText(key), cluster, reason } },
    { metric: 'ReductionsReleasedLate', value: 1, dimensions },
  ]);
  if (released.length === 0) return [];
  const total = { metric: 'ReductionsReleased', value: released.length, dimensions } as const;
  return [total, ...late, ...objectiveTelemetry('holds', counts)];
}
