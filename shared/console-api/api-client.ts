/** The client of the API over HTTP, for the page and the command line. Imports types only: the page's bundle has no schemas. */
import type { ErrorResponse } from './error-response.ts';
import type { Ask, InputOf, NamesOf, OperationName, OutputOf } from './operations.ts';

/** A test compares these with the table of operations. */
export const operationPaths = {
  about: ['GET', '/about'],
  listHubs: ['GET', '/hubs'],
  getHub: ['GET', '/hubs/{hub}'],
  getHubHealth: ['GET', '/hubs/{hub}/health'],
  listHeld: ['GET', '/hubs/{hub}/held'],
  getFleet: ['GET', '/hubs/{hub}/fleet'],
  getWorkload: ['GET', '/hubs/{hub}/bindings/{namespace}/{name}'],
  traceBinding: ['GET', '/hubs/{hub}/bindings/{namespace}/{name}/trace'],
  listPlacements: ['GET', '/hubs/{hub}/bindings/{namespace}/{name}/placements'],
  getClusterHistory: ['GET', '/hubs/{hub}/clusters/{cluster}/history'],
  listTasks: ['GET', '/hubs/{hub}/tasks'],
  getTask: ['GET', '/hubs/{hub}/tasks/{name}'],
  getTaskDiff: ['GET', '/hubs/{hub}/tasks/{name}/diff'],
  listDecisions: ['GET', '/hubs/{hub}/decisions'],
  listRuns: ['GET', '/hubs/{hub}/runs'],
  getRun: ['GET', '/hubs/{hub}/runs/{run}'],
  getRunDiff: ['GET', '/hubs/{hub}/runs/{run}/diff'],
  listPolicies: ['GET', '/hubs/{hub}/policies'],
  previewPolicy: ['GET', '/hubs/{hub}/policies/{name}/preview'],
  listBudgets: ['GET', '/hubs/{hub}/budgets'],
  selectObjects: ['GET', '/hubs/{hub}/selected/{kind}'],
  getObject: ['GET', '/hubs/{hub}/objects/{kind}/{namespace}/{name}'],
  getHealth: ['GET', '/health'],
  listDeadLetters: ['GET', '/dead-letters'],
  createRebalancer: ['POST', '/hubs/{hub}/rebalancers'],
  drainCluster: ['POST', '/hubs/{hub}/clusters/{cluster}/drain'],
  uncordonCluster: ['POST', '/hubs/{hub}/clusters/{cluster}/uncordon'],
  redriveDeadLetters: ['POST', '/dead-letters/redrive'],
  pauseHub: ['POST', '/hubs/{hub}/pause'],
  resumeHub: ['POST', '/hubs/{hub}/resume'],
  resyncHub: ['POST', '/hubs/{hub}/resync'],
  registerHub: ['POST', '/hubs/{hub}/register'],
  setHub: ['POST', '/hubs/{hub}/set'],
  removeHub: ['POST', '/hubs/{hub}/remove'],
  failCluster: ['POST', '/practice/clusters/{cluster}/fail'],
  recoverCluster: ['POST', '/practice/clusters/{cluster}/recover'],
  slowPods: ['POST', '/practice/clusters/{cluster}/slow-pods'],
  failHub: ['POST', '/practice/hub/fail'],
  recoverHub: ['POST', '/practice/hub/recover'],
} as const satisfies Readonly<Record<OperationName, readonly ['GET' | 'POST', string]>>;

export type QueryName = NamesOf<'query'>;

/** A failed request. `status` is undefined if no server responded; `response` is set if the API responded. */
export class ApiError extends Error {
  readonly status: number | undefined;
  readonly response: ErrorResponse | undefined;

  constructor(message: string, status?: number, response?: ErrorResponse) {
    super(message);
    this.status = status;
    this.response = response;
  }

  /** No server responded, or a proxy in front of the API did (200: with a page of its own): only a retry can help. */
  get isLostConnection(): boolean {
    return [undefined, 200, 502, 504].includes(this.status);
  }
}

export interface OperationRequest {
  readonly method: 'GET' | 'POST';
  /** Relative to the page, which any path may serve. */
  readonly url: string;
  readonly body?: string;
}

export function requestOf<N extends OperationName>(name: N, input: InputOf<N>): OperationRequest {
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

type Fetch = typeof globalThis.fetch;

/** Sends each operation once. */
export function apiClient(fetch: Fetch): Ask {
  return async (name, input) => {
    const request = requestOf(name, input);
    const headers = request.body === undefined ? {} : { 'Content-Type': 'application/json' };
    return readAnswer(await send(fetch, request, { headers }));
  };
}

export interface Fresh<T> {
  readonly data: T;
  readonly etag: string | undefined;
}

/** Repeats a query with the ETag of its last response; undefined if nothing has changed. */
export async function askForNews<N extends QueryName>(
  fetch: Fetch,
  request: OperationRequest,
  since: { readonly etag?: string | undefined; readonly signal: AbortSignal },
): Promise<Fresh<OutputOf<N>> | undefined> {
  const headers: Record<string, string> = since.etag === undefined ? {} : { 'If-None-Match': since.etag };
  const response = await send(fetch, request, { headers, signal: since.signal });
  if (response.status === 304) return undefined;
  return { data: await readAnswer<OutputOf<N>>(response), etag: response.headers.get('etag') ?? undefined };
}

async function send(fetch: Fetch, { url, ...request }: OperationRequest, more: RequestInit): Promise<Response> {
  try {
    return await fetch(url, { ...request, cache: 'no-store', ...more });
  } catch (thrown) {
    if (thrown instanceof DOMException && thrown.name === 'AbortError') throw thrown;
    throw new ApiError('no response from the server');
  }
}

async function readAnswer<T>(response: Response): Promise<T> {
  const answer: unknown = await response.json().catch(() => undefined);
  if (response.ok && answer !== undefined) return answer as T;
  const rejection = isRejection(answer) ? answer : undefined;
  throw new ApiError(rejection?.error ?? `answered ${response.status}`, response.status, rejection);
}

function isRejection(answer: unknown): answer is ErrorResponse {
  return typeof (answer as { readonly error?: unknown } | null | undefined)?.error === 'string';
}
