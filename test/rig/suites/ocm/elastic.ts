/** ElasticWorkloads on a fleet: specs as users write them, and the observed state on the hub and on the managed clusters. */
import { setTimeout as wait } from 'node:timers/promises';
import type { ElasticGroup } from '../../../../shared/elastic-workload/elastic-groups.ts';
import type { ElasticSpec, ElasticStatus } from '../../../../shared/elastic-workload/elastic-workload-schema.ts';
import { eventually } from '../karmada/observed-state.ts';
import { type OcmFleet, paths, worksPath } from './fleet.ts';

const POLL_MS = 100;

type DeepPartial<T> = T extends object ? { readonly [Key in keyof T]?: DeepPartial<T[Key]> } : T;

/** The spec as a user writes it; the API server adds the defaults. */
export type ElasticSpecInput = Pick<ElasticSpec, 'target' | 'placementRef'> & DeepPartial<ElasticSpec>;

export interface Shape {
  readonly name: string;
  readonly image: string;
  /** The CPU request of each pod. */
  readonly cpu: string;
  /** Of its pods. */
  readonly annotations?: Readonly<Record<string, string>>;
}

/** An inline manifest of a Deployment. */
export function inlined({ name, image, cpu, annotations = {} }: Shape): NonNullable<ElasticSpec['target']['inline']> {
  const labels = { app: name };
  const containers = [{ name, image, resources: { requests: { cpu } } }];
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, labels },
    spec: { selector: { matchLabels: labels }, template: { metadata: { labels, annotations }, spec: { containers } } },
  };
}

interface Elastic {
  readonly metadata: { readonly finalizers?: readonly string[] };
  readonly status?: ElasticStatus;
}

export class ElasticOnFleet {
  readonly #fleet: OcmFleet;
  readonly #group: ElasticGroup;
  readonly name: string;

  /** `name`: of the ElasticWorkload and of what it runs. */
  constructor(fleet: OcmFleet, name: string, group: ElasticGroup = 'workload.open-cluster-management.io') {
    this.#fleet = fleet;
    this.#group = group;
    this.name = name;
  }

  async create(spec: ElasticSpecInput): Promise<void> {
    const { name } = this;
    const apiVersion = `${this.#group}/v1`;
    await this.#fleet.api.create(this.#collection, { apiVersion, kind: 'ElasticWorkload', metadata: { name }, spec });
  }

  async edit(spec: object): Promise<void> {
    await this.#fleet.api.merge(this.#path, { spec });
  }

  /** Deletes it with its ManifestWorks and their workloads, if it exists. */
  async end(): Promise<void> {
    await this.#fleet.api.send({ method: 'DELETE', path: this.#path });
    await eventually(async () => (await this.#fleet.api.send({ method: 'GET', path: this.#path })).status, 404);
    await eventually(() => this.written(), {});
  }

  /** The argument of kubectl for it, with the group. */
  get typed(): string {
    return `elasticworkload.${this.#group}/${this.name}`;
  }

  async status(): Promise<ElasticStatus> {
    return (await this.#fleet.api.get<Elastic>(this.#path)).status ?? {};
  }

  /** The reported replicas of all clusters: desired, existing and ready. */
  async totals() {
    const { desiredReplicas: desired, replicas, readyReplicas: ready } = await this.status();
    return { desired, replicas, ready };
  }

  /** The status and reason of each condition, by type. */
  async conditions(): Promise<Readonly<Record<string, string>>> {
    const { conditions = [] } = await this.status();
    return Object.fromEntries(conditions.map(({ type, status, reason }) => [type, `${status} ${reason}`]));
  }

  async events(): Promise<readonly string[]> {
    const found = await this.#fleet.api.list<{ reason: string; involvedObject: { name: string; kind: string } }>(
      '/api/v1/namespaces/default/events',
    );
    return found
      .filter(({ involvedObject: { kind, name } }) => kind === 'ElasticWorkload' && name === this.name)
      .map(({ reason }) => reason);
  }

  /** The replicas in the ManifestWork of each cluster. */
  async written(): Promise<Readonly<Record<string, number>>> {
    const works = await this.#fleet.api.list<Work>('/apis/work.open-cluster-management.io/v1/manifestworks');
    const own = works.filter(({ metadata }) => metadata.name === this.workName);
    return Object.fromEntries(
      own
        .map(({ metadata, spec }) => [metadata.namespace, spec.workload.manifests[0]?.spec.replicas ?? -1] as const)
        .sort(),
    );
  }

  get workName(): string {
    const prefix =
      this.#group === 'scheduling.open-cluster-management.io' ? 'elasticworkload-scheduling' : 'elasticworkload';
    return `${prefix}.default.${this.name}`;
  }

  async workOf(cluster: string): Promise<Work> {
    return this.#fleet.api.get(`${worksPath(cluster)}/${this.workName}`);
  }

  /** The replicas of its Deployment, by running managed cluster; without those that have no such Deployment. */
  onManagedClusters(): Promise<Readonly<Record<string, number>>> {
    return this.#inEach(async ({ api }) => {
      const found = await api.list<Deployment>(paths.deployments);
      return found.find(({ metadata }) => metadata.name === this.name)?.spec.replicas;
    });
  }

  images(): Promise<Readonly<Record<string, string>>> {
    return this.#inEach(async ({ api }) => {
      const found = await api.list<Deployment>(paths.deployments);
      return found.find(({ metadata }) => metadata.name === this.name)?.spec.template.spec.containers[0]?.image;
    });
  }

  /** Ready pods by managed cluster. */
  ready(): Promise<Readonly<Record<string, number>>> {
    return this.#inEach(async ({ api }) => {
      const pods = await api.list<Pod>(`${paths.pods}?labelSelector=app%3D${this.name}`);
      return pods.filter(isReady).length;
    });
  }

  async readyTogether(): Promise<number> {
    return sumOf(await this.ready());
  }

  /** The lowest total of ready pods during `meanwhile`. */
  async fewestReady(meanwhile: () => Promise<void>): Promise<number> {
    return Math.min(...(await seenDuring(meanwhile, () => this.readyTogether())));
  }

  /** The highest total of replicas on all managed clusters during `meanwhile`. */
  async mostOnManagedClusters(meanwhile: () => Promise<void>): Promise<number> {
    return Math.max(...(await seenDuring(meanwhile, async () => sumOf(await this.onManagedClusters()))));
  }

  async #inEach<T>(
    ask: (managedCluster: { api: OcmFleet['api'] }) => Promise<T | undefined>,
  ): Promise<Readonly<Record<string, T>>> {
    const all = await Promise.all(
      Array.from(
        this.#fleet.managedClusters,
        async ([name, managedCluster]) => [name, await ask(managedCluster)] as const,
      ),
    );
    return Object.fromEntries(all.filter(([, value]) => value !== undefined)) as Readonly<Record<string, T>>;
  }

  get #collection(): string {
    return `/apis/${this.#group}/v1/namespaces/default/elasticworkloads`;
  }

  get #path(): string {
    return `${this.#collection}/${this.name}`;
  }
}

interface Work {
  readonly metadata: { readonly name: string; readonly namespace: string; readonly generation: number };
  readonly spec: {
    readonly workload: { readonly manifests: readonly { readonly spec: { readonly replicas: number } }[] };
  };
}

interface Deployment {
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly replicas: number;
    readonly template: { readonly spec: { readonly containers: readonly { readonly image: string }[] } };
  };
}

interface Pod {
  readonly metadata: { readonly deletionTimestamp?: string };
  readonly status: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
}

function isReady({ metadata, status }: Pod): boolean {
  const conditions = status.conditions ?? [];
  return (
    metadata.deletionTimestamp === undefined &&
    conditions.some(({ type, status: is }) => type === 'Ready' && is === 'True')
  );
}

function sumOf(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((sum, one) => sum + one, 0);
}

async function seenDuring(meanwhile: () => Promise<void>, read: () => Promise<number>): Promise<readonly number[]> {
  const seen = [await read()];
  let isOver = false;
  const polling = (async () => {
    for (; !isOver; await wait(POLL_MS)) seen.push(await read());
  })();
  await meanwhile().finally(() => {
    isOver = true;
  });
  await polling;
  return seen;
}
