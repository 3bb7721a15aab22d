/**
 * Applies a CRD's schema to an object: unknown fields are pruned and reported, defaults are set, and the rest is
 * validated with the API server's messages. Supports the part of JSON Schema that
 * the kinds' schemas use; a keyword that is not here is not checked.
 */
import { ownValue } from '../../../shared/core/own-value.ts';
import type { StatusCause } from './status-error.ts';

export interface StructuralSchema {
  readonly type?: 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean';
  readonly description?: string;
  readonly format?: string;
  readonly enum?: readonly string[];
  readonly default?: unknown;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, StructuralSchema>>;
  readonly additionalProperties?: StructuralSchema;
  readonly items?: StructuralSchema;
  /** Ownership of its parts: a list is atomic by default, an object is owned field by field. */
  readonly 'x-kubernetes-list-type'?: 'atomic' | 'set' | 'map';
  readonly 'x-kubernetes-list-map-keys'?: readonly string[];
  readonly 'x-kubernetes-map-type'?: 'atomic' | 'granular';
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean;
  /** CEL rules: read for whole objects and their spec. */
  readonly 'x-kubernetes-validations'?: readonly Readonly<Record<'rule' | 'messageExpression' | 'fieldPath', string>>[];
}

type JsonSchema = Readonly<Record<string, unknown>>;

export function isFields(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value at these fields, one within the other. */
export function fieldAt(object: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (value, name) =>
      typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined,
    object,
  );
}

function keepsUnknown({ properties, type, ...rest }: StructuralSchema): boolean {
  return rest['x-kubernetes-preserve-unknown-fields'] === true || (properties === undefined && type === undefined);
}

/**
 * The value without unknown fields, whose paths are added to `unknown`, and with defaults.
 * A part that needs neither is returned as it is, so that unchanged objects stay shared.
 */
export function prune(value: unknown, schema: StructuralSchema, path: string, unknown: string[]): unknown {
  if (Array.isArray(value)) {
    const items = schema.items;
    if (!items) return value;
    const pruned = value.map((item, index) => prune(item, items, `${path}[${index}]`, unknown));
    return pruned.every((item, index) => item === value[index]) ? value : pruned;
  }
  if (!isFields(value)) return value;
  // Usually nothing changes: a copy is made at the first changed field.
  let copy: Map<string, unknown> | undefined;
  for (const name of Object.keys(value)) {
    const field = value[name];
    const at = path === '' ? name : `${path}.${name}`;
    const known = knownOf(name, schema);
    const isUnknown = !known && !keepsUnknown(schema);
    if (isUnknown) unknown.push(at);
    // None of these fields is nullable: null counts as absent.
    const isLeftOut = isUnknown || (field === null && known?.type !== undefined);
    const kept = known && !isLeftOut ? prune(field, known, at, unknown) : field;
    if (!isLeftOut && kept === field) continue;
    copy ??= new Map(Object.entries(value));
    if (isLeftOut) copy.delete(name);
    else copy.set(name, kept);
  }
  for (const [name, property] of defaultsOf(schema)) {
    if (copy === undefined ? Object.hasOwn(value, name) : copy.has(name)) continue;
    copy ??= new Map(Object.entries(value));
    // A default of {} gets the defaults of its own fields.
    copy.set(name, prune(property.default, property, name, unknown));
  }
  // fromEntries: a field may be called "__proto__".
  return copy === undefined ? value : Object.fromEntries(copy);
}

/** The schema of a field; undefined if there is none. */
function knownOf(name: string, { properties, additionalProperties }: StructuralSchema): StructuralSchema | undefined {
  return ownValue(properties, name) ?? additionalProperties;
}

const defaults = new WeakMap<StructuralSchema, readonly (readonly [string, StructuralSchema])[]>();

/** An object's fields with defaults, cached per schema, since they are few among many. */
function defaultsOf(schema: StructuralSchema): readonly (readonly [string, StructuralSchema])[] {
  const kept = defaults.get(schema);
  if (kept !== undefined) return kept;
  const found = Object.entries(schema.properties ?? {}).filter(([, property]) => property.default !== undefined);
  defaults.set(schema, found);
  return found;
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value;
}

const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/i;

/** All violations of the schema, in the order of field names as the API server lists them. */
export function validate(value: unknown, schema: StructuralSchema, path: string): StatusCause[] {
  const type = typeOf(value);
  const fits = schema.type === undefined || schema.type === type || (schema.type === 'number' && type === 'integer');
  if (!fits) {
    return [typeInvalid(path, type, `${path} in body must be of type ${schema.type}: "${type}"`)];
  }
  if (Array.isArray(value)) return validateItems(value, schema, path);
  if (isFields(value)) return validateFields(value, schema, path);
  if (typeof value === 'string') return validateText(value, schema, path);
  if (typeof value === 'number') return validateNumber(value, schema, path);
  return [];
}

function validateNumber(value: number, { minimum, maximum }: StructuralSchema, path: string): StatusCause[] {
  if (minimum !== undefined && value < minimum) {
    return [flaw(path, String(value), `${path} in body should be greater than or equal to ${minimum}`)];
  }
  if (maximum !== undefined && value > maximum) {
    return [flaw(path, String(value), `${path} in body should be less than or equal to ${maximum}`)];
  }
  return [];
}

function flaw(field: string, value: string, message: string): StatusCause {
  return { reason: 'FieldValueInvalid', message: `Invalid value: ${value}: ${message}`, field };
}

function typeInvalid(field: string, value: string, message: string): StatusCause {
  return { reason: 'FieldValueTypeInvalid', message: `Invalid value: "${value}": ${message}`, field };
}

function validateItems(value: readonly unknown[], schema: StructuralSchema, path: string): StatusCause[] {
  if (schema.minItems !== undefined && value.length < schema.minItems) {
    return [flaw(path, String(value.length), `${path} in body should have at least ${schema.minItems} items`)];
  }
  if (schema.maxItems !== undefined && value.length > schema.maxItems) {
    const message = `Too many: ${value.length}: must have at most ${schema.maxItems} items`;
    return [{ reason: 'FieldValueTooMany', message, field: path }];
  }
  const items = schema.items;
  return items ? value.flatMap((item, index) => validate(item, items, `${path}[${index}]`)) : [];
}

function validateFields(value: JsonSchema, schema: StructuralSchema, path: string): StatusCause[] {
  const missing = (schema.required ?? []).filter((name) => !Object.hasOwn(value, name));
  const names = [...Object.keys(value), ...missing];
  const flaws = names.map((name): readonly [string, StatusCause[]] => {
    const at = path === '' ? name : `${path}.${name}`;
    if (!Object.hasOwn(value, name))
      return [name, [{ reason: 'FieldValueRequired', message: 'Required value', field: at }]];
    const known = knownOf(name, schema);
    return [name, known ? validate(value[name], known, at) : []];
  });
  const found = flaws.filter(([, each]) => each.length > 0);
  return found.sort(([a], [b]) => (a < b ? -1 : 1)).flatMap(([, each]) => each);
}

function validateText(value: string, schema: StructuralSchema, path: string): StatusCause[] {
  const flaws: StatusCause[] = [];
  if (schema.format === 'date-time' && (!DATE_TIME.test(value) || Number.isNaN(Date.parse(value)))) {
    const name = path.slice(path.lastIndexOf('.') + 1);
    flaws.push(typeInvalid(path, value, `${name} in body must be of type date-time: "${value}"`));
  }
  if (schema.enum && !schema.enum.includes(value)) {
    const supported = schema.enum.map((one) => `"${one}"`).join(', ');
    const message = `Unsupported value: "${value}": supported values: ${supported}`;
    flaws.push({ reason: 'FieldValueNotSupported', message, field: path });
  }
  const flawed = lengthFlaw(value, schema, path);
  if (flawed !== undefined) flaws.push(flawed);
  else if (schema.pattern !== undefined && !patternOf(schema.pattern).test(value)) {
    flaws.push(flaw(path, `"${value}"`, `${path} in body should match '${schema.pattern}'`));
  }
  return flaws;
}

const patterns = new Map<string, RegExp>();

/** Compiled once: each write validates each field. */
function patternOf(text: string): RegExp {
  const known = patterns.get(text) ?? new RegExp(text, 'u');
  patterns.set(text, known);
  return known;
}

function lengthFlaw(value: string, { minLength, maxLength }: StructuralSchema, path: string): StatusCause | undefined {
  if (minLength === undefined && maxLength === undefined) return undefined;
  const { length } = [...value];
  if (maxLength !== undefined && length > maxLength) {
    return { reason: 'FieldValueTooLong', message: `Too long: may not be more than ${maxLength} bytes`, field: path };
  }
  if (minLength === undefined || length >= minLength) return undefined;
  return flaw(path, `"${value}"`, `${path} in body should be at least ${minLength} chars long`);
}
