/** What a suite does on a hub as its administrator, and what it waits for there. */
import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'vitest';
import { connectionFromKubeconfig } from '../../../shared/adapters/kubernetes/kubeconfig.ts';
import {
  type ApiRequest,
  type ApiResponse,
  createTransport,
  type Transport,
} from '../../../shared/adapters/kubernetes/transport.ts';
import type { ObjectReference } from '../../../shared/model/object-reference.ts';

export const REBALANCERS = '/apis/apps.karmada.io/v1alpha1/workloadrebalancers';

const MERGE_PATCH = 'application/merge-patch+json';
const IN_FLIGHT = 16;
const POLL_MS = 100;
const PATIENCE_MS = 1000;

export interface Rebalancer {
  readonly metadata: {
    readonly name: string;
    readonly uid: string;
    readonly generation: number;
    readonly creationTimestamp: string;
  };
  readonly status?: {
    readonly observedWorkloads: readonly {
      readonly workload: ObjectReference;
      readonly result?: string;
      readonly reason?: string;
    }[];
    readonly observedGeneration: number;
    readonly finishTime?: string;
  };
}

export interface Binding {
  readonly metadata: { readonly name: string; readonly annotations?: Readonly<Record<string, string>> };
  readonly spec: {
    readonly rescheduleTriggeredAt?: string;
    readonly clusters?: readonly { name: string; replicas: number }[];
  };
  readonly status?: { readonly lastScheduledTime?: string };
}

export class HubClient {
  readonly #transport: Transport;

  private constructor(transport: Transport) {
    this.#transport = transport;
  }

  static async of(kubeconfig: string): Promise<HubClient> {
    return new HubClient(
      createTransport(await connectionFromKubeconfig(kubeconfig), { maxSockets: IN_FLIGHT, timeoutMs: 30_000 }),
    );
  }

  send(request: ApiRequest): Promise<ApiResponse> {
    return this.#transport.send(request);
  }

  async get<T>(path: string): Promise<T> {
    return (await this.#done({ method: 'GET', path })) as T;
  }

  async create<T>(path: string, body: object): Promise<T> {
    return (await this.#done({ method: 'POST', path, body })) as T;
  }

  async merge<T>(path: string, body: object): Promise<T> {
    return (await this.#done({ method: 'PATCH', path, body, contentType: MERGE_PATCH })) as T;
  }

  /** A namespace with a binding for each Deployment of these names. */
  async bindings(namespace: string, names: readonly string[]): Promise<void> {
    await this.create('/api/v1/namespaces', { metadata: { name: namespace } });
    await inFlight(names, (name) => this.create(bindingsPath(namespace), bindingOf(namespace, name)));
  }

  /** The trigger of each binding of a namespace, by the binding's name. */
  async triggers(namespace: string): Promise<ReadonlyMap<string, string | undefined>> {
    const { items } = await this.get<{ items: readonly Binding[] }>(bindingsPath(namespace));
    return new Map(items.map(({ metadata, spec }) => [metadata.name, spec.rescheduleTriggeredAt]));
  }

  async binding(namespace: string, workload: string): Promise<Binding> {
    return this.get(`${bindingsPath(namespace)}/${workload}-deployment`);
  }

  async rebalancer(name: string, workloads: readonly ObjectReference[], spec: object = {}): Promise<Rebalancer> {
    return this.create(REBALANCERS, {
      apiVersion: 'apps.karmada.io/v1alpha1',
      kind: 'WorkloadRebalancer',
      metadata: { name },
      spec: { workloads, ...spec },
    });
  }

  /** The rebalancer once it is finished at its present generation. */
  async finished(name: string, withinMs = 30_000): Promise<Rebalancer> {
    return until(`${name} is finished`, withinMs, async () => {
      const object = await this.get<Rebalancer>(`${REBALANCERS}/${name}`);
      const { finishTime, observedGeneration } = object.status ?? {};
      return finishTime !== undefined && observedGeneration === object.metadata.generation ? object : undefined;
    });
  }

  async #done(request: ApiRequest, attempts = 10): Promise<unknown> {
    const { status, body } = await this.send(request);
    // An API server that has just started asks for patience until its caches are filled.
    if (status === 429 && attempts > 1) {
      await wait(PATIENCE_MS);
      return this.#done(request, attempts - 1);
    }
    expect(status, `${request.method} ${request.path}: ${JSON.stringify(body).slice(0, 300)}`).toBeLessThan(300);
    return body;
  }
}

/** The first value that is there; an error that says what did not come. */
export async function until<T>(what: string, withinMs: number, probe: () => Promise<T | undefined>): Promise<T> {
  const end = performance.now() + withinMs;
  for (;;) {
    const value = await probe();
    if (value !== undefined) return value;
    if (performance.now() > end) throw new Error(`within ${withinMs / 1000} s it did not come true that ${what}`);
    await wait(POLL_MS);
  }
}

export async function inFlight<T>(items: readonly T[], act: (item: T) => Promise<unknown>): Promise<void> {
  const rest = [...items];
  const work = async () => {
    for (let item = rest.shift(); item !== undefined; item = rest.shift()) await act(item);
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, work));
}

export function deploymentIn(namespace: string, name: string): ObjectReference {
  return { apiVersion: 'apps/v1', kind: 'Deployment', namespace, name };
}

export function bindingsPath(namespace: string): string {
  return `/apis/work.karmada.io/v1alpha2/namespaces/${namespace}/resourcebindings`;
}

function bindingOf(namespace: string, name: string): object {
  return {
    apiVersion: 'work.karmada.io/v1alpha2',
    kind: 'ResourceBinding',
    metadata: { name: `${name}-deployment`, namespace },
    spec: { resource: deploymentIn(namespace, name), replicas: 2 },
  };
}
