/** A button that sends an order: busy while the request is in flight; the result is shown as a toast. */
import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { askAgain } from '../live.ts';

/** The result of the last order, for the toast and for screen readers. */
export const lastOrder = signal<{ readonly text: string; readonly bad: boolean; readonly at: number } | undefined>(
  undefined,
);

function publish(text: string, bad = false): void {
  lastOrder.value = { text, bad, at: Date.now() };
}

/** Sends an order and repeats all questions. Returns true if it succeeded. */
export async function carryOut(order: () => Promise<string>): Promise<boolean> {
  try {
    publish(await order());
    return true;
  } catch (thrown) {
    publish(thrown instanceof Error ? thrown.message : String(thrown), true);
    return false;
  } finally {
    askAgain();
  }
}

export interface OrderButtonProps {
  readonly children: ComponentChildren;
  /** Returns the text of the result. */
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
