/** The head of a table: column names and widths. */
import type { ComponentChildren } from 'preact';

/** `number` is right-aligned; the others have a fixed width. */
type ColumnKind = 'age' | 'number' | 'orders' | 'progress' | 'share' | 'state';

/** A column without a kind takes the remaining width. */
export type HeadColumn = string | readonly [ColumnKind, ComponentChildren];

export function TableHead({ columns }: { readonly columns: readonly HeadColumn[] }) {
  return (
    <thead>
      <tr>
        {columns.map((column, i) => {
          const [kind, description] = typeof column === 'string' ? [undefined, column] : column;
          return (
            <th scope="col" class={kind && `col-${kind}`} key={i}>
              {description}
            </th>
          );
        })}
      </tr>
    </thead>
  );
}
