/** Splits a value into the parts that managedFields can own, with their names there. For server-side apply. */
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
export type Parts = ReadonlyMap<string, FieldPart>;

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
  return { name: '', schema: { ...schema, properties: { ...schema?.properties, metadata } }, builtIn };
}

/** Undefined for a value that is owned as a whole. */
export function partsOf(value: unknown, shape: FieldContext): Parts | undefined {
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
export function assemble(like: unknown, parts: ReadonlyMap<string, unknown>): unknown {
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
