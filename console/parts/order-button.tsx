/** A button that orders something: busy while it is under way, and what came of it is said in words. */
import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { askAgain } from '../live.ts';

/** What the last order came to, in the corner of the page and for screen readers. */
export const said = signal<{ readonly text: string; readonly bad: boolean; readonly at: number } | undefined>(
  undefined,
);

function say(text: string, bad = false): void {
  said.value = { text, bad, at: Date.now() };
}

/** Runs an order; whatever it changed is on the screen at once. True when it was carried out. */
export async function carryOut(order: () => Promise<string>): Promise<boolean> {
  try {
    say(await order());
    return true;
  } catch (thrown) {
    say(thrown instanceof Error ? thrown.message : String(thrown), true);
    return false;
  } finally {
    askAgain();
  }
}

export interface OrderButtonProps {
  readonly children: ComponentChildren;
  /** Says what became of it. */
  readonly order: () => Promise<string>;
  readonly kind?: 'main' | 'danger' | 'quiet';
  readonly label?: string;
  readonly disabled?: boolean;
}

export function OrderButton({ children, order, kind = 'quiet', label, disabled = false }: OrderButtonProps) {
  const [busy, setBusy] = useState(false);
  const press = (): void => {
    if (busy) return;
    setBusy(true);
    void carryOut(order).finally(() => setBusy(false));
  };
  return (
    <button
      type="button"
      class={`button ${kind}`}
      aria-label={label}
      aria-busy={busy}
      disabled={disabled}
      onClick={press}
    >
      {children}
    </button>
  );
}
