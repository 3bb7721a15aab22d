/** A table: a frame that scrolls sideways on narrow screens, also by keyboard, and the column heads. */
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

export interface TableFrameProps {
  readonly label: string;
  readonly kind?: string;
  readonly children: ComponentChildren;
}

export function TableFrame({ label, kind = '', children }: TableFrameProps) {
  const frame = useRef<HTMLDivElement>(null);
  const [scrolls, setScrolls] = useState(false);
  useLayoutEffect(() => {
    const element = frame.current;
    if (element === null) return;
    const measure = (): void => setScrolls(element.scrollWidth > element.clientWidth);
    const resized = new ResizeObserver(measure);
    resized.observe(element);
    for (const child of element.children) resized.observe(child);
    return () => resized.disconnect();
  }, []);
  // Focusable only if it scrolls.
  const reached = scrolls ? { tabIndex: 0, role: 'group' as const, 'aria-label': label } : {};
  return (
    <div class={`table-frame ${kind}`} ref={frame} {...reached}>
      {children}
    </div>
  );
}

/** `number` is right-aligned; the others have a fixed width. */
type ColumnKind = 'age' | 'health' | 'name' | 'time' | 'number' | 'commands' | 'progress' | 'share' | 'state';

/** A column without a kind takes the remaining width. */
type HeadColumn = string | readonly [ColumnKind, ComponentChildren];

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

export interface TableProps {
  readonly label: string;
  /** Classes of the table. */
  readonly kind?: string;
  /** Whether the frame has no border, as within a panel. */
  readonly isPlain?: boolean;
  readonly columns: readonly HeadColumn[];
  /** The rows. */
  readonly children: ComponentChildren;
}

export function Table({ label, kind, isPlain = false, columns, children }: TableProps) {
  return (
    <TableFrame label={label} {...(isPlain && { kind: 'plain' })}>
      <table class={kind === undefined ? 'table' : `table ${kind}`}>
        <TableHead columns={columns} />
        <tbody>{children}</tbody>
      </table>
    </TableFrame>
  );
}
