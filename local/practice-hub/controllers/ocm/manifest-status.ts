/** What a work agent reports of a manifest: its resource, its conditions, and its feedback values. Pure. */
import { valuesAt } from '../../api/json-path.ts';
import { condition, type OcmCondition, type StoredCondition, withConditions } from './conditions.ts';
import { groupOf, type ManagedClusterKind, versionOf } from './managed-cluster-simulator.ts';
import type { ManifestConfig, WorkManifest } from './manifest.ts';

export interface FeedbackValue {
  readonly name: string;
  readonly fieldValue: Readonly<Record<string, unknown>>;
}

export interface ManifestStatus {
  readonly resourceMeta: { readonly ordinal: number } & Readonly<Record<string, unknown>>;
  readonly conditions: readonly StoredCondition[];
  readonly statusFeedback?: { readonly values?: readonly FeedbackValue[] };
}

export interface ManifestObservation {
  readonly ordinal: number;
  readonly manifest: WorkManifest;
  readonly kind: ManagedClusterKind | undefined;
  readonly config: ManifestConfig | undefined;
  /** The error of the apply. */
  readonly error: string | undefined;
  /** The object on the managed cluster. */
  readonly object: object | undefined;
  readonly before: ManifestStatus | undefined;
  /** False: the previous feedback stays until the next poll. */
  readonly readsValues: boolean;
}

const wellKnown = [
  { name: 'ReadyReplicas', path: '.status.readyReplicas' },
  { name: 'Replicas', path: '.status.replicas' },
  { name: 'AvailableReplicas', path: '.status.availableReplicas' },
];

export function manifestStatus(look: ManifestObservation, generation: number, now: number): ManifestStatus {
  const { manifest, kind, ordinal, before } = look;
  const { values, failures } = feedbackOf(look);
  const old = before?.statusFeedback?.values;
  const changed = JSON.stringify(values) !== JSON.stringify(old ?? []);
  const synced = look.object === undefined || look.error !== undefined ? [] : [syncedCondition(look, failures)];
  const applied = [appliedCondition(look), availableCondition(look)];
  const given = [...applied.map((one) => ({ ...one, observedGeneration: generation })), ...synced];
  // The agent sets it anew with every change of a value, so its time is that of the last change.
  const kept = (before?.conditions ?? []).filter(({ type }) => !changed || type !== SYNCED);
  const { name, namespace } = manifest.metadata;
  return {
    resourceMeta: {
      ordinal,
      group: groupOf(manifest),
      version: versionOf(manifest),
      kind: manifest.kind,
      resource: kind?.resource ?? '',
      name,
      namespace,
    },
    conditions: withConditions(kept, given, now),
    statusFeedback: { ...(values.length > 0 && { values }) },
  };
}

const SYNCED = 'StatusFeedbackSynced';

function appliedCondition({ error }: ManifestObservation): OcmCondition {
  return error === undefined
    ? condition('Applied', 'True', 'AppliedManifestComplete', 'Apply manifest complete')
    : condition('Applied', 'False', 'AppliedManifestFailed', `Failed to apply manifest: ${error}`);
}

function availableCondition({ object, kind, error }: ManifestObservation): OcmCondition {
  if (kind === undefined || error !== undefined)
    return condition('Available', 'Unknown', 'IncompletedResourceMeta', 'Resource meta is incompleted');
  return object === undefined
    ? condition('Available', 'False', 'ResourceNotAvailable', 'Resource is not available')
    : condition('Available', 'True', 'ResourceAvailable', 'Resource is available');
}

function syncedCondition({ config }: ManifestObservation, failures: readonly string[]): OcmCondition {
  if ((config?.feedbackRules.length ?? 0) === 0) return condition(SYNCED, 'True', 'NoStatusFeedbackSynced', '');
  if (failures.length === 0) return condition(SYNCED, 'True', SYNCED, '');
  const message = `Sync status feedback failed with error ${failures.join(', ')}`;
  return condition(SYNCED, 'False', 'StatusFeedbackSyncFailed', message);
}

interface Feedback {
  readonly values: readonly FeedbackValue[];
  readonly failures: readonly string[];
}

/** For a deleted object the last values stay. */
function feedbackOf({ object, config, before, readsValues }: ManifestObservation): Feedback {
  if (object === undefined || !readsValues) return { values: before?.statusFeedback?.values ?? [], failures: [] };
  const paths = (config?.feedbackRules ?? []).flatMap(({ type, jsonPaths }) =>
    type === 'WellKnownStatus' ? wellKnown : jsonPaths,
  );
  const values: FeedbackValue[] = [];
  const failures: string[] = [];
  for (const { name, path } of paths) {
    const found = valuesAt(object, path);
    const fieldValue = found?.[0] === undefined ? undefined : fieldValueOf(found[0]);
    if (fieldValue !== undefined) values.push({ name, fieldValue });
    else if (found === undefined || found.length > 0) failures.push(`the value of ${name} at ${path} cannot be read`);
  }
  return { values, failures };
}

function fieldValueOf(value: unknown): FeedbackValue['fieldValue'] | undefined {
  if (typeof value === 'number' && Number.isInteger(value)) return { type: 'Integer', integer: value };
  if (typeof value === 'string') return { type: 'String', string: value };
  return typeof value === 'boolean' ? { type: 'Boolean', boolean: value } : undefined;
}

type Conditioned = readonly Pick<ManifestStatus, 'conditions'>[];

/** The conditions of the ManifestWork, from those of its manifests. */
export function workConditions(manifests: Conditioned, observedGeneration: number): readonly OcmCondition[] {
  const of = (type: string, status: string) =>
    manifests.filter(({ conditions }) => conditions.some((one) => one.type === type && one.status === status)).length;
  const applied =
    of('Applied', 'False') > 0
      ? condition('Applied', 'False', 'AppliedManifestWorkFailed', 'Failed to apply manifest work')
      : condition('Applied', 'True', 'AppliedManifestWorkComplete', 'Apply manifest work complete');
  return [applied, availability(manifests.length, of)].map((one) => ({ ...one, observedGeneration }));
}

function availability(total: number, of: (type: string, status: string) => number): OcmCondition {
  const type = 'Available';
  const [absent, unknown] = [of(type, 'False'), of(type, 'Unknown')];
  if (absent > 0)
    return condition(type, 'False', 'ResourcesNotAvailable', `${absent} of ${total} resources are not available`);
  if (unknown > 0)
    return condition(type, 'Unknown', 'ResourcesStatusUnknown', `${unknown} of ${total} resources have unknown status`);
  return condition(type, 'True', 'ResourcesAvailable', 'All resources are available');
}
