/** The result of the last command, over the page for some seconds. */
import { useEffect } from 'preact/hooks';
import { lastCommand } from './parts/command-button.tsx';
import { Icon } from './parts/icon.tsx';

const TOAST_MS = 6000;

export function Toast() {
  const last = lastCommand.value;
  useEffect(() => {
    if (last === undefined) return;
    const timer = setTimeout(() => {
      if (lastCommand.value === last) lastCommand.value = undefined;
    }, TOAST_MS);
    return () => clearTimeout(timer);
  }, [last]);
  return (
    <div class="toast-place" role="status">
      {last && (
        <p class={`toast ${last.bad ? 'bad' : 'good'}`}>
          <Icon name={last.bad ? 'cross' : 'check'} />
          {last.text}
        </p>
      )}
    </div>
  );
}
