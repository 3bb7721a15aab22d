/** Preconditions of writes: identity and version of the object. For the store. */
import type { KindDefinition } from './kind-definition.ts';
import type { SubmittedMetadata } from './metadata-rules.ts';
import type { Key, KubeObject } from './objects.ts';
import {
  badRequest,
  detailsOf,
  invalid,
  modified,
  preconditionFailed,
  qualified,
  StatusError,
} from './status-error.ts';
import { fieldAt } from './structural-schema.ts';

/** A PUT or PATCH must match the object's name and namespace, and its uid and resourceVersion if given. */
export function checkWritten(
  kind: KindDefinition,
  current: KubeObject,
  submitted: SubmittedMetadata,
  verb: 'patch' | 'replace',
): void {
  const { name, namespace = '', uid, resourceVersion } = current.metadata;
  checkName(submitted.name, name);
  if (kind.namespaced && (submitted.namespace ?? namespace) !== namespace) throw otherNamespace();
  if (submitted.uid && submitted.uid !== uid) {
    const why = `Precondition failed: UID in precondition: ${submitted.uid}, UID in object meta: ${uid}`;
    if (verb === 'replace') throw modified(kind, name, why);
    const message = `Invalid value: "${submitted.uid}": field is immutable`;
    throw invalid(kind, name, [{ reason: 'FieldValueInvalid', message, field: 'metadata.uid' }]);
  }
  const given = submitted.resourceVersion;
  if (given === undefined || given === '') {
    if (verb !== 'replace' || kind.builtIn) return;
    const message = 'Invalid value: 0: must be specified for an update';
    const cause = { reason: 'FieldValueInvalid', message, field: 'metadata.resourceVersion' };
    // The API server uses the plural name here and nowhere else.
    throw invalid({ ...kind, kind: kind.plural }, name, [cause]);
  }
  if (!/^\d+$/.test(given)) {
    throw new StatusError(500, '', `strconv.ParseUint: parsing ${JSON.stringify(given)}: invalid syntax`);
  }
  if (given !== resourceVersion) throw modified(kind, name);
}

/** An apply may create an object, but not if it has a uid; a resourceVersion is ignored then. */
export function checkUnborn(kind: KindDefinition, { name }: Key, config: unknown): void {
  const uid = fieldAt(config, 'metadata', 'uid');
  if (uid === undefined) return;
  const given = `the provided object specified uid ${JSON.stringify(uid)}`;
  throw modified(kind, name, `uid mismatch: ${given}, and no existing object was found`);
}

export function checkName(submitted: string | undefined, name: string): void {
  if (submitted === undefined || submitted === name) return;
  throw badRequest(`the name of the object (${submitted}) does not match the name on the URL (${name})`);
}

export function otherNamespace(): StatusError {
  return badRequest('the namespace of the provided object does not match the namespace sent on the request');
}

export function checkDelete(
  kind: KindDefinition,
  { metadata }: KubeObject,
  { uid, resourceVersion }: { uid?: string; resourceVersion?: string },
): void {
  if (uid !== undefined && uid !== metadata.uid) {
    const why = `the UID in the precondition (${uid}) does not match the UID in record (${metadata.uid}). The object might have been deleted and then recreated`;
    throw preconditionFailed(kind, metadata.name, why);
  }
  if (resourceVersion !== undefined && resourceVersion !== metadata.resourceVersion) {
    const why = `the ResourceVersion in the precondition (${resourceVersion}) does not match the ResourceVersion in record (${metadata.resourceVersion}). The object might have been modified`;
    throw preconditionFailed(kind, metadata.name, why);
  }
}

/** An object that is being deleted takes no new finalizers, which could block its deletion forever. */
export function checkFinalizers(kind: KindDefinition, current: KubeObject, next: KubeObject): void {
  if (current.metadata.deletionTimestamp === undefined) return;
  const added = (next.metadata.finalizers ?? []).filter((one) => !current.metadata.finalizers?.includes(one));
  if (added.length === 0) return;
  const names = added.map((one) => JSON.stringify(one)).join(', ');
  const message = `Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{${names}}`;
  throw invalid(kind, current.metadata.name, [
    { reason: 'FieldValueForbidden', message, field: 'metadata.finalizers' },
  ]);
}

/** Rejects writes to missing and terminating namespaces, and the deletion of default. */
export function checkNamespace(kind: KindDefinition, namespace: KubeObject, key: Key): void {
  if (namespace.metadata.deletionTimestamp === undefined) return;
  const { group, plural } = kind;
  const why = `unable to create new content in namespace ${key.namespace} because it is being terminated`;
  const message = `${qualified(plural, group)} "${key.name}" is forbidden: ${why}`;
  throw new StatusError(403, 'Forbidden', message, detailsOf(key.name, group, plural));
}
