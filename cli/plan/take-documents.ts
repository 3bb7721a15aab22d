/** Collects the objects of documents by kind; throws one Fault that lists all problems. */
import { count } from '../../shared/core/count.ts';
import { invalidOption } from '../../shared/core/fault.ts';
import { apiVersionOf, type Resource } from '../../shared/kubernetes/resource.ts';
import { schemaWrong, type Wrong } from './check-object.ts';
import type { HubDocument } from './read-documents.ts';

/** A kind that the plan uses, and the function that collects its objects. */
export interface TakenKind {
  readonly resource: Resource<unknown>;
  /** Returns the problems of the object; if there are none, collects it. Throws as a resource's parse does. */
  readonly take: (object: object) => readonly Wrong[];
}

/** Maximum number of listed problems. */
const SHOWN = 10;
/** Metadata for objects that are not from a hub. */
const unseen = { uid: 'none', resourceVersion: '0', creationTimestamp: '1970-01-01T00:00:00Z' };

/** Returns notes on ignored documents. `namespace` is for objects without one. */
export function takeDocuments(
  documents: readonly HubDocument[],
  { namespace, kinds }: { readonly namespace: string; readonly kinds: readonly TakenKind[] },
): readonly string[] {
  const problems: (readonly string[])[] = [];
  const places = new Map<string, string>();
  const ignored = new Map<string, number>();
  for (const document of documents) {
    const nameless = unnamed(document);
    const kind = kinds.find(({ resource }) => isOf(document, resource));
    if (nameless === undefined && kind === undefined) {
      const name = String(document.object.kind);
      ignored.set(name, (ignored.get(name) ?? 0) + 1);
      continue;
    }
    const found =
      nameless === undefined && kind !== undefined ? takeOne(document, kind, { namespace, places }) : [nameless ?? ''];
    if (found.length > 0) problems.push(found);
  }
  if (problems.length > 0) throw invalidOption(listed(problems));
  const others = [...ignored].map(([name, count]) => `${count} ${name}`).join(', ');
  return others === '' ? [] : [`ignored, not part of a plan: ${others}`];
}

/** Whether the object is handwritten, and not from a hub. */
export function isUnseen(object: object): boolean {
  return (object as { metadata?: { uid?: string } }).metadata?.uid === unseen.uid;
}

function isOf({ object: { apiVersion, kind } }: HubDocument, resource: Resource<unknown>): boolean {
  const group = typeof apiVersion === 'string' && apiVersion.includes('/') ? apiVersion.split('/')[0] : '';
  return kind === resource.kind && group === resource.group;
}

function takeOne(
  document: HubDocument,
  kind: TakenKind,
  { namespace, places }: { readonly namespace: string; readonly places: Map<string, string> },
): readonly string[] {
  const { resource } = kind;
  const odd = notThisVersion(document, resource) ?? twice(document, placeOf(document, resource, namespace), places);
  return odd === undefined ? taken(document, kind, namespace).map((each) => print(document, each)) : [odd];
}

/** Without kind and apiVersion, the object cannot be classified. */
function unnamed(document: HubDocument): string | undefined {
  const missing = ['kind', 'apiVersion'].find((field) => {
    const value = document.object[field];
    return typeof value !== 'string' || value === '';
  });
  const what = 'is missing; every object has a kind and an apiVersion';
  return missing && print(document, { path: [missing], what });
}

function notThisVersion(document: HubDocument, resource: Resource<unknown>): string | undefined {
  const { apiVersion } = document.object;
  const right = apiVersionOf(resource);
  const what = `${JSON.stringify(apiVersion)} is not ${right}; get the object in that version`;
  return apiVersion === right ? undefined : print(document, { path: ['apiVersion'], what });
}

function placeOf({ object }: HubDocument, { kind, namespaced }: Resource<unknown>, namespace: string): string {
  const { name, namespace: own } = metadataOf(object);
  const within = typeof own === 'string' ? own : namespace;
  return `${kind} ${namespaced ? `${within}/` : ''}${typeof name === 'string' ? name : ''}`;
}

/** Rejects duplicates, since either could be the intended one. */
function twice({ where }: HubDocument, object: string, places: Map<string, string>): string | undefined {
  const before = places.get(object);
  places.set(object, where);
  return before && `${where}: ${object} was in ${before} already; leave one of them out`;
}

function taken(document: HubDocument, { resource, take }: TakenKind, namespace: string): readonly Wrong[] {
  const object = completed(document, resource, namespace);
  try {
    return take(object);
  } catch (thrown) {
    const found = schemaWrong(thrown, object);
    if (found === undefined) throw thrown;
    return [found];
  }
}

/** Adds defaults as kubectl and the hub would: the namespace, and the metadata that a hub sets. */
function completed({ object }: HubDocument, { namespaced }: Resource<unknown>, namespace: string): object {
  const { namespace: own, ...metadata } = metadataOf(object);
  return { ...object, metadata: { ...unseen, ...(namespaced && { namespace: own ?? namespace }), ...metadata } };
}

function metadataOf({ metadata }: HubDocument['object']): Readonly<Record<string, unknown>> {
  return typeof metadata === 'object' && metadata !== null ? (metadata as Record<string, unknown>) : {};
}

/** "fleet.yaml, document 2, line 14 (ResourceBinding shop/web): spec.replicas: -3 is not …". */
function print({ object, where, lineOf }: HubDocument, { path, what }: Wrong): string {
  const line = lineOf(path);
  const { name, namespace } = metadataOf(object);
  const named = typeof name === 'string' ? `${typeof namespace === 'string' ? `${namespace}/` : ''}${name}` : '';
  const who = [object.kind, named].filter((part) => typeof part === 'string' && part !== '').join(' ');
  const place = `${where}${line === undefined ? '' : `, line ${line}`}${who === '' ? '' : ` (${who})`}`;
  return `${place}: ${path.map(String).join('.')}: ${what}`;
}

/** One list of problems per object. */
function listed(problems: readonly (readonly string[])[]): string {
  const all = problems.flat();
  if (all.length === 1) return all.join('');
  const more = all.length > SHOWN ? [`and ${all.length - SHOWN} more`] : [];
  return [`${count(problems.length, 'object')} cannot be read`, ...all.slice(0, SHOWN), ...more].join('\n  ');
}
