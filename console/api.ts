/** The page's API client: sends operations by name, and repeats a question with its ETag. */
import type { InputOf, NamesOf, OperationName, OutputOf } from '../shared/console-api/operations.ts';
import { operationPaths } from './operation-paths.ts';

export type QuestionName = NamesOf<'question'>;

/** A failed request, as the page shows it. `status` is undefined if no server responded. */
export class AskError extends Error {
  readonly status: number | undefined;

  constructor(message: string, status?: number) {
    super(message);
    this.status = status;
  }

  /** No server responded, or a proxy in front of the API did: only a retry can help. */
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

/** Repeats a question with the ETag of its last response; undefined if nothing has changed. */
export async function askForNews<N extends QuestionName>(
  request: Request,
  since: { readonly etag?: string | undefined; readonly signal: AbortSignal },
): Promise<Fresh<OutputOf<N>> | undefined> {
  const headers: Record<string, string> = since.etag === undefined ? {} : { 'If-None-Match': since.etag };
  const response = await send(request, { headers, signal: since.signal });
  if (response.status === 304) return undefined;
  return { data: await readAnswer<OutputOf<N>>(response), etag: response.headers.get('etag') ?? undefined };
}

/** Sends an order, or a question without polling. */
export async function ask<N extends OperationName>(name: N, input: InputOf<N>): Promise<OutputOf<N>> {
  const request = requestOf(name, input);
  return readAnswer<OutputOf<N>>(await send(request, { headers: { 'Content-Type': 'application/json' } }));
}

async function send({ method, url, body }: Request, more: RequestInit): Promise<Response> {
  try {
    return await fetch(url, { method, cache: 'no-store', ...more, ...(body !== undefined && { body }) });
  } catch (thrown) {
    if (thrown instanceof DOMException && thrown.name === 'AbortError') throw thrown;
    throw new AskError('no response from the server');
  }
}

async function readAnswer<T>(response: Response): Promise<T> {
  const answer = (await response.json().catch(() => undefined)) as unknown;
  if (response.ok && answer !== undefined) return answer as T;
  const error = (answer as { readonly error?: unknown } | undefined)?.error;
  throw new AskError(
    typeof error === 'string' ? error : `answered ${response.status}`,
    response.ok ? 502 : response.status,
  );
}
