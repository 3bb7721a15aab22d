/** Reads the input for a plan from a hub, and writes nothing. */
import { asFault, invalidOption } from '../../shared/core/fault.ts';
import { clusters } from '../../shared/karmada/assignment/cluster.ts';
import { bindingKey } from '../../shared/karmada/binding.ts';
import { type PlacedBinding, placedBindings, placedClusterBindings } from '../../shared/karmada/placed-binding.ts';
import type { Hub } from '../../shared/kubernetes/hub.ts';
import { keyText, type ObjectKey } from '../../shared/kubernetes/object-key.ts';
import type { ObjectReference } from '../../shared/kubernetes/object-reference.ts';
import type { Resource } from '../../shared/kubernetes/resource.ts';
import { workloadRebalancers } from '../../shared/workload-rebalancer/workload-rebalancer.ts';
import { requireNamespace } from '../chosen-namespace.ts';
import { openHub } from '../open-hub.ts';
import { bindingWrong, clusterWrong, schemaWrong, type Wrong } from './check-object.ts';
import { type ForecastInput, isModelled, nothingCollected } from './plan-input.ts';

export interface HubInput {
  readonly kubeconfig: string;
  readonly context?: string;
  /** Bindings of this namespace only. */
  readonly namespace?: string;
  /** The rebalancer on the hub whose bindings are planned. */
  readonly rebalancer?: string;
  /** Workloads whose bindings are planned, if already known. */
  readonly workloads?: readonly ObjectReference[];
}

export async function objectsOfHub(query: HubInput): Promise<ForecastInput> {
  const { kubeconfig, namespace, rebalancer } = query;
  const { hub } = await openHub(query);
  const collected = nothingCollected();
  const unread: string[] = [];
  for await (const page of hub.list(members)) {
    for (const each of page) {
      if (each.object === undefined) unread.push(each.fault);
      else collected.clusters.set(each.object.name, each.object);
      if (each.object !== undefined && each.modelled) collected.modelled.add(each.object.name);
    }
  }
  const asked = rebalancer === undefined ? undefined : await workloadsOf(hub, rebalancer, kubeconfig);
  if (rebalancer !== undefined && asked !== undefined) collected.rebalancers.set(rebalancer, asked);
  const workloads = asked ?? query.workloads;
  const bindings = workloads === undefined ? allBindings(hub, namespace) : bindingsOf(hub, workloads);
  for await (const { object, fault } of bindings) {
    if (object === undefined) unread.push(fault);
    else collected.bindings.set(keyText(object.metadata), object);
  }
  if (workloads === undefined && collected.bindings.size === 0) await requireNamespace(hub, namespace);
  return { ...collected, notes: notesOf(collected.bindings.size, namespace), unread };
}

/** An empty plan may only be that of another namespace. */
function notesOf(bindings: number, namespace: string | undefined): readonly string[] {
  return bindings > 0 || namespace === undefined
    ? []
    : [`namespace ${namespace} has no bindings; -A plans those of all`];
}

async function workloadsOf(hub: Hub, name: string, kubeconfig: string): Promise<readonly ObjectReference[]> {
  const found = await hub.get(workloadRebalancers, { namespace: '', name });
  if (found !== undefined) return found.workloads;
  throw invalidOption(
    `--rebalancer ${name}: the hub of ${kubeconfig} has no WorkloadRebalancer of that name; name one it has`,
  );
}

async function* allBindings(hub: Hub, namespace: string | undefined): AsyncIterable<Readable<PlacedBinding>> {
  const within = namespace === undefined ? {} : { namespace };
  for await (const page of hub.list(namespaced, within)) yield* page;
  if (namespace !== undefined) return;
  for await (const page of hub.list(clusterScoped)) yield* page;
}

async function* bindingsOf(hub: Hub, workloads: readonly ObjectReference[]): AsyncIterable<Readable<PlacedBinding>> {
  const keys = workloads.map((workload) => bindingKey(workload));
  const isScoped = ({ namespace }: ObjectKey) => namespace !== '';
  yield* (await hub.getMany(namespaced, keys.filter(isScoped))).values();
  const others = keys.filter((key) => !isScoped(key));
  yield* (await hub.getMany(clusterScoped, others)).values();
}

type Readable<T> =
  | { readonly object: T; readonly modelled: boolean; readonly fault?: undefined }
  | { readonly object?: undefined; readonly fault: string };

/** An unreadable object is reported by name and does not fail the others. */
function readable<T>(resource: Resource<T>, check: (object: T) => Wrong | undefined): Resource<Readable<T>> {
  const parse = (raw: unknown): Readable<T> => {
    try {
      const object = resource.parse(raw);
      const wrong = check(object);
      return wrong === undefined ? { object, modelled: isModelled(raw) } : { fault: faultOf(resource, raw, wrong) };
    } catch (thrown) {
      const wrong = schemaWrong(thrown, raw);
      return { fault: wrong === undefined ? asFault(thrown).message : faultOf(resource, raw, wrong) };
    }
  };
  return { ...resource, parse };
}

/** "ResourceBinding shop/web-deployment: spec.replicas: -3 is not …". */
function faultOf({ kind }: Resource<unknown>, raw: unknown, { path, what }: Wrong): string {
  const { namespace, name = '' } = (raw as { metadata?: { namespace?: string; name?: string } }).metadata ?? {};
  return `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}: ${path.map(String).join('.')}: ${what}`;
}

const members = readable(clusters, clusterWrong);
const namespaced = readable(placedBindings, bindingWrong);
const clusterScoped = readable(placedClusterBindings, bindingWrong);
