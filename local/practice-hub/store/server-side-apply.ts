/** Server-side apply: sets the applied fields, and removes the manager's previous fields that are no longer applied, unless they have other owners. For the store. */
import {
  difference,
  type FieldSet,
  fieldsOf,
  intersection,
  overlaid,
  pathsIn,
  pathText,
  pruned,
  union,
  without,
} from './field-set.ts';
import type { KindDefinition } from './kind-definition.ts';
import { fieldsIn, isEntryOf, ownable, type Stamp, takeAway, withEntry } from './managed-fields.ts';
import type { KubeObject, ManagedFieldsEntry } from './objects.ts';
import { StatusError } from './status-error.ts';
import { isFields } from './structural-schema.ts';

export interface ApplyOutcome {
  /** The object to store. */
  readonly object: unknown;
  readonly managedFields: readonly ManagedFieldsEntry[];
}

interface Apply {
  readonly current: KubeObject | undefined;
  readonly config: unknown;
  readonly force: boolean;
}

/** Throws 409 if another manager owns a field that changes, unless forced. */
export function applied(kind: KindDefinition, { current, config, force }: Apply, stamp: Stamp): ApplyOutcome {
  const { subresource } = stamp;
  const live = ownable(kind, current, subresource);
  const wanted = ownable(kind, config, subresource);
  const entries = current?.metadata.managedFields ?? [];
  const mine = entries.find((entry) => isEntryOf(entry, stamp, 'Apply'));
  const others = entries.filter((entry) => entry !== mine);
  const fields = fieldsOf(wanted.value, wanted.shape);

  const together = { ...live, value: overlaid(live, wanted) };
  const { set: written, removed: replaced } = difference(live, together);
  const changed = written && union(written, replaced ?? {});
  const conflicts = changed === undefined ? [] : conflictsWith(others, changed);
  if (conflicts.length > 0 && !force) throw rejected(conflicts);

  const kept = others.reduce((all, entry) => union(all, fieldsIn(entry)), fields);
  const gone = mine && without(fieldsIn(mine), fields);
  const value = gone ? pruned(together, gone, kept) : together.value;
  const { removed } = difference(together, { ...together, value });
  const left = takeAway(takeAway(entries, changed, mine), removed, mine);
  const managedFields = withEntry(left, { kind, stamp, operation: 'Apply', fields });
  return { object: whole(value, { current, config, subresource }), managedFields };
}

interface ApplyContext {
  readonly current: KubeObject | undefined;
  readonly config: unknown;
  readonly subresource: Stamp['subresource'] | undefined;
}

const OF_NEW = ['name', 'namespace', 'generateName'];
const OF_CONFIG = [...OF_NEW, 'uid', 'resourceVersion'];

/** The object around its owned fields: its identity, and the resourceVersion of the apply. */
function whole(value: unknown, { current, config, subresource }: ApplyContext): unknown {
  const given = fieldsAt(config);
  const owned = fieldsAt(value);
  const { labels: _, annotations: __, finalizers: ___, ownerReferences: ____, ...system } = fieldsAt(current?.metadata);
  const known = current === undefined ? OF_NEW : OF_CONFIG;
  const applied = Object.entries(fieldsAt(given.metadata)).filter(([name]) => known.includes(name));
  const identity = { ...system, resourceVersion: undefined, ...Object.fromEntries(applied) };
  const header = { apiVersion: given.apiVersion, kind: given.kind };
  if (subresource !== 'status') return { ...owned, ...header, metadata: { ...identity, ...fieldsAt(owned.metadata) } };
  const { status: _____, ...rest } = current ?? {};
  return { ...rest, ...header, metadata: identity, ...owned };
}

function fieldsAt(value: unknown): Readonly<Record<string, unknown>> {
  return isFields(value) ? value : {};
}

interface Conflict {
  readonly manager: string;
  readonly path: string;
}

function conflictsWith(others: readonly ManagedFieldsEntry[], changed: FieldSet): readonly Conflict[] {
  return others.flatMap((entry) => {
    const shared = intersection(fieldsIn(entry), changed);
    return shared === undefined
      ? []
      : pathsIn(shared).map((names) => ({ manager: managerText(entry), path: pathText(names) }));
  });
}

function managerText({ manager, operation, subresource, apiVersion, time }: ManagedFieldsEntry): string {
  const name = JSON.stringify(manager);
  if (operation === 'Apply') return name;
  return `${name}${subresource === undefined ? '' : ` with subresource ${JSON.stringify(subresource)}`} using ${apiVersion} at ${time}`;
}

function rejected(conflicts: readonly Conflict[]): StatusError {
  const causes = conflicts.map(({ manager, path }) => ({
    reason: 'FieldManagerConflict',
    message: `conflict with ${manager}`,
    field: path,
  }));
  return new StatusError(409, 'Conflict', `Apply failed with ${conflictText(conflicts)}`, { causes });
}

function conflictText(conflicts: readonly Conflict[]): string {
  const [first] = conflicts;
  if (conflicts.length === 1 && first) return `1 conflict: conflict with ${first.manager}: ${first.path}`;
  const managers = [...new Set(conflicts.map(({ manager }) => manager))].sort();
  const lines = managers.flatMap((manager) => [
    `conflicts with ${manager}:`,
    ...conflicts.filter((one) => one.manager === manager).map(({ path }) => `- ${path}`),
  ]);
  return `${conflicts.length} conflicts: ${lines.join('\n')}`;
}
