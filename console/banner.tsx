/** What is said over the page, without moving it: that the connection is lost, and what the last order came to. */
import { useEffect } from 'preact/hooks';
import { durationOf } from './format.ts';
import { connection, loggedOut, now } from './live.ts';
import { Icon } from './parts/icon.tsx';
import { said } from './parts/order-button.tsx';

const TOAST_MS = 6000;

export function Banner() {
  const { lost, heardAt } = connection.value;
  // Read also while connected, or the age would stand still.
  const age = Math.max(0, now.value - heardAt);
  return (
    <div class="banner-place" role="status">
      {loggedOut.value && (
        <p class="banner">
          <Icon name="warning" />
          <strong>You are logged out.</strong>
          <a href="./">Log in again</a>
        </p>
      )}
      {lost && !loggedOut.value && (
        <p class="banner">
          <Icon name="warning" />
          <strong>Not connected, trying again.</strong>
          <span>{heardAt === 0 ? 'Nothing was heard yet.' : `What is shown is ${durationOf(age)} old.`}</span>
        </p>
      )}
    </div>
  );
}

export function Toast() {
  const last = said.value;
  useEffect(() => {
    if (last === undefined) return;
    const timer = setTimeout(() => {
      if (said.value === last) said.value = undefined;
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
