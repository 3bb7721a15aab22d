/** A button that sends a command: busy while the request is in flight; the result is shown as a toast. */
import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { askAgain } from '../live.ts';

/** The result of the last command, for the toast and for screen readers. */
export const lastCommand = signal<{ readonly text: string; readonly bad: boolean; readonly at: number } | undefined>(
  undefined,
);

function publish(text: string, bad = false): void {
  lastCommand.value = { text, bad, at: Date.now() };
}

/** Sends a command and repeats all queries. */
export async function carryOut(command: () => Promise<string>): Promise<void> {
  try {
    publish(await command());
  } catch (thrown) {
    publish(thrown instanceof Error ? thrown.message : String(thrown), true);
  } finally {
    askAgain();
  }
}

export interface CommandButtonProps {
  readonly children: ComponentChildren;
  /** Returns the text of the result. */
  readonly command: () => Promise<string>;
  readonly kind?: 'main' | 'danger' | 'quiet';
  readonly label?: string;
  readonly disabled?: boolean;
}

export function CommandButton({ children, command, kind = 'quiet', label, disabled = false }: CommandButtonProps) {
  const [busy, setBusy] = useState(false);
  const press = (): void => {
    if (busy) return;
    setBusy(true);
    void carryOut(command).finally(() => setBusy(false));
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
