/** Placeholders for an answer: loading, empty and failed. */
import type { ComponentChildren } from 'preact';
import type { ApiError } from '../../shared/console-api/api-client.ts';
import type { LiveAnswer } from '../live.ts';
import { connection } from '../live.ts';
import { Icon } from './icon.tsx';

export interface EmptyProps {
  readonly title: string;
  /** Whether it replaces the whole page, so that its title is the page's heading. */
  readonly alone?: boolean;
  readonly children?: ComponentChildren;
}

export function Empty({ title, alone = false, children }: EmptyProps) {
  const Title = alone ? 'h1' : 'p';
  return (
    <div class="empty">
      <Title class="empty-title">{title}</Title>
      {children !== undefined && <p class="muted">{children}</p>}
    </div>
  );
}

/** As large as the answer, so that the layout does not shift. */
export function Loading({ what }: { readonly what: string }) {
  return (
    <div class="empty" role="status">
      <p class="muted">{connection.value.lost ? `Waiting for the connection to read ${what}.` : `Reading ${what}…`}</p>
    </div>
  );
}

export interface FailedProps {
  readonly error: ApiError;
  readonly what: string;
  readonly alone?: boolean;
}

export function Failed({ error, what, alone = false }: FailedProps) {
  const Title = alone ? 'h1' : 'p';
  const gone = error.status === 404;
  return (
    <div class="empty" role="alert">
      <Title class="empty-title">
        <Icon name="warning" tone="bad" /> {gone ? `The ${what} was not found` : `The ${what} can’t be read`}
      </Title>
      <p class="muted">{error.message}</p>
      <p class="muted">{gone ? 'If it is created, it appears here.' : 'Retrying every second.'}</p>
    </div>
  );
}

export interface AnsweredProps<T> {
  readonly answer: LiveAnswer<T>;
  readonly what: string;
  /** Replaces the whole page while there is no answer, so it has the page's heading. */
  readonly alone?: boolean;
  readonly children: (data: T) => ComponentChildren;
}

/** The content of an answer, grey while retries fail: the frame of the page shows the error. */
export function Answered<T>({ answer, what, alone = false, children }: AnsweredProps<T>) {
  if (answer.data === undefined)
    return answer.error ? <Failed error={answer.error} what={what} alone={alone} /> : <Loading what={`the ${what}`} />;
  return <div class={`answer ${answer.error ? 'is-stale' : ''}`}>{children(answer.data)}</div>;
}
