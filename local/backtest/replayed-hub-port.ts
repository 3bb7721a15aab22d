/** The port of a hub on a recorded hub: what the functions read of it, and the WorkloadRebalancers that they create. */
import { Fault } from '../../shared/core/fault.ts';
import { type Instant, toTimestamp } from '../../shared/core/time.ts';
import { bindingKey, bindingResource } from '../../shared/karmada/binding.ts';
import { parsePlacedBinding } from '../../shared/karmada/placed-binding.ts';
import type { Changes, Hub, Identity, ListOptions, NewObject, Patch, Written } from '../../shared/kubernetes/hub.ts';
import { keyText, type ObjectKey } from '../../shared/kubernetes/object-key.ts';
import { apiVersionOf, type Resource } from '../../shared/kubernetes/resource.ts';
import { rebalancePolicies } from '../../shared/rebalance-policy/rebalance-policy.ts';
import { assignmentFor } from '../../shared/workload-rebalancer/given-assignment.ts';
import { workloadRebalancers } from '../../shared/workload-rebalancer/workload-rebalancer.ts';
import { recordedKinds } from '../recording/recorded-object.ts';
import type { ReplayedHub } from './replayed-hub.ts';

interface Rebalancer {
  readonly metadata: { readonly name: string };
}

const known = new Set(recordedKinds.map(({ kind }) => kind));

export class ReplayedHubPort implements Hub {
  readonly name = 'recording';
  readonly #hub: ReplayedHub;
  readonly #policy: object;
  readonly #now: () => Instant;
  /** The last one: a run has one wave in flight. */
  #rebalancer: Rebalancer | undefined;
  #rebalancers = 0;
  /** What the functions read of an unchanged object, by kind: parsing takes longer than all else. */
  readonly #parsed = new WeakMap<object, Map<unknown, unknown>>();

  constructor(hub: ReplayedHub, policy: object, now: () => Instant) {
    this.#hub = hub;
    this.#policy = policy;
    this.#now = now;
  }

  /** Its workloads are triggered, and assigned anew; or they get the assignments that it has. */
  carryOut(name: string): void {
    if (this.#rebalancer?.metadata.name !== name) return;
    const { name: of, uid, assigns, workloads } = workloadRebalancers.parse(this.#rebalancer);
    for (const workload of workloads) {
      const key = `${bindingResource(workload).kind} ${keyText(bindingKey(workload))}`;
      if (assigns === undefined) this.#hub.rebalance(key, `${of}/${uid}`);
      else this.#hub.assign(key, assignmentFor(assigns, workload) ?? {}, `${of}/${uid}`);
    }
  }

  async get<T>(resource: Resource<T>, key: ObjectKey): Promise<T | undefined> {
    const object = this.#objectAt(resource, key);
    return object && this.#parse(resource, object);
  }

  async getMany<T>(resource: Resource<T>, keys: readonly ObjectKey[]): Promise<ReadonlyMap<string, T>> {
    return new Map(
      keys.flatMap((key) => {
        const object = this.#objectAt(resource, key);
        return object ? [[keyText(key), this.#parse(resource, object)] as const] : [];
      }),
    );
  }

  async *list<T>(resource: Resource<T>, { namespace = '' }: ListOptions = {}): AsyncIterable<readonly T[]> {
    const objects = this.#objects(resource) as readonly { metadata?: { namespace?: string } }[];
    const within = namespace === '' ? objects : objects.filter(({ metadata }) => metadata?.namespace === namespace);
    yield within.map((object) => this.#parse(resource, object));
  }

  async create<T>(resource: Resource<T>, object: NewObject): Promise<Written<T>> {
    this.#rebalancers += 1;
    const uid = `uid-${this.#rebalancers}`;
    const times = { uid, resourceVersion: '0', generation: 1, creationTimestamp: toTimestamp(this.#now()) };
    const created = {
      ...object,
      apiVersion: apiVersionOf(resource),
      kind: resource.kind,
      metadata: { ...object.metadata, ...times },
    };
    // Events are for users.
    if (resource.plural === workloadRebalancers.plural) this.#rebalancer = created as unknown as Rebalancer;
    return { result: 'done', object: resource.parse(created) };
  }

  /** The policy's status is for users. */
  async patch<T>(resource: Resource<T>, key: ObjectKey, _: Patch): Promise<Written<T>> {
    const object = this.#objectAt(resource, key);
    return object ? { result: 'done', object: this.#parse(resource, object) } : { result: 'missing' };
  }

  member(cluster: string): Hub {
    throw this.#notServed(`cluster ${cluster}`);
  }

  async identify(resource: Resource<unknown>): Promise<Identity | undefined> {
    throw this.#notServed(resource.plural);
  }

  async changes<T>(): Promise<Changes<T> | undefined> {
    return undefined;
  }

  async apply<T>(resource: Resource<T>): Promise<Written<T>> {
    throw this.#notServed(resource.plural);
  }

  async delete(): Promise<Written<undefined>> {
    return { result: 'missing' };
  }

  #objects({ kind, plural }: Resource<unknown>): readonly object[] {
    if (kind === 'Cluster') return [...this.#hub.clusters.values()].map(({ object }) => object);
    if (kind === rebalancePolicies.kind) return [this.#policy];
    // Those of users are not played.
    if (kind === workloadRebalancers.kind) return [];
    if (!known.has(kind)) throw this.#notServed(plural);
    const bindings = [...this.#hub.bindings.values()].filter(({ recorded }) => recorded.kind === kind);
    if (kind.endsWith('ResourceBinding')) return bindings.map(({ placed }) => placed);
    return [...this.#hub.others.values()].filter((each) => each.kind === kind);
  }

  #objectAt({ kind }: Resource<unknown>, key: ObjectKey): object | undefined {
    if (kind === workloadRebalancers.kind)
      return this.#rebalancer?.metadata.name === key.name ? this.#rebalancer : undefined;
    if (kind === rebalancePolicies.kind) return this.#policy;
    if (kind === 'Cluster') return this.#hub.clusters.get(key.name)?.object;
    const at = `${kind} ${keyText(key)}`;
    return this.#hub.bindings.get(at)?.placed ?? this.#hub.others.get(at);
  }

  #parse<T>(resource: Resource<T>, object: object): T {
    // Bindings are as they are read already.
    if (resource.parse === (parsePlacedBinding as unknown)) return object as T;
    const parsed = this.#parsed.get(object) ?? new Map<unknown, unknown>();
    this.#parsed.set(object, parsed);
    const read = parsed.has(resource.parse) ? parsed.get(resource.parse) : resource.parse(withVersion(object));
    parsed.set(resource.parse, read);
    return read as T;
  }

  #notServed(what: string): Fault {
    return new Fault('terminal', `a recording has no ${what}`, { reason: 'NotFound' });
  }
}

/** A recording has no versions. */
function withVersion(object: object): object {
  const { metadata, ...rest } = object as { readonly metadata: object };
  return { ...rest, metadata: { resourceVersion: '0', ...metadata } };
}
