/** Computes the next version of an object from a submitted one: pure, for the store. Fields that only the server may write are checked here. */
import { isDeepStrictEqual } from 'node:util';
import { toTimestamp } from '../../../shared/core/time.ts';
import { apiVersionOf, type KindDefinition, type Subresource } from './kind-definition.ts';
import { afterUpdate, type Stamp } from './managed-fields.ts';
import { decodeMetadata, metadataFlaws, nameFlaws, type SubmittedMetadata } from './metadata-rules.ts';
import type { Actor, KubeObject, ManagedFieldsEntry, ObjectMeta } from './objects.ts';
import { badRequest, invalid, type StatusCause, StatusError } from './status-error.ts';
import { isFields, prune, validate } from './structural-schema.ts';

/** The writer, and its options. */
export interface Writer extends Actor {
  /** Validates and responds, but stores nothing. */
  readonly dryRun?: boolean;
  /** Handling of unknown fields, which are always pruned. Default: Ignore. */
  readonly fieldValidation?: 'Strict' | 'Warn' | 'Ignore';
  readonly warn?: (message: string) => void;
}

export interface Edit {
  readonly verb: 'patch' | 'replace';
  readonly subresource?: Subresource;
  readonly apply: (current: KubeObject) => unknown;
  readonly managedFields?: readonly ManagedFieldsEntry[];
}

type BodyFields = Readonly<Record<string, unknown>>;
export type Submitted = BodyFields & { readonly metadata: SubmittedMetadata };
/** The object as the API server's decoder returns it: of this kind, pruned, its unknown fields rejected or reported. */
export function decode(kind: KindDefinition, object: unknown, by: Writer, verb: Edit['verb'] | 'create'): Submitted {
  if (!isFields(object)) throw unrecognized(kind, `it is not an object`);
  const header = { apiVersion: object.apiVersion, kind: object.kind };
  for (const [name, value] of Object.entries({ Kind: header.kind, apiVersion: header.apiVersion })) {
    if (value || kind.builtIn) continue;
    throw unrecognized(kind, `Object '${name}' is missing in '${JSON.stringify(object).slice(0, 200)}'`);
  }
  const unknown: string[] = [];
  const metadata = decodeMetadata(object.metadata ?? {}, unknown);
  const whole = { ...object, apiVersion: apiVersionOf(kind), kind: kind.kind, metadata };
  checkHeader(kind, header, metadata.name ?? '');
  const pruned = prune(whole, kind.schema, '', unknown) as Submitted;
  if (unknown.length > 0) reportUnknown(kind, object, { unknown: unknown.sort(), by, verb });
  return kind.decoded?.(pruned) ?? pruned;
}

function unrecognized(kind: KindDefinition, why: string): StatusError {
  return badRequest(`the object provided is unrecognized (must be of type ${kind.kind}): ${why}`);
}

function checkHeader(kind: KindDefinition, header: { apiVersion: unknown; kind: unknown }, name: string): void {
  const expected = apiVersionOf(kind);
  if (header.apiVersion && header.apiVersion !== expected) {
    throw badRequest(
      `the API version in the data (${JSON.stringify(header.apiVersion).replaceAll('"', '')}) does not match the expected API version (${expected})`,
    );
  }
  if (!header.kind || header.kind === kind.kind) return;
  const given = typeof header.kind === 'string' ? header.kind : JSON.stringify(header.kind);
  const message = `Invalid value: "${given}": must be ${kind.kind}`;
  throw invalid({ ...kind, kind: given }, name, [{ reason: 'FieldValueInvalid', message, field: 'kind' }]);
}

function reportUnknown(
  kind: KindDefinition,
  object: BodyFields,
  details: { readonly unknown: readonly string[]; readonly by: Writer; readonly verb: string },
): void {
  const { unknown, by, verb } = details;
  const each = unknown.map((field) => `unknown field "${field}"`);
  if (by.fieldValidation === 'Warn') for (const message of each) by.warn?.(message);
  if (by.fieldValidation !== 'Strict') return;
  const error = `strict decoding error: ${each.join(', ')}`;
  if (verb === 'patch') {
    // The API server puts the whole patched object, as a quoted text, in front of the error.
    const value = JSON.stringify(JSON.stringify(object));
    const cause = { reason: 'FieldValueInvalid', message: `Invalid value: ${value}: ${error}`, field: 'patch' };
    throw new StatusError(422, 'Invalid', ` "" is invalid: patch: ${cause.message}`, { causes: [cause] });
  }
  throw badRequest(`${kind.kind} in version "${kind.version}" cannot be handled as a ${kind.kind}: ${error}`);
}

/** Throws 422 with all flaws. */
export function check(kind: KindDefinition, object: KubeObject, name: string, before?: KubeObject): void {
  const ofSchema = validate(object, kind.schema, '');
  const flaws: StatusCause[] = [
    ...nameFlaws(kind.nameRule, name, 'metadata.name'),
    ...metadataFlaws(object.metadata),
    ...ofSchema,
    ...(kind.rules?.(object, ofSchema, before) ?? []),
  ];
  if (flaws.length > 0) throw invalid(kind, name, flaws);
}

/** The user's fields of metadata, without empty ones. */
function ownMetadata(metadata: BodyFields): BodyFields {
  const names = ['labels', 'annotations', 'finalizers', 'ownerReferences'];
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = metadata[name] ?? {};
      return Object.keys(value).length === 0 ? [] : [[name, value] as const];
    }),
  );
}

/** The first version of a submitted object; the store sets its resourceVersion. */
export function firstVersion(
  kind: KindDefinition,
  submitted: Submitted,
  identity: { readonly name: string; readonly uid: string },
  stamp: Stamp,
): KubeObject {
  const { status, ...rest } = submitted;
  const { generateName, namespace } = submitted.metadata;
  const metadata: ObjectMeta = {
    ...identity,
    ...(kind.namespaced && namespace !== undefined && { namespace }),
    ...(generateName && { generateName }),
    resourceVersion: '',
    generation: 1,
    creationTimestamp: toTimestamp(stamp.now),
    ...ownMetadata(submitted.metadata),
  };
  const object = {
    ...rest,
    ...(!kind.subresources.includes('status') && status !== undefined && { status }),
    metadata,
  } as KubeObject;
  metadata.managedFields = [...(stamp.managedFields ?? afterUpdate(kind, { current: undefined, next: object }, stamp))];
  return kind.atCreation?.(object) ?? object;
}

/** The version after `current`; `current` itself if the write changes nothing. */
export function nextVersion(kind: KindDefinition, current: KubeObject, submitted: Submitted, stamp: Stamp): KubeObject {
  const hasStatus = kind.subresources.includes('status');
  const { status: submittedStatus, ...submittedRest } = submitted;
  const { status: currentStatus, ...currentRest } = current;
  const ofStatus = stamp.subresource === 'status';
  const rest = ofStatus ? currentRest : { ...submittedRest, metadata: keepSystemFields(current, submitted) };
  const status = ofStatus || !hasStatus ? submittedStatus : currentStatus;
  const next = { ...rest, ...(status !== undefined && { status }) } as KubeObject;
  const { managedFields: before = [] } = current.metadata;
  const managedFields = stamp.managedFields ?? before;
  if (isDeepStrictEqual([next, managedFields], [current, before])) return current;
  const specChanged = !isDeepStrictEqual(outsideMetadata(next, hasStatus), outsideMetadata(current, hasStatus));
  return {
    ...next,
    metadata: {
      ...next.metadata,
      generation: current.metadata.generation + (specChanged ? 1 : 0),
      managedFields: [...(stamp.managedFields ?? afterUpdate(kind, { current, next }, stamp))],
    },
  };
}

function outsideMetadata({ metadata: _, ...rest }: KubeObject, hasStatus: boolean): BodyFields {
  const { status, ...others } = rest;
  return hasStatus ? others : { ...others, status };
}

/** The server owns uid, creationTimestamp, generation and the like: values in a request are ignored. */
function keepSystemFields({ metadata }: KubeObject, submitted: Submitted): ObjectMeta {
  const { labels: _, annotations: __, finalizers: ___, ownerReferences: ____, ...system } = metadata;
  return { ...system, ...ownMetadata(submitted.metadata) };
}
