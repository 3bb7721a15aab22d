/** Polling of queries while they are on the screen: every second or two, with ETags; and the permissions of the page. */
import { signal } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';
import { ApiError, apiClient, askForNews, type QueryName, requestOf } from '../shared/console-api/api-client.ts';
import type { InputOf, OutputOf } from '../shared/console-api/operations.ts';
import type { FailingQuery } from './staleness.ts';

export interface LiveAnswer<T> {
  /** The last response, kept while retries fail. */
  readonly data?: T;
  /** The error of the last request; a lost connection is in `connection` instead. */
  readonly error?: ApiError;
}

interface CachedAnswer {
  readonly data: unknown;
  readonly etag: string | undefined;
}

const EVERY_MS = 1500;
const RETRY_MS = 1000;
/** Responses of recently left pages are kept, so that the pages return at once. */
const KEPT = 24;

/** When the last response was received, and whether requests fail since. */
export const connection = signal<{ readonly lost: boolean; readonly receivedAt: number }>({
  lost: false,
  receivedAt: 0,
});
/** The queries on the screen whose requests fail while their last response is shown, by URL. */
export const failing = signal<ReadonlyMap<string, FailingQuery>>(new Map());
/** Set if the login session is over: no request succeeds before the page is loaded again. */
export const loggedOut = signal(false);
/** The estimated clock of the server, for countdowns and ages. */
export const now = signal(Date.now());
let ahead = 0;

const kept = new Map<string, CachedAnswer>();
const loops = new Set<() => void>();

/** Sends a command, or a query without polling. */
export const ask = apiClient(fetch);

/** After a command: repeats all queries on the screen at once. */
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

/** `undefined` as the input: no query is sent yet. `timeoutMs`: without a response after it, the connection counts as lost. */
export function useAnswer<N extends QueryName>(
  name: N,
  input: InputOf<N> | undefined,
  everyMs: number = EVERY_MS,
  timeoutMs?: number,
): LiveAnswer<OutputOf<N>> {
  const key = input === undefined ? undefined : requestOf(name, input).url;
  const [seen, setSeen] = useState<{ readonly key: string | undefined; readonly answer: LiveAnswer<OutputOf<N>> }>({
    key: undefined,
    answer: {},
  });
  useEffect(() => {
    if (key === undefined) return;
    return follow<N>({ url: key, everyMs, timeoutMs }, (answer) => setSeen({ key, answer }));
  }, [key, everyMs, timeoutMs]);
  // A different query: shows its own cached response, and not that of the previous query.
  return seen.key === key ? seen.answer : keptAnswer(key);
}

function keptAnswer<T>(key: string | undefined): LiveAnswer<T> {
  const known = key === undefined ? undefined : kept.get(key);
  return known === undefined ? {} : { data: known.data as T };
}

interface PolledQuery {
  readonly url: string;
  readonly everyMs: number;
  readonly timeoutMs: number | undefined;
}

function follow<N extends QueryName>(
  { url, everyMs, timeoutMs }: PolledQuery,
  show: (answer: LiveAnswer<OutputOf<N>>) => void,
): () => void {
  const ending = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let asking = false;
  let shown = false;
  const askOnce = async (): Promise<number> => {
    const known = kept.get(url);
    try {
      const { signal: ended } = ending;
      const limited = timeoutMs === undefined ? ended : AbortSignal.any([ended, AbortSignal.timeout(timeoutMs)]);
      const since = { etag: known?.etag, signal: limited };
      const news = await askForNews<N>(fetch, { method: 'GET', url }, since);
      connection.value = { lost: false, receivedAt: Date.now() };
      setFailing(url, undefined);
      if (news !== undefined) keep(url, news);
      if (news !== undefined || !shown) show(keptAnswer(url));
      shown = true;
      return everyMs;
    } catch (thrown) {
      if (ending.signal.aborted) return everyMs;
      const error = thrown instanceof ApiError ? thrown : new ApiError(String(thrown), 500);
      loggedOut.value ||= error.status === 401;
      if (loggedOut.value) return everyMs;
      if (error.isLostConnection) connection.value = { ...connection.value, lost: true };
      else {
        // The object no longer exists, so its old data is not shown.
        if (error.status === 404) kept.delete(url);
        setFailing(url, kept.has(url) ? error.message : undefined);
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
    setFailing(url, undefined);
    clearTimeout(timer);
    ending.abort();
  };
}

function setFailing(url: string, message: string | undefined): void {
  const { [url]: before, ...others } = Object.fromEntries(failing.value);
  if (message === undefined && before === undefined) return;
  const entry = message === undefined ? [] : [[url, { since: before?.since ?? Date.now(), message }] as const];
  failing.value = new Map([...Object.entries(others), ...entry]);
}

function keep(url: string, known: CachedAnswer): void {
  kept.delete(url);
  kept.set(url, known);
  const [oldest] = kept.keys();
  if (kept.size > KEPT && oldest !== undefined) kept.delete(oldest);
}

export const may = signal<{ readonly command: boolean; readonly practice: boolean }>({
  command: false,
  practice: false,
});
