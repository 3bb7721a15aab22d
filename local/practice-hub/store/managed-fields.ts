/** Who owns which fields of an object after a write: for the practice hub's store, as metadata.managedFields tells. */
import { isDeepStrictEqual } from 'node:util';
import { type Instant, toTimestamp } from '../../../shared/model/time.ts';
import { type Part, shapeOf } from './field-parts.ts';
import { difference, type FieldSet, isEmpty, union, without } from './field-set.ts';
import { apiVersionOf, type KindDefinition, type Subresource } from './kind-definition.ts';
import type { Actor, KubeObject, ManagedFieldsEntry } from './objects.ts';
import { isFields } from './structural-schema.ts';

/** Who writes, when, and through which path. */
export interface Stamp {
  readonly now: Instant;
  readonly by: Actor;
  readonly subresource?: Subresource;
  /** Of an apply, which says itself what it owns; any other write owns what it changes. */
  readonly managedFields?: readonly ManagedFieldsEntry[];
}

const OF_METADATA = ['labels', 'annotations', 'finalizers', 'ownerReferences'];

/** What of an object has owners: through the status subresource its status alone, otherwise all but that. */
export function ownable(kind: KindDefinition, object: unknown, subresource: Stamp['subresource']): Part {
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

type Entry = Pick<ManagedFieldsEntry, 'manager' | 'operation' | 'subresource'>;

export function isEntryOf(entry: Entry, { by, subresource }: Stamp, operation: Entry['operation']): boolean {
  return entry.manager === by.manager && entry.operation === operation && entry.subresource === subresource;
}

/** After an update: what it set is its manager's alone, what it took out is nobody's. */
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

/** Fields that others can't own any longer; an entry that has none left goes. */
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
  readonly operation: Entry['operation'];
  readonly fields: FieldSet;
}

/** In the place of the manager's entry where it has one. Where an apply claims what it claimed before, the entry stays as it is. */
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
