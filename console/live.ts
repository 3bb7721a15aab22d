/** Answers that stay true while they are on the screen: asked again every second or two, and only for what has changed. */
import { signal } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';
import type { InputOf, OutputOf } from '../shared/operator/operations.ts';
import { AskError, askForNews, type QuestionName, requestOf } from './api.ts';

export interface Answer<T> {
  /** What was last known, also while asking again fails. */
  readonly data?: T;
  /** Why the last ask failed; a lost connection is not here but in `connection`. */
  readonly error?: AskError;
}

interface Known {
  readonly data: unknown;
  readonly etag: string | undefined;
}

const EVERY_MS = 1500;
const RETRY_MS = 1000;
/** Pages that were left come back with what they last showed. */
const KEPT = 24;

/** Of the last ask that was answered, and whether asks fail since. */
export const connection = signal<{ readonly lost: boolean; readonly heardAt: number }>({ lost: false, heardAt: 0 });
/** Behind a login: the session is over, and nothing is answered before the page is loaded again. */
export const loggedOut = signal(false);
/** The server's clock, as far as we know it: countdowns and ages go by it. */
export const now = signal(Date.now());
let ahead = 0;

const kept = new Map<string, Known>();
const loops = new Set<() => void>();

/** After an order: everything on the screen is asked again at once. */
export function askAgain(): void {
  for (const ask of loops) ask();
}

export function setServerTime(time: string): void {
  const ms = Date.parse(time);
  if (!Number.isNaN(ms)) ahead = ms - Date.now();
}

export function startClock(): void {
  setInterval(() => {
    if (!document.hidden) now.value = Date.now() + ahead;
  }, 1000);
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) askAgain();
  });
}

/** `undefined` for the input: nothing is asked yet. */
export function useAnswer<N extends QuestionName>(
  name: N,
  input: InputOf<N> | undefined,
  everyMs: number = EVERY_MS,
): Answer<OutputOf<N>> {
  const key = input === undefined ? undefined : requestOf(name, input).url;
  const [seen, setSeen] = useState<{ readonly key: string | undefined; readonly answer: Answer<OutputOf<N>> }>({
    key: undefined,
    answer: {},
  });
  useEffect(() => {
    if (key === undefined) return;
    return follow<N>(key, everyMs, (answer) => setSeen({ key, answer }));
  }, [key, everyMs]);
  // Another question than the one that was answered last: what is kept of it, and nothing of the former.
  return seen.key === key ? seen.answer : keptAnswer(key);
}

function keptAnswer<T>(key: string | undefined): Answer<T> {
  const known = key === undefined ? undefined : kept.get(key);
  return known === undefined ? {} : { data: known.data as T };
}

function follow<N extends QuestionName>(
  url: string,
  everyMs: number,
  show: (answer: Answer<OutputOf<N>>) => void,
): () => void {
  const ending = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let asking = false;
  let shown = false;
  const askOnce = async (): Promise<number> => {
    const known = kept.get(url);
    try {
      const news = await askForNews<N>({ method: 'GET', url }, { etag: known?.etag, signal: ending.signal });
      connection.value = { lost: false, heardAt: Date.now() };
      if (news !== undefined) keep(url, news);
      if (news !== undefined || !shown) show(keptAnswer(url));
      shown = true;
      return everyMs;
    } catch (thrown) {
      if (ending.signal.aborted) return everyMs;
      const error = thrown instanceof AskError ? thrown : new AskError(String(thrown), 500);
      loggedOut.value ||= error.status === 401;
      if (loggedOut.value) return everyMs;
      if (error.isLostConnection) connection.value = { ...connection.value, lost: true };
      else {
        // Whatever it was, it is not so now: a task that is gone is not shown as if it were there.
        if (error.status === 404) kept.delete(url);
        show({ ...keptAnswer<OutputOf<N>>(url), error });
        shown = false;
      }
      return Math.min(everyMs, RETRY_MS);
    }
  };
  const go = (): void => {
    clearTimeout(timer);
    if (asking || document.hidden || ending.signal.aborted || loggedOut.value) return;
    asking = true;
    void askOnce().then((wait) => {
      asking = false;
      if (!ending.signal.aborted) timer = setTimeout(go, wait);
    });
  };
  loops.add(go);
  go();
  return () => {
    loops.delete(go);
    clearTimeout(timer);
    ending.abort();
  };
}

function keep(url: string, known: Known): void {
  kept.delete(url);
  kept.set(url, known);
  const [oldest] = kept.keys();
  if (kept.size > KEPT && oldest !== undefined) kept.delete(oldest);
}
