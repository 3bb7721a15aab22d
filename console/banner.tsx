/** Overlays on the page: the lost connection, and the result of the last command. */
import { useEffect } from 'preact/hooks';
import type { HubSummary } from '../shared/console-api/operations/hubs.ts';
import { durationOf } from './format.ts';
import { connection, loggedOut, now } from './live.ts';
import { lastCommand } from './parts/command-button.tsx';
import { Icon } from './parts/icon.tsx';
import { Age } from './parts/time.tsx';

const TOAST_MS = 6000;

/** `away`: the page's hub, if it is unreachable. */
export function Banner({ away }: { readonly away: HubSummary | undefined }) {
  const { lost, receivedAt } = connection.value;
  // Read while connected too, so that the age keeps updating.
  const age = Math.max(0, now.value - receivedAt);
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
          <span>{receivedAt === 0 ? 'No data received yet.' : `The data is ${durationOf(age)} old.`}</span>
        </p>
      )}
      {away && !lost && !loggedOut.value && (
        <p class="banner">
          <Icon name="warning" />
          <strong>Hub {away.name} cannot be reached.</strong>
          <span title={away.reach.message}>
            Its data may be outdated
            {away.reach.comparedAt !== undefined && (
              <>
                ; last compared <Age time={away.reach.comparedAt} />
              </>
            )}
            .
          </span>
        </p>
      )}
    </div>
  );
}

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
