/** A table in a frame that scrolls sideways on narrow screens, also by keyboard. */
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
