/** One Deployment on one managed cluster, in a ManifestWork as we write and read it, to observe the work agent. */

import { parseSettings } from '../../../../shared/core/settings.ts';
import { elasticSpec } from '../../../../shared/elastic-workload/elastic-workload-schema.ts';
import { manifestWorks, type Work, workOf } from '../../../../shared/elastic-workload/manifest-work.ts';
import { knownPaths } from '../../../../shared/elastic-workload/scale-paths.ts';
import { manifestFrom } from '../../../../shared/elastic-workload/target.ts';
import { writeWork } from '../../../../shared/elastic-workload/write-works.ts';
import { connectHub } from '../../../../shared/kubernetes/client/connect-hub.ts';
import { connectionFromKubeconfig } from '../../../../shared/kubernetes/client/kubeconfig.ts';
import type { Hub as HubPort } from '../../../../shared/kubernetes/hub.ts';
import { recording } from '../../../fakes/telemetry.ts';
import { inlined } from './elastic.ts';
import { type ManagedClusterFixture, type OcmFleet, paths, worksPath } from './fleet.ts';

interface Content {
  readonly replicas: number;
  readonly image?: string;
  /** Of its pods. */
  readonly annotations?: Readonly<Record<string, string>>;
  readonly apiVersion?: string;
}

interface Seen {
  readonly metadata: { readonly deletionTimestamp?: string };
  readonly spec: {
    readonly replicas: number;
    readonly template: { readonly spec: { readonly containers: readonly { readonly image: string }[] } };
  };
}

interface Reported {
  readonly status?: {
    readonly resourceStatus?: {
      readonly manifests?: readonly {
        readonly statusFeedback?: {
          readonly values?: readonly { readonly name: string; readonly fieldValue: { readonly integer: number } }[];
        };
      }[];
    };
  };
}

const SCALE = {
  resource: 'deployments',
  specReplicasPath: '.spec.replicas',
  readyReplicasPath: '.status.readyReplicas',
};

export class Trial {
  readonly #port: HubPort;
  readonly #fleet: OcmFleet;
  readonly #managedCluster: ManagedClusterFixture;
  readonly #name: string;

  private constructor(at: { port: HubPort; fleet: OcmFleet; managedCluster: ManagedClusterFixture }, name: string) {
    this.#port = at.port;
    this.#fleet = at.fleet;
    this.#managedCluster = at.managedCluster;
    this.#name = name;
  }

  /** `name`: of the workload. */
  static async on(fleet: OcmFleet, managedCluster: ManagedClusterFixture, name: string): Promise<Trial> {
    const connection = await connectionFromKubeconfig(fleet.hub.adminKubeconfig);
    const port = connectHub('ocm', connection, { settings: parseSettings({}), telemetry: recording([]) });
    return new Trial({ port, fleet, managedCluster }, name);
  }

  /** By server-side apply, as the functions. */
  async write({ replicas, image = 'shop:1', annotations = {}, apiVersion = 'apps/v1' }: Content): Promise<void> {
    const name = this.#name;
    const manifest = { ...inlined({ name, image, cpu: '100m', annotations }), apiVersion };
    const target = { type: 'Inline', inline: manifest };
    const spec = elasticSpec.parse({ target, placementRef: { name }, distributionStrategy: { totalReplicas: 0 } });
    const scaled = knownPaths(manifest, SCALE);
    if (scaled === undefined) throw new Error('a kind whose paths are given can be scaled');
    const elastic = { group: 'workload.open-cluster-management.io', key: this.#key, uid: name, spec } as const;
    const to = { cluster: this.#managedCluster.name, replicas, digest: `${image} ${replicas}` };
    const object = workOf({ elastic, manifest: manifestFrom(manifest, spec), paths: scaled }, to);
    await writeWork(this.#port, { cluster: to.cluster, object, work: undefined });
  }

  async work(): Promise<Work> {
    const work = await this.#port.get(manifestWorks, { namespace: this.#managedCluster.name, name: this.workName });
    if (work === undefined) throw new Error(`there is no work ${this.workName}`);
    return work;
  }

  /** The unchanged feedback values of the agent. */
  async feedback(): Promise<Readonly<Record<string, number>>> {
    const { status } = await this.#fleet.api.get<Reported>(this.workPath);
    const values = status?.resourceStatus?.manifests?.[0]?.statusFeedback?.values ?? [];
    return Object.fromEntries(values.map(({ name, fieldValue }) => [name, fieldValue.integer]));
  }

  get workName(): string {
    return `elasticworkload.default.${this.#name}`;
  }

  get #key() {
    return { namespace: 'default', name: this.#name };
  }

  get workPath(): string {
    return `${worksPath(this.#managedCluster.name)}/${this.workName}`;
  }

  /** The Deployment on the managed cluster; undefined if there is none. */
  async replicasOnCluster(): Promise<{ readonly replicas: number; readonly image: string | undefined } | undefined> {
    const found = await this.#managedCluster.api.list<Seen & { metadata: { name: string } }>(paths.deployments);
    const one = found.find(({ metadata }) => metadata.name === this.#name);
    if (one === undefined || one.metadata.deletionTimestamp !== undefined) return undefined;
    return { replicas: one.spec.replicas, image: one.spec.template.spec.containers[0]?.image };
  }

  /** Scales the Deployment on the managed cluster, as its user would. */
  async scaleOnManagedCluster(replicas: number): Promise<void> {
    await this.#managedCluster.kubectl.run('scale', 'deployment', this.#name, `--replicas=${replicas}`);
  }

  async deleteOnManagedCluster(): Promise<void> {
    await this.#managedCluster.api.delete(`${paths.deployments}/${this.#name}`);
  }

  async deleteWork(): Promise<void> {
    await this.#fleet.api.delete(this.workPath);
  }

  async isWorkGone(): Promise<boolean> {
    return (await this.#fleet.api.send({ method: 'GET', path: this.workPath })).status === 404;
  }
}
