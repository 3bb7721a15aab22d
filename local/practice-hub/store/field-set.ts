/** Sets of an object's fields in the format of managedFields (FieldsV1): the parts of a value, its fields, intersections, changes. */
import { isDeepStrictEqual } from 'node:util';
import { ownValue } from '../../../shared/core/own-value.ts';
import type { KindDefinition } from './kind-definition.ts';
import { mergeKeys } from './patches.ts';
import { isFields, type StructuralSchema } from './structural-schema.ts';

/** The context of a value: its schema, and its field name. */
export interface FieldContext {
  readonly name: string;
  readonly schema: StructuralSchema | undefined;
  readonly builtIn: boolean;
}

/** "f:replicas", 'k:{"type":"Ready"}' or 'v:"a-finalizer"' → the part. */
type Parts = ReadonlyMap<string, FieldPart>;

export interface FieldPart {
  readonly value: unknown;
  readonly shape: FieldContext;
}

const metadata: StructuralSchema = {
  properties: {
    finalizers: { 'x-kubernetes-list-type': 'set' },
    ownerReferences: { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['uid'] },
  },
};

export function shapeOf({ schema, builtIn }: KindDefinition): FieldContext {
  return { name: '', schema: { ...schema, properties: { ...schema.properties, metadata } }, builtIn };
}

/** Undefined for a value that is owned as a whole. */
function partsOf(value: unknown, shape: FieldContext): Parts | undefined {
  if (Array.isArray(value)) return itemsOf(value, shape);
  if (!isFields(value) || shape.schema?.['x-kubernetes-map-type'] === 'atomic') return undefined;
  const { schema, builtIn } = shape;
  return new Map(
    Object.entries(value).map(([name, field]) => [
      `f:${name}`,
      {
        value: field,
        shape: { name, builtIn, schema: ownValue(schema?.properties, name) ?? schema?.additionalProperties },
      },
    ]),
  );
}

function itemsOf(list: readonly unknown[], shape: FieldContext): Parts | undefined {
  const by = listKeys(shape);
  if (by === undefined) return undefined;
  const item: FieldContext = { ...shape, name: '', schema: shape.schema?.items };
  return new Map(
    list.map((value) => [by === 'value' ? `v:${JSON.stringify(value)}` : keyOf(value, by), { value, shape: item }]),
  );
}

/** The keys of a list's items; undefined: the list is atomic. */
function listKeys({ name, schema, builtIn }: FieldContext): readonly string[] | 'value' | undefined {
  switch (schema?.['x-kubernetes-list-type']) {
    case 'set':
      return 'value';
    case 'map':
      return schema['x-kubernetes-list-map-keys'] ?? [];
    case 'atomic':
      return undefined;
    case undefined: {
      const key = builtIn ? ownValue(mergeKeys, name) : undefined;
      return key === undefined ? undefined : [key];
    }
  }
}

function keyOf(item: unknown, names: readonly string[]): string {
  const fields = isFields(item) ? item : {};
  return `k:${JSON.stringify(Object.fromEntries([...names].sort().map((name) => [name, fields[name]])))}`;
}

/** A value of these parts, a list or an object as `like`. */
function assemble(like: unknown, parts: ReadonlyMap<string, unknown>): unknown {
  if (Array.isArray(like)) return [...parts.values()];
  return Object.fromEntries([...parts].map(([name, value]) => [name.slice(2), value]));
}

/** ".spec.replicas", '.status.conditions[type="Ready"].status', '.metadata.finalizers[="one"]'. */
export function pathText(names: readonly string[]): string {
  return names.map(elementText).join('');
}

function elementText(name: string): string {
  const rest = name.slice(2);
  if (name.startsWith('f:')) return `.${rest}`;
  if (name.startsWith('v:')) return `[=${rest}]`;
  const fields = Object.entries(JSON.parse(rest) as Record<string, unknown>);
  return `[${fields.map(([field, value]) => `${field}=${JSON.stringify(value)}`).join(',')}]`;
}

/** A field without fields of its own in the set is {}. */
export interface FieldSet {
  readonly [name: string]: FieldSet;
}

/** Marks a list's item itself. */
const ITSELF = '.';

export function isEmpty(set: FieldSet): boolean {
  return Object.keys(set).length === 0;
}

/** Every field of the value. */
export function fieldsOf(value: unknown, shape: FieldContext): FieldSet {
  const parts = partsOf(value, shape);
  if (parts === undefined) return {};
  return Object.fromEntries(
    [...parts].map(([name, part]) => [name, withItself(name, fieldsOf(part.value, part.shape))]),
  );
}

function withItself(name: string, fields: FieldSet): FieldSet {
  return name.startsWith('k:') ? { [ITSELF]: {}, ...fields } : fields;
}

export function union(one: FieldSet, other: FieldSet): FieldSet {
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])];
  return Object.fromEntries(names.map((name) => [name, union(one[name] ?? {}, other[name] ?? {})]));
}

/** The intersection; undefined if empty. The marker of an object ({}) does not count. */
export function intersection(set: FieldSet, other: FieldSet): FieldSet | undefined {
  if (isEmpty(set) || isEmpty(other)) return isEmpty(set) && isEmpty(other) ? set : undefined;
  const shared = Object.keys(set).flatMap((name): (readonly [string, FieldSet])[] => {
    const [mine, theirs] = [set[name], other[name]];
    const both = mine && theirs && intersection(mine, theirs);
    return both === undefined ? [] : [[name, both]];
  });
  return shared.length === 0 ? undefined : Object.fromEntries(shared);
}

/** The fields of `set` that are not in the other; undefined if none. */
export function without(set: FieldSet, gone: FieldSet): FieldSet | undefined {
  if (isEmpty(set)) return isEmpty(gone) ? undefined : set;
  const left = Object.entries(set).flatMap(([name, fields]): (readonly [string, FieldSet])[] => {
    const taken = gone[name];
    const rest = taken === undefined ? fields : without(fields, taken);
    return rest === undefined ? [] : [[name, rest]];
  });
  return left.length === 0 ? undefined : Object.fromEntries(left);
}

/** The path of each field. */
export function pathsIn(set: FieldSet, to: readonly string[] = []): readonly (readonly string[])[] {
  if (isEmpty(set)) return [to];
  return Object.entries(set).flatMap(([name, fields]) => pathsIn(fields, name === ITSELF ? to : [...to, name]));
}

export interface Difference {
  /** Fields that are new or changed; undefined if none. */
  readonly set: FieldSet | undefined;
  readonly removed: FieldSet | undefined;
}

export function difference(before: FieldPart, after: FieldPart): Difference {
  if (isDeepStrictEqual(before.value, after.value)) return { set: undefined, removed: undefined };
  const [old, now] = [partsOf(before.value, before.shape), partsOf(after.value, after.shape)];
  if (old === undefined || now === undefined) {
    const all = fieldsOf(after.value, after.shape);
    return { set: all, removed: without(fieldsOf(before.value, before.shape), all) };
  }
  const set: [string, FieldSet][] = [];
  const removed: [string, FieldSet][] = [];
  for (const [name, part] of now) {
    const was = old.get(name);
    const within = was && difference(was, part);
    const fresh = within
      ? within.set
      : was === undefined
        ? withItself(name, fieldsOf(part.value, part.shape))
        : undefined;
    if (fresh !== undefined) set.push([name, fresh]);
    if (within?.removed !== undefined) removed.push([name, within.removed]);
  }
  for (const [name, part] of old) {
    if (!now.has(name)) removed.push([name, withItself(name, fieldsOf(part.value, part.shape))]);
  }
  return { set: some(set), removed: some(removed) };
}

function some(fields: readonly [string, FieldSet][]): FieldSet | undefined {
  return fields.length === 0 ? undefined : Object.fromEntries(fields);
}

/** `live` with all fields of `wanted`; other fields are kept. */
export function overlaid(live: FieldPart, wanted: FieldPart): unknown {
  const [old, parts] = [partsOf(live.value, live.shape), partsOf(wanted.value, wanted.shape)];
  if (old === undefined || parts === undefined) return wanted.value;
  const result = new Map([...old].map(([name, { value }]) => [name, value]));
  for (const [name, part] of parts) {
    const was = old.get(name);
    result.set(name, was === undefined ? part.value : overlaid(was, part));
  }
  return assemble(wanted.value, result);
}

/** Removes the fields of `gone`, and objects that become empty; keeps those of `kept`, with their parents. */
export function pruned({ value, shape }: FieldPart, gone: FieldSet, kept: FieldSet): unknown {
  const parts = partsOf(value, shape);
  if (parts === undefined) return value;
  const result = new Map<string, unknown>();
  for (const [name, part] of parts) {
    const [lost, held] = [gone[name], kept[name]];
    if (lost === undefined) result.set(name, part.value);
    else if (held !== undefined) result.set(name, isEmpty(held) ? part.value : pruned(part, lost, held));
  }
  return assemble(value, result);
}
