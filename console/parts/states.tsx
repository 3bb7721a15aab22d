/** What stands where an answer will be, where there is nothing, and where it failed. */
import type { ComponentChildren } from 'preact';
import type { AskError } from '../api.ts';
import type { Answer } from '../live.ts';
import { connection } from '../live.ts';
import { Icon } from './icon.tsx';

export interface EmptyProps {
  readonly title: string;
  /** It is the whole page, and its title the page's. */
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

/** In the room that the answer will take, so that nothing jumps when it comes. */
export function Loading({ what }: { readonly what: string }) {
  return (
    <div class="empty" role="status">
      <p class="muted">{connection.value.lost ? `Waiting for the connection to read ${what}.` : `Reading ${what}…`}</p>
    </div>
  );
}

export interface FailedProps {
  readonly error: AskError;
  readonly what: string;
  readonly alone?: boolean;
}

export function Failed({ error, what, alone = false }: FailedProps) {
  const Title = alone ? 'h1' : 'p';
  const gone = error.status === 404;
  return (
    <div class="empty" role="alert">
      <Title class="empty-title">
        <Icon name="warning" tone="bad" /> {gone ? `There is no such ${what}` : `The ${what} can’t be read`}
      </Title>
      <p class="muted">{error.message}</p>
      <p class="muted">{gone ? 'If it appears, so does it here.' : 'It is asked for again every second.'}</p>
    </div>
  );
}

export interface AnsweredProps<T> {
  readonly answer: Answer<T>;
  readonly what: string;
  /** Without it there is no page: what stands in for it has the page's title. */
  readonly alone?: boolean;
  readonly children: (data: T) => ComponentChildren;
}

/** The page of an answer: its content once there is one, with a line above while asking again fails. */
export function Answered<T>({ answer, what, alone = false, children }: AnsweredProps<T>) {
  if (answer.data === undefined)
    return answer.error ? <Failed error={answer.error} what={what} alone={alone} /> : <Loading what={`the ${what}`} />;
  return (
    <>
      {answer.error && (
        <p class="notice bad" role="alert">
          <Icon name="warning" /> {answer.error.message} What is shown is older.
        </p>
      )}
      {children(answer.data)}
    </>
  );
}
