/** The line at the foot of every page and the border around it: what is stale, and since when. Its space is always reserved. */
import { durationOf } from './format.ts';
import { now } from './live.ts';
import { Icon } from './parts/icon.tsx';
import { Age, Clock } from './parts/time.tsx';
import type { Staleness } from './staleness.ts';

export interface StaleFrameProps {
  readonly stale: Staleness | undefined;
  /** The text of a page that is not stale. */
  readonly fresh: string;
}

export function StaleFrame({ stale, fresh }: StaleFrameProps) {
  // Read while nothing is stale too, so that the age keeps updating.
  const time = now.value;
  return (
    <footer class={`frame-line ${stale === undefined ? '' : 'stale'}`} title={stale?.detail}>
      {stale && <Icon name="warning" />}
      <strong role="status">{stale?.text ?? ''}</strong>
      {stale === undefined ? <span>{fresh}</span> : <Since stale={stale} time={time} />}
    </footer>
  );
}

function Since({ stale, time }: { readonly stale: Staleness; readonly time: number }) {
  const { code, since, comparedAt, detail } = stale;
  return (
    <span>
      {code === 'LoggedOut' && <a href="./">Log in again</a>}
      {since !== undefined && (
        <>
          {` ${code === 'HubUnreachable' ? 'Its' : 'The'} data is ${durationOf(time - since)} old, of `}
          <Clock time={new Date(since).toISOString()} />.
        </>
      )}
      {since === undefined && comparedAt !== undefined && (
        <>
          {' Last compared '}
          <Age time={comparedAt} />.
        </>
      )}
      {since === undefined && comparedAt === undefined && ' No data received yet.'} {detail}
    </span>
  );
}
