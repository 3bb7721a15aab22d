/** The page's way to the API: asks an operation by name, and again only for what has changed since. */
import type { InputOf, NamesOf, OperationName, OutputOf } from '../shared/operator/operations.ts';
import { operationPaths } from './operation-paths.ts';

export type QuestionName = NamesOf<'question'>;

/** What the page can show of an ask that failed. Without a status nobody answered. */
export class AskError extends Error {
  readonly status: number | undefined;

  constructor(message: string, status?: number) {
    super(message);
    this.status = status;
  }

  /** Nobody answered, or something before the API did: asking again may help, and nothing else does. */
  get isLostConnection(): boolean {
    return this.status === undefined || this.status === 502 || this.status === 504;
  }
}

export interface Request {
  readonly method: 'GET' | 'POST';
  /** Relative to the page, which any path may serve. */
  readonly url: string;
  readonly body?: string;
}

export function requestOf<N extends OperationName>(name: N, input: InputOf<N>): Request {
  const [method, path] = operationPaths[name];
  const rest = new Map(Object.entries(input).filter(([, value]) => value !== undefined));
  const filled = path.replace(/\{(\w+)\}/g, (_, field: string) => {
    const value = String(rest.get(field) ?? '');
    rest.delete(field);
    return encodeURIComponent(value);
  });
  if (method === 'POST') return { method, url: `api${filled}`, body: JSON.stringify(Object.fromEntries(rest)) };
  const query = new URLSearchParams(
    [...rest].map(([field, value]): [string, string] => [field, String(value)]),
  ).toString();
  return { method, url: `api${filled}${query === '' ? '' : `?${query}`}` };
}

export interface Fresh<T> {
  readonly data: T;
  readonly etag: string | undefined;
}

/** Asks what has changed since the answer of `etag`; undefined when nothing has. */
export async function askForNews<N extends QuestionName>(
  request: Request,
  since: { readonly etag?: string | undefined; readonly signal: AbortSignal },
): Promise<Fresh<OutputOf<N>> | undefined> {
  const headers: Record<string, string> = since.etag === undefined ? {} : { 'If-None-Match': since.etag };
  const response = await send(request, { headers, signal: since.signal });
  if (response.status === 304) return undefined;
  return { data: await readAnswer<OutputOf<N>>(response), etag: response.headers.get('etag') ?? undefined };
}

/** Asks once: an order, or a question of the moment. */
export async function ask<N extends OperationName>(name: N, input: InputOf<N>): Promise<OutputOf<N>> {
  const request = requestOf(name, input);
  return readAnswer<OutputOf<N>>(await send(request, { headers: { 'Content-Type': 'application/json' } }));
}

async function send({ method, url, body }: Request, more: RequestInit): Promise<Response> {
  try {
    return await fetch(url, { method, cache: 'no-store', ...more, ...(body !== undefined && { body }) });
  } catch (thrown) {
    if (thrown instanceof DOMException && thrown.name === 'AbortError') throw thrown;
    throw new AskError('nobody answers');
  }
}

async function readAnswer<T>(response: Response): Promise<T> {
  const answer = (await response.json().catch(() => undefined)) as unknown;
  if (response.ok && answer !== undefined) return answer as T;
  const said = (answer as { readonly error?: unknown } | undefined)?.error;
  throw new AskError(
    typeof said === 'string' ? said : `answered ${response.status}`,
    response.ok ? 502 : response.status,
  );
}
