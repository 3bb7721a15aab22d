/** A hub with the kinds of Open Cluster Management and without its controllers: this process writes PlacementDecisions and the status of ManifestWorks. The deployed functions then run without managed clusters. */
import { elasticKind } from '../../../../shared/elastic-workload/elastic-workload.ts';
import { managedClusters } from '../../../../shared/elastic-workload/managed-cluster.ts';
import { manifestWorks } from '../../../../shared/elastic-workload/manifest-work.ts';
import {
  PLACEMENT_LABEL,
  placementDecisions,
  placements,
} from '../../../../shared/elastic-workload/placement-decision.ts';
import { apiVersionOf, type Resource, resourcePath } from '../../../../shared/kubernetes/resource.ts';
import type { Api } from '../api.ts';
import { until } from '../hub-client.ts';

const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const elastic = elasticKind('workload.open-cluster-management.io');
const kinds: readonly Resource<unknown>[] = [managedClusters, placements, placementDecisions, manifestWorks];

interface Work {
  readonly metadata: { readonly namespace: string; readonly name: string; readonly generation: number };
  readonly spec: {
    readonly workload: { readonly manifests: readonly { readonly spec: { readonly replicas: number } }[] };
  };
}

export class OcmByHand {
  readonly #api: Api;
  readonly #clusters: readonly string[];
  /** The capacity of each cluster in pods; unlimited if not set. */
  readonly capacity = new Map<string, number>();
  /** The last report of each ManifestWork, as JSON, by its path. */
  readonly #reported = new Map<string, string>();

  private constructor(api: Api, clusters: readonly string[]) {
    this.#api = api;
    this.#clusters = clusters;
  }

  /** With these clusters, all of them available, and a Placement that selects them in the namespace. */
  static async start(api: Api, namespace: string, clusters: readonly string[]): Promise<OcmByHand> {
    for (const kind of kinds) await serve(api, kind);
    for (const name of [namespace, ...clusters]) await api.create('/api/v1/namespaces', { metadata: { name } });
    for (const name of clusters) await api.create(resourcePath(managedClusters), objectOf(managedClusters, { name }));
    const ocm = new OcmByHand(api, clusters);
    for (const name of clusters) await ocm.setAvailable(name, true);
    await ocm.#place(namespace);
    return ocm;
  }

  async #place(namespace: string): Promise<void> {
    const name = 'all-decision-1';
    const labels = { [PLACEMENT_LABEL]: 'all' };
    await this.#api.create(resourcePath(placements, { namespace }), objectOf(placements, { name: 'all' }));
    await this.#api.create(
      resourcePath(placementDecisions, { namespace }),
      objectOf(placementDecisions, { name, labels }),
    );
    const decisions = this.#clusters.map((clusterName) => ({ clusterName, reason: '' }));
    await this.#writeStatus(placementDecisions, { namespace, name }, { decisions });
    const numberOfSelectedClusters = this.#clusters.length;
    await this.#writeStatus(placements, { namespace, name: 'all' }, { numberOfSelectedClusters });
  }

  async setAvailable(name: string, available: boolean): Promise<void> {
    const condition = { type: 'ManagedClusterConditionAvailable', status: available ? 'True' : 'Unknown' };
    await this.#writeStatus(managedClusters, { namespace: '', name }, { conditions: [condition] });
  }

  /** The replicas in each cluster's ManifestWork. */
  async written(workload: string): Promise<Readonly<Record<string, number>>> {
    const works = (await this.#works()).filter(({ metadata }) => metadata.name.endsWith(`.${workload}`));
    return Object.fromEntries(works.map((work) => [work.metadata.namespace, numberIn(work)] as const).sort());
  }

  /** Of a Deployment `web`, in the namespace of the Placement. */
  async run(namespace: string, name: string, spec: object): Promise<void> {
    const metadata = { name: 'web', labels: { app: 'web' } };
    const inline = { apiVersion: 'apps/v1', kind: 'Deployment', metadata, spec: {} };
    await this.#api.create(resourcePath(elastic, { namespace }), {
      ...objectOf(elastic, { name }),
      spec: { target: { type: 'Inline', inline }, spokeNamespace: namespace, placementRef: { name: 'all' }, ...spec },
    });
  }

  async uidOf(namespace: string, name: string): Promise<string> {
    const { metadata } = await this.#api.get<{ metadata: { uid: string } }>(resourcePath(elastic, { namespace, name }));
    return metadata.uid;
  }

  /** Writes the status that each work agent would report now, if it differs from the last one: each write is an event on the bus, and the functions of a busy machine fall behind a writer that polls. */
  async report(): Promise<void> {
    for (const work of await this.#works()) {
      const { namespace, name, generation } = work.metadata;
      const replicas = numberIn(work);
      const ready = Math.min(replicas, this.capacity.get(namespace) ?? Number.POSITIVE_INFINITY);
      const values = Object.entries({ replicas, ready }).map(([field, integer]) => ({
        name: field,
        fieldValue: { type: 'Integer', integer },
      }));
      const conditions = [{ type: 'Available', status: 'True' }];
      await this.#report(`${resourcePath(manifestWorks, { namespace, name })}/status`, {
        conditions: [{ type: 'Applied', status: 'True', observedGeneration: generation }],
        resourceStatus: { manifests: [{ conditions, statusFeedback: { values } }] },
      });
    }
  }

  async #report(path: string, status: object): Promise<void> {
    const report = JSON.stringify(status);
    if (this.#reported.get(path) === report) return;
    await this.#api.merge(path, { status });
    this.#reported.set(path, report);
  }

  async #works(): Promise<readonly Work[]> {
    return this.#api.list<Work>(resourcePath(manifestWorks));
  }

  async #writeStatus(kind: Resource<unknown>, key: { namespace: string; name: string }, status: object): Promise<void> {
    await this.#api.merge(`${resourcePath(kind, key)}/status`, { status });
  }
}

function numberIn({ spec }: Work): number {
  return spec.workload.manifests[0]?.spec.replicas ?? -1;
}

function objectOf(kind: Resource<unknown>, metadata: object): object {
  return { apiVersion: apiVersionOf(kind), kind: kind.kind, metadata, spec: {} };
}

/** With a schema that accepts every object: the suites with OCM's controllers test the real schema. */
async function serve(api: Api, { group, version, kind, plural, namespaced }: Resource<unknown>): Promise<void> {
  const openAPIV3Schema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  const definition = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: namespaced ? 'Namespaced' : 'Cluster',
      names: { kind, plural, singular: kind.toLowerCase(), listKind: `${kind}List` },
      versions: [
        { name: version, served: true, storage: true, subresources: { status: {} }, schema: { openAPIV3Schema } },
      ],
    },
  };
  // Another suite on the same rig may have created it.
  const { status } = await api.send({ method: 'POST', path: CRDS, body: definition });
  if (status !== 201 && status !== 409) throw new Error(`${plural} are answered ${status}`);
  const path = resourcePath({ group, version, kind, plural, namespaced, pageSize: 1, parse: () => undefined });
  await until(`${plural} are served`, async () =>
    (await api.send({ method: 'GET', path })).status === 200 ? true : undefined,
  );
}
