/** A dialog that sends a command on confirmation: busy while the request is in flight; the result is shown as a toast. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { carryOut } from './command-button.tsx';
import { Dialog } from './dialog.tsx';

export interface CommandDialogProps {
  readonly title: string;
  /** The word on the button that confirms. */
  readonly verb: string;
  /** Of that button. The main one has the focus. */
  readonly kind?: 'main' | 'danger';
  /** Returns the text of the result. */
  readonly command: () => Promise<string>;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

export function CommandDialog({ title, verb, kind = 'main', command, onClose, children }: CommandDialogProps) {
  const [busy, setBusy] = useState(false);
  const submit = (event: Event): void => {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    void carryOut(command).finally(() => setBusy(false));
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <form onSubmit={submit}>
        {children}
        <div class="dialog-end">
          <button type="button" class="button quiet" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class={`button ${kind}`} aria-busy={busy} autofocus={kind === 'main'}>
            {verb}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
