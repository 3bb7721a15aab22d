/** Decides which rows `evenkeel get` prints: those of the given names and labels, or all. */
import { invalidOption } from '../../shared/core/fault.ts';
import { keyText, type ObjectKey } from '../../shared/kubernetes/object-key.ts';
import type { Rows } from './printed-rows.ts';

export interface ThingRows<R> extends Omit<Rows<R>, 'document'> {
  readonly documentOf: (rows: readonly R[]) => object;
  /** Names that select the row; that of `name` without its kind unless given. */
  readonly namesOf?: (row: R) => readonly string[];
  /** Absent if labels select no rows of it. */
  readonly keyOf?: (row: R) => ObjectKey;
}

export interface RowFilter {
  /** In errors: "clusters". */
  readonly thing: string;
  /** Empty: all. */
  readonly names: readonly string[];
  /** The keys of the labelled objects; absent without -l. */
  readonly labelled?: ReadonlySet<string>;
}

/** Throws a terminal Fault if a name selects no row. */
export function selected<R>(
  { documentOf, namesOf, keyOf, ...rows }: ThingRows<R>,
  { thing, names, labelled }: RowFilter,
): Rows<R> {
  const idsOf = namesOf ?? ((row: R) => [rows.name(row).replace(/^[^/]*\//, '')]);
  const all = rows.rows;
  const missing = names.find((name) => !all.some((row) => idsOf(row).includes(name)));
  if (missing !== undefined)
    throw invalidOption(`${thing} ${JSON.stringify(missing)}: not found; "evenkeel get ${thing}" lists them`);
  const meant = all.filter(
    (row) =>
      (names.length === 0 || idsOf(row).some((id) => names.includes(id))) &&
      (labelled === undefined || (keyOf !== undefined && labelled.has(keyText(keyOf(row))))),
  );
  const none = labelled === undefined || all.length === 0 ? rows.none : `No ${thing} have these labels.`;
  return { ...rows, rows: meant, document: documentOf(meant), none };
}
