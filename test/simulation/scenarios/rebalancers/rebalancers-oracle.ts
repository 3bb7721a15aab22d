/** The promises of proposals 000/001 about WorkloadRebalancers, checked at every write and in the end. Times are by the clock of the hub. */
import type { KubeObject } from '../../../../local/practice-hub/store/objects.ts';
import type { SimulatedHub } from '../../system/simulated-hub.ts';
import type { Violations } from '../../violations.ts';
import type { BindingsOracle } from './bindings-oracle.ts';
import { combinedName, type Observed, type Shown, shortName, shownBy, timeOf } from './shown.ts';

/** A workload in a spec, and since when. */
interface WorkloadRequest {
  readonly since: number;
  /** When its result was first Successful. */
  successfulAt?: number;
  /** Whether it may count as an earlier request: its removal was never observed, or it was done and not yet reported. */
  readonly isOld: boolean;
}

interface Seen {
  readonly name: string;
  object: KubeObject;
  /** By short name, in the spec now. */
  requests: Map<string, WorkloadRequest>;
  /** Removed from the spec after a Successful result was visible. */
  readonly left: Set<string>;
  /** Removed from the spec without a visible result: since when they were requested, and the generation of the removal. */
  readonly dropped: Map<string, { readonly since: number; readonly generation: number }>;
  finishTime: string | undefined;
  /** Whether the list was edited since the finish time was last observed. */
  edited: boolean;
  observedGeneration: number;
}

export interface Tolerance {
  /** The maximum difference between the clock of an instance and that of the hub. */
  readonly skewMs: number;
}

interface OracleContext extends Tolerance {
  readonly bindings: BindingsOracle;
  readonly violations: Violations;
}

export class RebalancersOracle {
  readonly #hub: SimulatedHub;
  readonly #bindings: BindingsOracle;
  readonly #violations: Violations;
  readonly #skewMs: number;
  readonly #seen = new Map<string, Seen>();

  constructor(hub: SimulatedHub, { bindings, violations, skewMs }: OracleContext) {
    this.#hub = hub;
    this.#bindings = bindings;
    this.#violations = violations;
    this.#skewMs = skewMs;
    hub.store.onChange(({ type, plural, object, previous }) => {
      if (plural === 'workloadrebalancers') this.#onRebalancer(type, object, previous);
    });
  }

  #onRebalancer(type: string, object: KubeObject, previous: KubeObject | undefined): void {
    const { uid } = object.metadata;
    const ours = this.#hub.isOurWrite;
    if (type === 'DELETED') {
      if (ours) this.#onDeleted(previous ?? object);
      this.#seen.delete(uid);
      return;
    }
    if (this.#hub.isRestoring) return this.#onRestored(object);
    const seen = this.#seen.get(uid) ?? this.#first(object);
    if (seen.object.metadata.generation !== object.metadata.generation || type === 'ADDED') this.#onSpec(seen, object);
    seen.object = object;
    if (ours) this.#onStatus(seen, object);
  }

  #first(object: KubeObject): Seen {
    const { name, uid } = object.metadata;
    const seen: Seen = {
      name,
      object,
      requests: new Map(),
      left: new Set(),
      dropped: new Map(),
      finishTime: undefined,
      edited: true,
      observedGeneration: 0,
    };
    this.#seen.set(uid, seen);
    return seen;
  }

  /** It continues from the version of the backup. Whether what it requested was done before or after the backup is unknown. */
  #onRestored(object: KubeObject): void {
    const seen = this.#first(object);
    const { listed, observedWorkloads, observedGeneration, finishTime, isCurrent } = shownBy(object);
    for (const name of listed) {
      this.#bindings.requested(name);
      seen.requests.set(name, { since: this.#hub.clock.now(), isOld: true });
    }
    for (const { workload, result } of observedWorkloads)
      if (result === 'Successful') seen.left.add(shortName(workload));
    seen.observedGeneration = observedGeneration;
    if (isCurrent) seen.finishTime = finishTime;
  }

  #onSpec(seen: Seen, object: KubeObject): void {
    const now = this.#hub.clock.now();
    const { listed } = shownBy(object);
    for (const [name, request] of seen.requests) {
      if (listed.has(name)) continue;
      seen.edited = true;
      seen.requests.delete(name);
      if (request.successfulAt !== undefined) seen.left.add(name);
      else seen.dropped.set(name, { since: request.since, generation: object.metadata.generation });
    }
    for (const name of listed) {
      if (seen.requests.has(name)) continue;
      seen.edited = true;
      this.#bindings.requested(name);
      seen.requests.set(name, { since: now, isOld: this.#mayBeOld(seen, name) });
    }
  }

  #mayBeOld({ left, dropped, observedGeneration }: Seen, name: string): boolean {
    const before = dropped.get(name);
    if (left.has(name) || before === undefined) return left.has(name);
    return this.#bindings.wasTriggeredSince(name, before.since) || observedGeneration < before.generation;
  }

  #onStatus(seen: Seen, object: KubeObject): void {
    const shown = shownBy(object);
    const { observedWorkloads, observedGeneration } = shown;
    const keys = observedWorkloads.map(({ workload }) => combinedName(workload));
    const ordered = [...new Set(keys)].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    if (ordered.join() !== keys.join())
      this.#violations.add('observedWorkloads are in order, without duplicates', `${seen.name}: ${keys.join(', ')}`);
    if (observedGeneration > object.metadata.generation)
      this.#violations.add('observedGeneration is never ahead', `${seen.name}: ${observedGeneration}`);
    if (observedGeneration < seen.observedGeneration)
      this.#violations.add(
        'observedGeneration never goes backwards',
        `${seen.name}: ${seen.observedGeneration} to ${observedGeneration}`,
      );
    seen.observedGeneration = observedGeneration;
    const reported = new Set(
      observedWorkloads.flatMap(({ workload, result }) => (result ? [shortName(workload)] : [])),
    );
    const removed = [...seen.requests].filter(
      ([name, request]) => request.successfulAt !== undefined && !reported.has(name),
    );
    if (removed.length > 0)
      this.#violations.add(
        'a Successful result is never removed',
        `${seen.name}: ${removed.map(([name]) => name).join(', ')}`,
      );
    for (const observed of observedWorkloads) this.#onResult(seen, observed);
    this.#onFinish(seen, shown);
  }

  #onResult(seen: Seen, { workload, result, reason }: Observed): void {
    const name = shortName(workload);
    const request = seen.requests.get(name);
    if (request === undefined && result === 'Successful') seen.left.add(name);
    if (result === undefined || request === undefined || request.isOld) return;
    const detail = `${seen.name}: ${name} ${result} ${reason ?? ''}, requested ${timeOf(request.since)}`;
    if (result === 'Failed') {
      if (!this.#bindings.wasAwaySince(name, request.since) || reason !== 'ReferencedBindingNotFound')
        this.#violations.add('a workload is Failed only without a binding', detail);
      return;
    }
    if (result !== 'Successful') this.#violations.add('a result is Successful or Failed', detail);
    if (request.successfulAt !== undefined) return;
    request.successfulAt = this.#hub.clock.now();
    this.#bindings.assumed({ rebalancer: seen.name, workload: name, since: request.since });
  }

  #onFinish(seen: Seen, { finishTime, isCurrent, observedWorkloads }: Shown): void {
    const detail = `${seen.name}: ${seen.finishTime ?? 'none'} to ${finishTime ?? 'none'}`;
    if (seen.finishTime !== undefined && finishTime !== seen.finishTime && !seen.edited)
      this.#violations.add('finishTime changes only with the list of workloads', detail);
    if (isCurrent) {
      seen.finishTime = finishTime;
      seen.edited = false;
    }
    if (finishTime === undefined) return;
    const withoutResult = observedWorkloads.filter(({ result }) => result === undefined);
    if (withoutResult.length > 0)
      this.#violations.add(
        'a finished rebalancer has a result for every workload',
        `${detail}, ${withoutResult.length} without`,
      );
    if (!isCurrent) return;
    const missing = [...seen.requests.keys()].filter(
      (name) => !observedWorkloads.some(({ workload }) => shortName(workload) === name),
    );
    if (missing.length > 0)
      this.#violations.add(
        'a finished rebalancer has a result for every workload',
        `${detail}, without ${missing.join()}`,
      );
    const newest = Math.max(0, ...[...seen.requests.values()].filter(({ isOld }) => !isOld).map(({ since }) => since));
    if (Date.parse(finishTime) + 1000 + this.#skewMs < newest)
      this.#violations.add('finishTime is not before the last request', `${detail}, requested ${timeOf(newest)}`);
  }

  #onDeleted(object: KubeObject): void {
    const { ttl, finishTime, observedGeneration, isCurrent } = shownBy(object);
    const now = this.#hub.clock.now();
    const detail = `${object.metadata.name} deleted ${timeOf(now)}: ttl ${ttl ?? 'none'}, finished ${finishTime ?? 'never'}, generation ${object.metadata.generation}, observed ${observedGeneration}`;
    if (ttl === undefined) this.#violations.add('no rebalancer without a TTL is deleted', detail);
    else if (finishTime === undefined || Date.parse(finishTime) + ttl * 1000 > now + this.#skewMs)
      this.#violations.add('no rebalancer is deleted before its TTL', detail);
    if (!isCurrent) this.#violations.add('no rebalancer with an unobserved edit is deleted', detail);
  }

  /** Checks the final state, after a period without faults. */
  atRest(): void {
    for (const seen of this.#seen.values()) this.#objectAtRest(seen);
  }

  #objectAtRest({ name, object, requests, left }: Seen): void {
    const { observedWorkloads, observedGeneration, finishTime, isCurrent, ttl } = shownBy(object);
    const results = new Map(observedWorkloads.map(({ workload, result }) => [shortName(workload), result]));
    const shown = `${name}: ${JSON.stringify([...results])}, generation ${object.metadata.generation} observed ${observedGeneration}, finished ${finishTime ?? 'never'}`;
    if (!isCurrent || finishTime === undefined)
      this.#violations.add('every rebalancer is finished and observed in the end', shown);
    for (const [workload, { since, isOld }] of requests) {
      const result = results.get(workload);
      const expected = this.#bindings.expected(workload, since);
      if (expected !== undefined && result !== expected && !isOld)
        this.#violations.add(
          'every workload has the right result in the end',
          `${shown}; ${workload} should be ${expected}`,
        );
      if (result === undefined)
        this.#violations.add('every workload has the right result in the end', `${shown}; ${workload}`);
    }
    for (const workload of results.keys())
      if (!requests.has(workload) && results.get(workload) !== 'Successful')
        this.#violations.add('a removed workload without success has no result in the end', `${shown}; ${workload}`);
    for (const workload of left)
      if (!requests.has(workload) && !results.has(workload))
        this.#violations.add('a removed workload keeps its Successful result', `${shown}; ${workload}`);
    if (ttl !== undefined)
      this.#violations.add('every rebalancer with a TTL is deleted in the end', `${shown}, ttl ${ttl}`);
  }
}
