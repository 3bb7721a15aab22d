/** create, update, patch and delete requests to the store, with their responses. For the API server. */
import type { KindDefinition } from '../store/kind-definition.ts';
import type { ApiStore } from '../store/object-store.ts';
import type { Edit } from '../store/object-versions.ts';
import type { KubeObject } from '../store/objects.ts';
import { jsonPatch, mergePatch, strategicMergePatch } from '../store/patches.ts';
import { checkName, otherNamespace } from '../store/preconditions.ts';
import { badRequest, detailsOf, invalid, nothingServedHere, unsupportedMediaType } from '../store/status-error.ts';
import { fieldAt, isFields } from '../store/structural-schema.ts';
import {
  isDryRun,
  mediaTypeOf,
  methodNotAllowed,
  type PracticeRequest,
  parseBody,
  subresourceOf,
  writerOf,
} from './request.ts';
import { scaleOf, withScale } from './scale.ts';

/** A response: an object, to be shown as requested, or a Status. */
export type Reply =
  | { readonly code: number; readonly object: KubeObject; readonly warnings: readonly string[] }
  | { readonly code: number; readonly status: object; readonly warnings: readonly string[] };

export function create(store: ApiStore, request: PracticeRequest): Reply {
  if (request.subresource !== undefined) throw nothingServedHere();
  const warnings: string[] = [];
  const by = writerOf(request, warnings);
  const object = inNamespace(request, readObject(request));
  return { code: 201, object: store.create(request.kind.storeName, object, by), warnings };
}

export function update(store: ApiStore, request: PracticeRequest): Reply {
  const body = readObject(request);
  // Checked before the lookup: a PUT to the wrong URL is a client error even if no object exists.
  const name = fieldAt(body, 'metadata', 'name');
  if (typeof name === 'string') checkName(name, request.key.name);
  return write(store, request, { verb: 'replace', change: () => inNamespace(request, body) });
}

const JSON_PATCH = 'application/json-patch+json';
const MERGE_PATCH = 'application/merge-patch+json';
const STRATEGIC_MERGE_PATCH = 'application/strategic-merge-patch+json';
const APPLY_PATCH = 'application/apply-patch+yaml';

export function patch(store: ApiStore, request: PracticeRequest): Reply {
  const mediaType = mediaTypeOf(request.headers);
  checkPatchOptions(request.query, mediaType === APPLY_PATCH);
  if (mediaType === APPLY_PATCH) return apply(store, request);
  const change = patchFunction(request.kind, mediaType);
  const body = parseBody(request.body, 'application/json', 'error decoding patch');
  if (mediaType !== JSON_PATCH && !isFields(body)) throw badRequest('error decoding patch: it is not an object');
  return write(store, request, { verb: 'patch', change: (current) => change(current, body) });
}

function patchFunction(kind: KindDefinition, mediaType: string): (target: unknown, body: unknown) => unknown {
  if (mediaType === JSON_PATCH) return jsonPatch;
  if (mediaType === MERGE_PATCH) return mergePatch;
  if (mediaType === STRATEGIC_MERGE_PATCH && kind.builtIn) return strategicMergePatch;
  const strategic = kind.builtIn ? [STRATEGIC_MERGE_PATCH] : [];
  throw unsupportedMediaType([JSON_PATCH, MERGE_PATCH, ...strategic, APPLY_PATCH]);
}

/** An apply needs a field manager; only an apply can be forced. */
function checkPatchOptions(query: URLSearchParams, applies: boolean): void {
  const rejection = (reason: string, message: string, field: string) =>
    invalid({ group: 'meta.k8s.io', kind: 'PatchOptions', plural: '' }, '', [{ reason, message, field }]);
  if (applies && !query.get('fieldManager')) {
    throw rejection('FieldValueRequired', 'Required value: is required for apply patch', 'fieldManager');
  }
  if (!applies && query.has('force')) {
    throw rejection('FieldValueForbidden', 'Forbidden: may not be specified for non-apply patch', 'force');
  }
}

function apply(store: ApiStore, request: PracticeRequest): Reply {
  const { kind, key, query } = request;
  const subresource = subresourceOf(request);
  if (subresource === 'scale') throw methodNotAllowed();
  const what = 'error decoding YAML';
  const config = inNamespace(request, parseBody(request.body, 'application/yaml', what));
  if (!isFields(config)) throw badRequest(`${what}: it is not an object`);
  const name = fieldAt(config, 'metadata', 'name');
  if (typeof name === 'string') checkName(name, key.name);
  if (config.kind !== kind.kind) throw badRequest(`${what}: its kind is not ${kind.kind}`);
  if (fieldAt(config, 'metadata', 'managedFields') !== undefined)
    throw badRequest('metadata.managedFields must be nil');
  const warnings: string[] = [];
  const named = { ...config, metadata: { ...(isFields(config.metadata) && config.metadata), name: key.name } };
  const force = ['true', '1'].includes(query.get('force') ?? '');
  const how = { config: named, force, ...(subresource && { subresource }) };
  const { object, created } = store.apply(kind.storeName, key, how, writerOf(request, warnings));
  return { code: created ? 201 : 200, object, warnings };
}

interface ObjectEdit {
  readonly verb: Edit['verb'];
  readonly change: (current: unknown) => unknown;
}

function write(store: ApiStore, request: PracticeRequest, { verb, change }: ObjectEdit): Reply {
  const { kind, key } = request;
  const subresource = subresourceOf(request);
  const warnings: string[] = [];
  const apply = (current: KubeObject) =>
    subresource === 'scale' ? withScale(kind, current, change(scaleOf(kind, current))) : change(current);
  const edit: Edit = { verb: subresource === 'scale' ? 'patch' : verb, apply, ...(subresource && { subresource }) };
  const written = store.edit(kind.storeName, key, edit, writerOf(request, warnings));
  return { code: 200, object: subresource === 'scale' ? scaleOf(kind, written) : written, warnings };
}

export function remove(store: ApiStore, request: PracticeRequest): Reply {
  const { kind, key, query, verb } = request;
  if (request.subresource !== undefined) throw nothingServedHere();
  const options = request.body.length === 0 ? {} : readOptions(request);
  const uid = fieldAt(options, 'preconditions', 'uid');
  const resourceVersion = fieldAt(options, 'preconditions', 'resourceVersion');
  const preconditions = {
    ...(typeof uid === 'string' && { uid }),
    ...(typeof resourceVersion === 'string' && { resourceVersion }),
  };
  const dryRuns = Array.isArray(options.dryRun) ? options.dryRun.map(String) : [];
  const dryRun = isDryRun(verb, [...query.getAll('dryRun'), ...dryRuns]);
  const by = { ...writerOf({ ...request, query: new URLSearchParams() }, []), dryRun };
  const object = store.delete(kind.storeName, key, by, preconditions);
  const waits = (object.metadata.finalizers ?? []).length > 0 || kind.plural === 'namespaces';
  if (waits) return { code: 200, object, warnings: [] };
  const { name, uid: itsUid } = object.metadata;
  const details = { ...detailsOf(name, kind.group, kind.plural), uid: itsUid };
  const status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details };
  return { code: 200, status, warnings: [] };
}

function readObject({ body, headers, kind }: PracticeRequest): unknown {
  const what = `the object provided is unrecognized (must be of type ${kind.kind})`;
  return parseBody(body, mediaTypeOf(headers), what);
}

function readOptions({ body, headers }: PracticeRequest): Readonly<Record<string, unknown>> {
  const options = parseBody(body, mediaTypeOf(headers), 'the DeleteOptions are unrecognized');
  if (isFields(options)) return options;
  throw badRequest('the DeleteOptions are unrecognized: not an object');
}

/** The object with the namespace of the path; a different namespace is rejected. */
function inNamespace({ kind, key }: PracticeRequest, object: unknown): unknown {
  if (!kind.namespaced || !isFields(object)) return object;
  const metadata = object.metadata ?? {};
  if (!isFields(metadata)) return object;
  if ((metadata.namespace || key.namespace) !== key.namespace) throw otherNamespace();
  return { ...object, metadata: { ...metadata, namespace: key.namespace } };
}
