/** What the cases of the hub API contract speak: requests over the wire under test, or over a bare one where that can't make them. */
import { expect } from 'vitest';
import type { Connection } from '../../../shared/kubernetes/client/connection.ts';
import { bareWire, open } from './wires/bare.ts';
import type { OpenWire, Wire, WireAnswer } from './wires/wire.ts';

export interface RunningHub {
  readonly connection: Connection;
  /** For every request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** A watch of so many seconds has a bookmark before it ends: 5 unless given, since kube-apiserver sends one 2 s before the end. */
  readonly bookmarkedSeconds?: number;
  /** Has the server forget what its objects once were, as it does by itself after some minutes. */
  forget(): Promise<void>;
  stop(): Promise<void>;
}

export type Json = Readonly<Record<string, unknown>>;

export interface Meta {
  readonly name: string;
  readonly namespace?: string;
  readonly uid: string;
  readonly resourceVersion: string;
  readonly generation: number;
  readonly creationTimestamp: string;
  readonly deletionTimestamp?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly finalizers?: readonly string[];
  readonly managedFields: readonly { manager: string; operation: string; subresource?: string }[];
  readonly continue?: string;
  readonly remainingItemCount?: number;
}

export interface Body {
  readonly kind: string;
  readonly metadata: Meta;
  readonly spec: Json;
  readonly status?: unknown;
  readonly items: readonly Body[];
  readonly message?: string;
  readonly reason?: string;
  readonly code?: number;
  readonly details?: Json;
}

export interface Answer {
  readonly code: number;
  readonly body: Body;
  readonly text: string;
  readonly headers: WireAnswer['headers'];
}

export const REBALANCERS = '/apis/apps.karmada.io/v1alpha1/workloadrebalancers';
export const MERGE = 'application/merge-patch+json';
export const JSON_PATCH = 'application/json-patch+json';
export const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io';

export class HubClient {
  readonly hub: RunningHub;
  readonly #bare: Wire;
  readonly #wire: Wire;
  #made = 0;
  readonly #run = Date.now().toString(36);

  constructor(hub: RunningHub, wire: OpenWire = bareWire) {
    this.hub = hub;
    this.#bare = bareWire(hub.connection);
    this.#wire = wire(hub.connection);
  }

  /** A name that no other test has. */
  name(word: string): string {
    this.#made += 1;
    return `${word}-${this.#run}-${this.#made}`;
  }

  send(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    return this.#send([this.#wire, this.#bare], { method, path, body, headers });
  }

  /** Past the wire under test, for what no client hands on: the headers of an answer. */
  sendBare(method: string, path: string, body?: unknown): Promise<Answer> {
    return this.#send([this.#bare], { method, path, body, headers: {} });
  }

  /** The lines of a streamed answer as they come, once it has begun; it ends when the caller stops to read. */
  async lines(path: string): Promise<AsyncGenerator<string>> {
    const response = await open(this.hub.connection, { method: 'GET', path, headers: { ...this.hub.headers } });
    expect(response.statusCode).toBe(200);
    return linesOf(response.setEncoding('utf8'));
  }

  async #send(wires: readonly Wire[], { headers, ...request }: Parameters<Wire>[0]): Promise<Answer> {
    const whole = { ...request, headers: { ...this.hub.headers, 'content-type': 'application/json', ...headers } };
    for (const wire of wires) {
      const answered = wire(whole);
      if (answered !== undefined) return read(await answered);
    }
    throw new Error(`no wire carries ${request.method} ${request.path}`);
  }

  get(path: string, accept = 'application/json'): Promise<Answer> {
    return this.send('GET', path, undefined, { accept });
  }

  merge(path: string, patch: unknown): Promise<Answer> {
    return this.send('PATCH', path, patch, { 'content-type': MERGE });
  }

  /** Makes a WorkloadRebalancer and returns it with its path. */
  async rebalancer(word: string, metadata: Json = {}): Promise<{ path: string; object: Body }> {
    const name = this.name(word);
    const { code, body } = await this.send('POST', REBALANCERS, rebalancer({ name, ...metadata }));
    expect(code).toBe(201);
    return { path: `${REBALANCERS}/${name}`, object: body };
  }

  async namespace(name: string): Promise<void> {
    expect((await this.send('POST', '/api/v1/namespaces', { metadata: { name } })).code).toBe(201);
  }
}

async function* linesOf(text: AsyncIterable<unknown>): AsyncGenerator<string> {
  let rest = '';
  for await (const part of text) {
    const lines = (rest + String(part)).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
}

function read({ code, headers, text }: WireAnswer): Answer {
  const json = headers['content-type']?.startsWith('application/json') && !text.includes('}\n{');
  return { code, body: (json ? JSON.parse(text) : {}) as Body, text, headers };
}

export function bindingsIn(namespace: string): string {
  return `/apis/work.karmada.io/v1alpha2/namespaces/${namespace}/resourcebindings`;
}

export function rebalancer(metadata: Json, spec: Json = {}): Json {
  return {
    apiVersion: 'apps.karmada.io/v1alpha1',
    kind: 'WorkloadRebalancer',
    metadata,
    spec: { workloads: [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'web', namespace: 'shop' }], ...spec },
  };
}

export function binding(metadata: Json): Json {
  return {
    apiVersion: 'work.karmada.io/v1alpha2',
    kind: 'ResourceBinding',
    metadata,
    spec: { resource: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web', namespace: 'shop' }, replicas: 2 },
  };
}
