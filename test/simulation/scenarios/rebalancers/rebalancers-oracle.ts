/** What proposals 000/001 promise of WorkloadRebalancers, watched from outside: every write while it happens, and the end. Times are the hub's. */
import type { KubeObject } from '../../../../local/practice-hub/store/objects.ts';
import type { System } from '../../system/system.ts';
import type { Violations } from '../../violations.ts';
import type { BindingsOracle } from './bindings-oracle.ts';
import { combinedName, type Observed, type Shown, shortName, shownBy, timeOf } from './shown.ts';

/** Of a workload that stands in a spec: since when, by the clock of the hub. */
interface Wish {
  readonly since: number;
  /** The first time its status said Successful. */
  successfulAt?: number;
  /** Whether it may count as the wish that it was before: its leaving was never observed, or it was done and not yet told. */
  readonly isOld: boolean;
}

interface Seen {
  readonly name: string;
  object: KubeObject;
  /** By short name, in the spec now. */
  wishes: Map<string, Wish>;
  /** Successful at some time, as far as anybody could see, and in the spec no more. */
  readonly left: Set<string>;
  /** Of those that left without: since when they were wished for, and in which generation they left. */
  readonly dropped: Map<string, { readonly since: number; readonly generation: number }>;
  finishTime: string | undefined;
  /** Since the finish time was last seen, the list has been edited. */
  edited: boolean;
  observedGeneration: number;
}

export interface Tolerance {
  /** How far the clocks of instances are from the hub's. */
  readonly skewMs: number;
}

export interface Around extends Tolerance {
  readonly bindings: BindingsOracle;
  readonly violations: Violations;
}

export class RebalancersOracle {
  readonly #system: System;
  readonly #bindings: BindingsOracle;
  readonly #violations: Violations;
  readonly #skewMs: number;
  readonly #seen = new Map<string, Seen>();

  constructor(system: System, { bindings, violations, skewMs }: Around) {
    this.#system = system;
    this.#bindings = bindings;
    this.#violations = violations;
    this.#skewMs = skewMs;
    system.store.onChange(({ type, plural, object, previous }) => {
      if (plural === 'workloadrebalancers') this.#onRebalancer(type, object, previous);
    });
  }

  #onRebalancer(type: string, object: KubeObject, previous: KubeObject | undefined): void {
    const { uid } = object.metadata;
    const ours = this.#system.isOurWrite;
    if (type === 'DELETED') {
      if (ours) this.#onDeleted(previous ?? object);
      this.#seen.delete(uid);
      return;
    }
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
      wishes: new Map(),
      left: new Set(),
      dropped: new Map(),
      finishTime: undefined,
      edited: true,
      observedGeneration: 0,
    };
    this.#seen.set(uid, seen);
    return seen;
  }

  #onSpec(seen: Seen, object: KubeObject): void {
    const now = this.#system.clock.now();
    const { listed } = shownBy(object);
    for (const [name, wish] of seen.wishes) {
      if (listed.has(name)) continue;
      seen.edited = true;
      seen.wishes.delete(name);
      if (wish.successfulAt !== undefined) seen.left.add(name);
      else seen.dropped.set(name, { since: wish.since, generation: object.metadata.generation });
    }
    for (const name of listed) {
      if (seen.wishes.has(name)) continue;
      seen.edited = true;
      this.#bindings.asked(name);
      seen.wishes.set(name, { since: now, isOld: this.#mayBeOld(seen, name) });
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
      this.#violations.add('observedWorkloads are in order, each once', `${seen.name}: ${keys.join(', ')}`);
    if (observedGeneration > object.metadata.generation)
      this.#violations.add('observedGeneration is never ahead', `${seen.name}: ${observedGeneration}`);
    if (observedGeneration < seen.observedGeneration)
      this.#violations.add(
        'observedGeneration never goes back',
        `${seen.name}: ${seen.observedGeneration} to ${observedGeneration}`,
      );
    seen.observedGeneration = observedGeneration;
    const told = new Set(observedWorkloads.flatMap(({ workload, result }) => (result ? [shortName(workload)] : [])));
    const takenBack = [...seen.wishes].filter(([name, wish]) => wish.successfulAt !== undefined && !told.has(name));
    if (takenBack.length > 0)
      this.#violations.add(
        'what was told Successful stays told',
        `${seen.name}: ${takenBack.map(([name]) => name).join(', ')}`,
      );
    for (const observed of observedWorkloads) this.#onResult(seen, observed);
    this.#onFinish(seen, shown);
  }

  #onResult(seen: Seen, { workload, result, reason }: Observed): void {
    const name = shortName(workload);
    const wish = seen.wishes.get(name);
    if (wish === undefined && result === 'Successful') seen.left.add(name);
    if (result === undefined || wish === undefined || wish.isOld) return;
    const says = `${seen.name}: ${name} ${result} ${reason ?? ''}, wished ${timeOf(wish.since)}`;
    if (result === 'Failed') {
      if (!this.#bindings.wasAwaySince(name, wish.since) || reason !== 'ReferencedBindingNotFound')
        this.#violations.add('Failed is said only where there was no binding', says);
      return;
    }
    if (result !== 'Successful') this.#violations.add('a result is Successful or Failed', says);
    if (wish.successfulAt !== undefined) return;
    wish.successfulAt = this.#system.clock.now();
    this.#bindings.assumed({ rebalancer: seen.name, workload: name, since: wish.since });
  }

  #onFinish(seen: Seen, { finishTime, isCurrent, observedWorkloads }: Shown): void {
    const says = `${seen.name}: ${seen.finishTime ?? 'none'} to ${finishTime ?? 'none'}`;
    if (seen.finishTime !== undefined && finishTime !== seen.finishTime && !seen.edited)
      this.#violations.add('finishTime stays while the list stays', says);
    if (isCurrent) {
      seen.finishTime = finishTime;
      seen.edited = false;
    }
    if (finishTime === undefined) return;
    const withoutResult = observedWorkloads.filter(({ result }) => result === undefined);
    if (withoutResult.length > 0)
      this.#violations.add(
        'finished means that each workload has its result',
        `${says}, ${withoutResult.length} without`,
      );
    if (!isCurrent) return;
    const missing = [...seen.wishes.keys()].filter(
      (name) => !observedWorkloads.some(({ workload }) => shortName(workload) === name),
    );
    if (missing.length > 0)
      this.#violations.add('finished means that each workload has its result', `${says}, without ${missing.join()}`);
    const newest = Math.max(0, ...[...seen.wishes.values()].filter(({ isOld }) => !isOld).map(({ since }) => since));
    if (Date.parse(finishTime) + 1000 + this.#skewMs < newest)
      this.#violations.add(
        'finishTime is not before the last workload was asked for',
        `${says}, asked ${timeOf(newest)}`,
      );
  }

  #onDeleted(object: KubeObject): void {
    const { ttl, finishTime, observedGeneration, isCurrent } = shownBy(object);
    const now = this.#system.clock.now();
    const says = `${object.metadata.name} deleted ${timeOf(now)}: ttl ${ttl ?? 'none'}, finished ${finishTime ?? 'never'}, generation ${object.metadata.generation}, observed ${observedGeneration}`;
    if (ttl === undefined) this.#violations.add('without a ttl nothing is deleted', says);
    else if (finishTime === undefined || Date.parse(finishTime) + ttl * 1000 > now + this.#skewMs)
      this.#violations.add('nothing is deleted before its ttl', says);
    if (!isCurrent) this.#violations.add('nothing is deleted on an edit that is not observed', says);
  }

  /** What must be so once everything had its time, with nothing going wrong any more. */
  atRest(): void {
    for (const seen of this.#seen.values()) this.#objectAtRest(seen);
  }

  #objectAtRest({ name, object, wishes, left }: Seen): void {
    const { observedWorkloads, observedGeneration, finishTime, isCurrent, ttl } = shownBy(object);
    const results = new Map(observedWorkloads.map(({ workload, result }) => [shortName(workload), result]));
    const shown = `${name}: ${JSON.stringify([...results])}, generation ${object.metadata.generation} observed ${observedGeneration}, finished ${finishTime ?? 'never'}`;
    if (!isCurrent || finishTime === undefined)
      this.#violations.add('every rebalancer is finished and observed in the end', shown);
    for (const [workload, { since, isOld }] of wishes) {
      const result = results.get(workload);
      const expected = this.#bindings.expected(workload, since);
      if (expected !== undefined && result !== expected && !isOld)
        this.#violations.add(
          'every workload has its right result in the end',
          `${shown}; ${workload} should be ${expected}`,
        );
      if (result === undefined)
        this.#violations.add('every workload has its right result in the end', `${shown}; ${workload}`);
    }
    for (const workload of results.keys())
      if (!wishes.has(workload) && results.get(workload) !== 'Successful')
        this.#violations.add('what left the list without success is gone', `${shown}; ${workload}`);
    for (const workload of left)
      if (!wishes.has(workload) && !results.has(workload))
        this.#violations.add('what left the list after its success is kept', `${shown}; ${workload}`);
    if (ttl !== undefined) this.#violations.add('what has a ttl is deleted in the end', `${shown}, ttl ${ttl}`);
  }
}
