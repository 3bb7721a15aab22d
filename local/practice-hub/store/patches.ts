/**
 * The patch types of the API, each as a function from an object to the patched one; nothing given is ever changed.
 * Strategic merge patches (built-in kinds only) are served as far as kubectl writes them for the kinds here: the lists
 * below are merged by their key, `$patch: delete|replace` is honoured in them, and the ordering directives are dropped.
 * A real server orders list items by `$setElementOrder`, and has the keys of all lists.
 */
import { applyPatch, type Operation, Pointer } from 'rfc6902';
import { ownValue } from '../../../shared/core/own-value.ts';
import { badRequest, StatusError } from './status-error.ts';
import { isFields } from './structural-schema.ts';

/** JSON merge patch, RFC 7386: null removes a field, objects are merged, other values replace. */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isFields(patch)) return patch;
  const result = new Map(Object.entries(isFields(target) ? target : {}));
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) result.delete(name);
    else result.set(name, mergePatch(result.get(name), value));
  }
  return Object.fromEntries(result);
}

/** The merge key of lists with this name on a real server. */
export const mergeKeys: Readonly<Record<string, string>> = {
  containers: 'name',
  initContainers: 'name',
  volumes: 'name',
  env: 'name',
  imagePullSecrets: 'name',
  ports: 'containerPort',
  volumeMounts: 'mountPath',
  conditions: 'type',
  ownerReferences: 'uid',
};

const DIRECTIVE = /^\$(setElementOrder\/|deleteFromPrimitiveList\/|retainKeys$|patch$)/;

export function strategicMergePatch(target: unknown, patch: unknown): unknown {
  if (!isFields(patch)) return patch;
  const base = isFields(target) && patch.$patch !== 'replace' ? target : {};
  const retained = Array.isArray(patch.$retainKeys) ? new Set<unknown>(patch.$retainKeys) : undefined;
  const result = new Map(Object.entries(base).filter(([name]) => !retained || retained.has(name)));
  for (const [name, value] of Object.entries(patch)) {
    const list = name.startsWith('$deleteFromPrimitiveList/') ? name.slice(name.indexOf('/') + 1) : undefined;
    const kept = list === undefined ? undefined : result.get(list);
    if (list !== undefined && Array.isArray(kept) && Array.isArray(value)) {
      result.set(
        list,
        kept.filter((one) => !value.includes(one)),
      );
    }
    if (DIRECTIVE.test(name)) continue;
    if (value === null) result.delete(name);
    else result.set(name, mergeList(name, result.get(name), value) ?? strategicMergePatch(result.get(name), value));
  }
  return Object.fromEntries(result);
}

/** The merged list, or undefined if `name` is not a list with a merge key. */
function mergeList(name: string, target: unknown, patch: unknown): unknown[] | undefined {
  if (name === 'finalizers' && Array.isArray(patch)) {
    return [...new Set<unknown>([...(Array.isArray(target) ? (target as unknown[]) : []), ...(patch as unknown[])])];
  }
  const key = ownValue(mergeKeys, name);
  if (key === undefined || !Array.isArray(patch) || !patch.every(isFields)) return undefined;
  const replaced = patch.some((item) => item.$patch === 'replace');
  const items: unknown[] = Array.isArray(target) && !replaced ? [...(target as unknown[])] : [];
  for (const item of patch) {
    if (item.$patch === 'replace') continue;
    const at = items.findIndex((one) => isFields(one) && one[key] === item[key]);
    if (item.$patch === 'delete') items.splice(at, at === -1 ? 0 : 1);
    else if (at === -1) items.push(strategicMergePatch({}, item));
    else items[at] = strategicMergePatch(items[at], item);
  }
  return items;
}

const operations = new Set(['add', 'remove', 'replace', 'move', 'copy', 'test']);

/** Limit on the total size of copies in one patch, as in an API server: thirty copies of a list into itself would exhaust the memory. */
const COPIED_BYTES = 3 * 1024 * 1024;

function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value) ?? '');
}

/** JSON patch, RFC 6902. A failed operation or test is 422 without details, as in an API server. */
export function jsonPatch(target: unknown, patch: unknown): unknown {
  if (!Array.isArray(patch) || !patch.every(isFields)) {
    throw badRequest('error decoding patch: a JSON patch is an array of operations');
  }
  if (patch.length > 10_000) {
    const message = `Request entity too large: The allowed maximum operations in a JSON patch is 10000, got ${patch.length}`;
    throw new StatusError(413, 'RequestEntityTooLarge', message);
  }
  const rejected = new StatusError(
    422,
    'Invalid',
    'the server rejected our request due to an error in our request',
    {},
  );
  const sound = patch.every(({ op, path }) => operations.has(String(op)) && typeof path === 'string');
  if (!sound) throw rejected;
  // applyPatch changes its target and keeps the patch's own values in it.
  const result: unknown = structuredClone(target);
  let copied = 0;
  for (const operation of structuredClone(patch) as unknown as Operation[]) {
    if (operation.op === 'copy') copied += bytesOf(Pointer.fromJSON(String(operation.from)).get(result));
    if (copied > COPIED_BYTES || applyPatch(result, [operation])[0] !== null) throw rejected;
  }
  return result;
}
