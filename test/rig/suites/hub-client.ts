/** What a suite does on a hub as its administrator, and what it waits for there. */
import { setTimeout as wait } from 'node:timers/promises';
import type { ObjectReference } from '../../../shared/kubernetes/object-reference.ts';
import { Api, inFlight, transportTo } from './api.ts';

export const REBALANCERS = '/apis/apps.karmada.io/v1alpha1/workloadrebalancers';

const POLL_MS = 100;
/** Less than the timeout of a test, so that the error names the condition that did not become true. */
const WITHIN_MS = 600_000;

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

export class HubClient extends Api {
  static override async of(kubeconfig: string): Promise<HubClient> {
    return new HubClient(await transportTo(kubeconfig));
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
  async finished(name: string): Promise<Rebalancer> {
    return until(`${name} is finished`, async () => {
      const object = await this.get<Rebalancer>(`${REBALANCERS}/${name}`);
      const { finishTime, observedGeneration } = object.status ?? {};
      return finishTime !== undefined && observedGeneration === object.metadata.generation ? object : undefined;
    });
  }
}

/** The first defined value; otherwise an error that names the condition. Latency is not asserted: a shared machine may stall for seconds. */
export async function until<T>(what: string, probe: () => Promise<T | undefined>, withinMs = WITHIN_MS): Promise<T> {
  const end = performance.now() + withinMs;
  for (;;) {
    const value = await probe();
    if (value !== undefined) return value;
    if (performance.now() > end) throw new Error(`not true within ${withinMs / 1000} s: ${what}`);
    await wait(POLL_MS);
  }
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
