/** The owners of an object's fields after a write, as in metadata.managedFields. For the practice hub's store. */
import { isDeepStrictEqual } from 'node:util';
import { type Instant, toTimestamp } from '../../../shared/core/time.ts';
import { difference, type FieldPart, type FieldSet, isEmpty, shapeOf, union, without } from './field-set.ts';
import { apiVersionOf, type KindDefinition, type Subresource } from './kind-definition.ts';
import type { Actor, KubeObject, ManagedFieldsEntry } from './objects.ts';
import { isFields } from './structural-schema.ts';

/** The manager, the time, and the subresource of a write. */
export interface Stamp {
  readonly now: Instant;
  readonly by: Actor;
  readonly subresource?: Subresource;
  /** For an apply, its own set of fields; other writes own what they change. */
  readonly managedFields?: readonly ManagedFieldsEntry[];
}

const OF_METADATA = ['labels', 'annotations', 'finalizers', 'ownerReferences'];

/** The part of an object with owners: through the status subresource only its status, otherwise all but status. */
export function ownable(kind: KindDefinition, object: unknown, subresource: Stamp['subresource']): FieldPart {
  const shape = shapeOf(kind);
  if (!isFields(object)) return { value: {}, shape };
  const { apiVersion: _, kind: __, metadata, status, ...rest } = object;
  const ofStatus = status === undefined ? {} : { status };
  if (subresource === 'status') return { value: ofStatus, shape };
  const given = isFields(metadata) ? metadata : {};
  const own = Object.fromEntries(
    OF_METADATA.flatMap((name) => (given[name] === undefined ? [] : [[name, given[name]]])),
  );
  const outside = kind.subresources.includes('status') ? rest : { ...rest, ...ofStatus };
  return { value: { ...(Object.keys(own).length > 0 && { metadata: own }), ...outside }, shape };
}

export function fieldsIn({ fieldsV1 }: ManagedFieldsEntry): FieldSet {
  return (fieldsV1 ?? {}) as FieldSet;
}

type ManagerEntry = Pick<ManagedFieldsEntry, 'manager' | 'operation' | 'subresource'>;

export function isEntryOf(
  entry: ManagerEntry,
  { by, subresource }: Stamp,
  operation: ManagerEntry['operation'],
): boolean {
  return entry.manager === by.manager && entry.operation === operation && entry.subresource === subresource;
}

/** After an update: fields that it set belong only to its manager, fields that it removed have no owner. */
export function afterUpdate(
  kind: KindDefinition,
  { current, next }: { readonly current: KubeObject | undefined; readonly next: unknown },
  stamp: Stamp,
): readonly ManagedFieldsEntry[] {
  const { subresource } = stamp;
  const after = ownable(kind, next, subresource);
  const { set, removed } = difference(ownable(kind, current, subresource), after);
  const left = takeAway(current?.metadata.managedFields ?? [], removed);
  const mine = left.find((entry) => isEntryOf(entry, stamp, 'Update'));
  if (set === undefined) return left;
  const fields = union(mine ? fieldsIn(mine) : {}, set);
  return withEntry(takeAway(left, set, mine), { kind, stamp, operation: 'Update', fields });
}

/** Removes fields from other managers; an entry without fields is removed. */
export function takeAway(
  entries: readonly ManagedFieldsEntry[],
  fields: FieldSet | undefined,
  except?: ManagedFieldsEntry,
): readonly ManagedFieldsEntry[] {
  if (fields === undefined) return entries;
  return entries.flatMap((entry) => {
    if (entry === except) return [entry];
    const left = without(fieldsIn(entry), fields);
    return left === undefined || isEmpty(left) ? [] : [{ ...entry, fieldsV1: left }];
  });
}

interface NewEntry {
  readonly kind: KindDefinition;
  readonly stamp: Stamp;
  readonly operation: ManagerEntry['operation'];
  readonly fields: FieldSet;
}

/** Replaces the manager's entry, or adds one. If an apply claims the same fields as before, the entry stays unchanged. */
export function withEntry(
  entries: readonly ManagedFieldsEntry[],
  { kind, stamp, operation, fields }: NewEntry,
): readonly ManagedFieldsEntry[] {
  const { by, now, subresource } = stamp;
  const entry: ManagedFieldsEntry = {
    apiVersion: apiVersionOf(kind),
    fieldsType: 'FieldsV1',
    fieldsV1: fields,
    manager: by.manager,
    operation,
    ...(subresource && { subresource }),
    time: toTimestamp(now),
  };
  const at = entries.findIndex((one) => isEntryOf(one, stamp, operation));
  if (isEmpty(fields)) return at === -1 ? entries : entries.toSpliced(at, 1);
  if (at === -1) return [...entries, entry];
  const before = entries[at];
  if (operation === 'Apply' && before !== undefined && isDeepStrictEqual(fieldsIn(before), fields)) return entries;
  return entries.with(at, entry);
}
