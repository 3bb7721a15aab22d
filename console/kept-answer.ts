/** Keeps the last data of a query whose object is not stored any longer, while its page is open. */
import { useRef } from 'preact/hooks';
import type { LiveAnswer } from './live.ts';

export interface KeptAnswer<T> {
  readonly answer: LiveAnswer<T>;
  /** Whether the data is of an object that is not stored any longer. */
  readonly gone: boolean;
}

/** `of`: what the query is about. */
export function useKept<T>(answer: LiveAnswer<T>, of: string): KeptAnswer<T> {
  const last = useRef<{ readonly of: string; readonly data: T }>(undefined);
  if (answer.data !== undefined) last.current = { of, data: answer.data };
  const kept = last.current?.of === of ? last.current.data : undefined;
  const gone = answer.data === undefined && answer.error?.status === 404 && kept !== undefined;
  return { answer: gone ? { data: kept } : answer, gone };
}
