/** The head of a table: what its columns are called, and how wide each kind is. */
import type { ComponentChildren } from 'preact';

/** `number` stands to the right; the others have a width of their own. */
type Kind = 'age' | 'number' | 'orders' | 'progress' | 'share' | 'state';

/** One without a kind takes the room that is left. */
export type Column = string | readonly [Kind, ComponentChildren];

export function TableHead({ columns }: { readonly columns: readonly Column[] }) {
  return (
    <thead>
      <tr>
        {columns.map((column, i) => {
          const [kind, says] = typeof column === 'string' ? [undefined, column] : column;
          return (
            <th scope="col" class={kind && `col-${kind}`} key={i}>
              {says}
            </th>
          );
        })}
      </tr>
    </thead>
  );
}
