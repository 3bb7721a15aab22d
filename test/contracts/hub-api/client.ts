/** A bare client for the hub API contract: fetch and nothing else, so that what is tested is the wire. */
import { expect } from 'vitest';

export interface RunningHub {
  readonly url: string;
  readonly headers: Record<string, string>;
  stop(): Promise<void>;
}

export type Json = Readonly<Record<string, unknown>>;

export interface Meta {
  readonly name: string;
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
  readonly headers: Headers;
}

export const REBALANCERS = '/apis/apps.karmada.io/v1alpha1/workloadrebalancers';
export const MERGE = 'application/merge-patch+json';
export const JSON_PATCH = 'application/json-patch+json';
export const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io';

export class HubClient {
  readonly hub: RunningHub;
  #made = 0;
  readonly #run = Date.now().toString(36);

  constructor(hub: RunningHub) {
    this.hub = hub;
  }

  /** A name that no other test has. */
  name(word: string): string {
    this.#made += 1;
    return `${word}-${this.#run}-${this.#made}`;
  }

  async send(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    const response = await fetch(`${this.hub.url}${path}`, {
      method,
      headers: { ...this.hub.headers, 'content-type': 'application/json', ...headers },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const json = response.headers.get('content-type')?.startsWith('application/json') && !text.includes('}\n{');
    const parsed = (json ? JSON.parse(text) : {}) as Body;
    return { code: response.status, body: parsed, text, headers: response.headers };
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
