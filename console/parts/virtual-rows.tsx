/** A long list that renders only the visible rows. */
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { type IndexRange, spanInView } from '../virtual-window.ts';

const ROW = 32;
const BEYOND = 6;

export interface VirtualRowsProps {
  readonly label: string;
  readonly count: number;
  readonly columns: readonly string[];
  /** The cells of one row; undefined while it is loading. */
  readonly row: (index: number) => readonly ComponentChildren[] | undefined;
  /** Called with the visible rows, for a list that is loaded in parts. */
  readonly onView?: (span: IndexRange) => void;
  readonly kind: string;
}

export function VirtualRows({ label, count, columns, row, onView, kind }: VirtualRowsProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const [span, setSpan] = useState<IndexRange>({ from: 0, to: 0 });
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const look = (): void => {
      const next = spanInView({ count, size: ROW }, element.scrollTop, element.clientHeight);
      setSpan((last) => (last.from === next.from && last.to === next.to ? last : next));
      onView?.(next);
    };
    const resized = new ResizeObserver(look);
    resized.observe(element);
    element.addEventListener('scroll', look, { passive: true });
    look();
    return () => {
      resized.disconnect();
      element.removeEventListener('scroll', look);
    };
  }, [count, onView]);
  const from = Math.max(0, span.from - BEYOND);
  const to = Math.min(count, span.to + BEYOND);
  return (
    <div
      class={`virtual ${kind}`}
      ref={scroller}
      role="table"
      aria-label={label}
      aria-rowcount={count + 1}
      // Focusable, so that it scrolls by keyboard.
      tabIndex={0}
    >
      <div class="virtual-head" role="row" aria-rowindex={1}>
        {columns.map((column) => (
          <span role="columnheader" key={column}>
            {column}
          </span>
        ))}
      </div>
      <div class="virtual-body" role="rowgroup" style={{ height: `${count * ROW}px` }}>
        {Array.from({ length: Math.max(0, to - from) }, (_, place) => from + place).map((index) => (
          <div
            class="virtual-row"
            role="row"
            aria-rowindex={index + 2}
            key={index}
            style={{ transform: `translateY(${index * ROW}px)` }}
          >
            {(row(index) ?? columns.map((_, place) => <span class="not-yet" key={place} />)).map((cell, place) => (
              <span role="cell" key={columns[place]}>
                {cell}
              </span>
            ))}
          </div>
        ))}
      </div>
    </div>
  );
}
