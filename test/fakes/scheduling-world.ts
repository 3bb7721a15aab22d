/** A world whose hub has clusters with capacity, and bindings that name a scheduler: ours by default. */
import type { KubeObject, StoreChange } from '../../local/practice-hub/store/objects.ts';
import { parsePlacedBinding } from '../../shared/karmada/placed-binding.ts';
import { type BindingParts, bindingObject, type ClusterParts, clusterObject, type Numbers } from '../placed-objects.ts';
import { World, type WorldOptions } from './world.ts';

const user = { username: 'a-user', manager: 'kubectl' };

export class SchedulingWorld extends World {
  readonly #written: StoreChange[] = [];

  constructor(capacities: Numbers, options?: WorldOptions) {
    super(options);
    this.store.onChange((change) => {
      if (this.hub.isWriting) this.#written.push(change);
    });
    for (const [name, pods] of Object.entries(capacities)) this.addCluster(name, { pods });
  }

  addCluster(name: string, parts: ClusterParts): void {
    const { status, ...object } = clusterObject(name, parts) as { status: object };
    this.store.create('clusters', strip(object), user);
    this.store.patch(
      'clusters',
      { namespace: '', name },
      { type: 'merge', body: { status }, subresource: 'status' },
      user,
    );
  }

  setCapacity(name: string, pods: number): void {
    const body = { status: { resourceSummary: { allocatable: { pods: String(pods) } } } };
    this.store.patch('clusters', { namespace: '', name }, { type: 'merge', body, subresource: 'status' }, user);
  }

  addBinding(name: string, parts: BindingParts = {}): void {
    const spec = { schedulerName: 'evenkeel', ...parts.spec };
    const { status, ...object } = bindingObject({ ...parts, name, spec }) as { status: object };
    this.store.create('resourcebindings', strip(object), user);
    if (Object.keys(status).length > 0) this.#patch(name, { status }, 'status');
  }

  editBinding(name: string, spec: object): void {
    this.#patch(name, { spec });
  }

  stored(name: string): KubeObject {
    const found = this.store.get('resourcebindings', keyOf(name));
    if (found === undefined) throw new Error(`there is no binding of ${name}`);
    return found;
  }

  /** Cluster name → replicas. */
  assigned(name: string): Numbers {
    const { clusters } = parsePlacedBinding(this.stored(name)).spec;
    return Object.fromEntries(clusters.map((cluster) => [cluster.name, cluster.replicas]));
  }

  lastScheduled(name: string): number | undefined {
    return parsePlacedBinding(this.stored(name)).status.lastScheduledTime ?? undefined;
  }

  /** "True Success", "False Unschedulable"; empty where it is not noted. */
  scheduled(name: string): string {
    const { conditions } = parsePlacedBinding(this.stored(name)).status;
    const found = conditions.find(({ type }) => type === 'Scheduled');
    return found === undefined ? '' : `${found.status} ${String(found.reason)}`;
  }

  /** Changes that we made to this binding so far: to what is asked of clusters, and to its status alone. */
  writes(name: string): { readonly spec: number; readonly status: number } {
    const all = this.#written.filter(({ object }) => object.metadata.name === `${name}-deployment`);
    const ofStatus = all.filter(
      ({ object, previous }) => object.metadata.generation === previous?.metadata.generation,
    ).length;
    return { spec: all.length - ofStatus, status: ofStatus };
  }

  #patch(name: string, body: object, subresource?: 'status'): void {
    this.store.patch(
      'resourcebindings',
      keyOf(name),
      { type: 'merge', body, ...(subresource && { subresource }) },
      user,
    );
  }
}

function keyOf(name: string) {
  return { namespace: 'shop', name: `${name}-deployment` };
}

/** What only the server writes. */
function strip(object: object): object {
  const { metadata, ...rest } = object as { metadata: Record<string, unknown> };
  const { name, namespace, labels, annotations } = metadata;
  return {
    ...rest,
    metadata: {
      name,
      ...(namespace !== undefined && { namespace }),
      ...(labels !== undefined && { labels }),
      ...(annotations !== undefined && { annotations }),
    },
  };
}
