/** The recent states of the hub. A reconcile reads objects one after the other and then writes: its write is valid for any state since the first read. */
import { isDeepStrictEqual } from 'node:util';
import type { KubeObject } from '../../../../local/practice-hub/store/objects.ts';
import type { System } from '../../system/system.ts';
import type { ElasticLife } from './elastic-life.ts';
import { NAMESPACE, PLACEMENT, type WorkloadName, workloadNames, workloads } from './parts.ts';
import { isBefore } from './read-objects.ts';
import { type Party, type Spec, specOf } from './shares.ts';

/** Upper bound of the duration of a reconcile. */
const RECONCILE_MS = 60_000;
const FINALIZER = 'evenkeel.dev/elastic-workload';

export interface Recorded<T> {
  readonly from: number;
  readonly what: T;
}

/** A possible input of the strategies. */
export interface StrategyInput {
  readonly spec: Spec;
  readonly parties: readonly Party[];
}

export class RecentStates {
  readonly #system: System;
  readonly #life: ElasticLife;
  readonly #objects = new Map<WorkloadName, Recorded<KubeObject | undefined>[]>();
  readonly #selected: Recorded<ReadonlySet<string>>[] = [{ from: 0, what: new Set() }];
  readonly #imports: Recorded<boolean>[] = [{ from: 0, what: true }];
  /** The clusters whose target an older ElasticWorkload has. */
  readonly #taken = new Map<WorkloadName, Recorded<ReadonlySet<string>>[]>(
    workloadNames.map((name) => [name, [{ from: 0, what: new Set() }]]),
  );
  readonly #strategies = new Map<WorkloadName, { strategies: string; at: number }>();

  constructor(system: System, life: ElasticLife) {
    this.#system = system;
    this.#life = life;
    system.hub.store.onChange(({ type, plural, object }) => {
      if (plural === 'placementdecisions') this.#record(this.#selected, life.selected(PLACEMENT));
      if (plural === 'deployments') this.#record(this.#imports, type !== 'DELETED');
      const name = workloadNames.find((one) => workloads[one].plural === plural && one === object.metadata.name);
      if (name !== undefined) this.#onObject(name, type === 'DELETED' ? undefined : object);
      if (plural === 'manifestworks' || plural === 'placementdecisions' || name !== undefined) this.#onTaken();
    });
  }

  #onTaken(): void {
    for (const [name, records] of this.#taken) {
      const taken = this.#life.taken(name);
      if (!isDeepStrictEqual(records.at(-1)?.what, taken)) this.#record(records, taken);
    }
  }

  #onObject(name: WorkloadName, object: KubeObject | undefined): void {
    const records = this.#objects.get(name) ?? [{ from: 0, what: undefined }];
    this.#objects.set(name, records);
    if (versionOf(records.at(-1)?.what) === versionOf(object)) return;
    this.#record(records, object);
    const strategies = object === undefined ? '' : specOf(object).strategies;
    if (this.#strategies.get(name)?.strategies !== strategies)
      this.#strategies.set(name, { strategies, at: this.#system.clock.now() });
  }

  #record<T>(records: Recorded<T>[], what: T): void {
    records.push({ from: this.#system.clock.now(), what });
  }

  /** The earliest time at which the input of a write of now may have been read. */
  get horizon(): number {
    const begin = this.#system.clock.now() - RECONCILE_MS;
    return Math.min(begin, ...this.#system.hub.oldAnswers.filter(({ at }) => at >= begin).map(({ asOf }) => asOf));
  }

  /** Whether old lists were returned. */
  hadOldAnswers(since: number): boolean {
    return this.#system.hub.oldAnswers.some(({ at }) => at >= since);
  }

  /** When users last changed the strategies. */
  specChangedAt(name: WorkloadName): number {
    return this.#strategies.get(name)?.at ?? 0;
  }

  /** Its specs since the horizon, without those during a deletion. */
  #specs(name: WorkloadName): readonly Spec[] {
    const objects = since(this.#objects.get(name) ?? [], this.horizon);
    return objects.flatMap((object) =>
      object === undefined || object.metadata.deletionTimestamp !== undefined ? [] : [specOf(object)],
    );
  }

  wasDeleted(name: WorkloadName): boolean {
    const objects = since(this.#objects.get(name) ?? [], this.horizon);
    return objects.some((object) => object === undefined || object.metadata.deletionTimestamp !== undefined);
  }

  /** Each of its specs with each selection since the horizon. */
  inputs(name: WorkloadName): readonly StrategyInput[] {
    const selections = since(this.#selected, this.horizon);
    const taken = since(this.#taken.get(name) ?? [], this.horizon);
    return this.#specs(name).flatMap((spec) =>
      selections.flatMap((selected) => {
        const parties = spec.placement === PLACEMENT ? this.#parties(spec, selected) : [];
        const free = taken.map((clusters) => parties.filter(({ cluster }) => !clusters.has(cluster)));
        const fewer = free.filter(({ length }) => length < parties.length);
        return [parties, ...fewer].map((each) => ({ spec, parties: each }));
      }),
    );
  }

  #parties(spec: Spec, selected: ReadonlySet<string>): readonly Party[] {
    const labels = (name: string) =>
      this.#system.hub.store.get('managedclusters', { namespace: '', name })?.metadata.labels ?? {};
    return [...selected].map((cluster) => ({ cluster, weight: spec.weightOf(cluster, labels(cluster)) }));
  }

  /** Whether the placement has selected the same clusters since then. */
  isSelectionOf(at: number): boolean {
    return new Set(since(this.#selected, at).map((set) => [...set].toSorted().join())).size === 1;
  }

  /** The reason why it was rejected during the whole time since the horizon. */
  rejection(name: WorkloadName): string | undefined {
    const specs = this.#specs(name);
    if (specs.length === 0) return 'it was deleted, or being deleted';
    const isPlaced = ({ placement }: Spec) =>
      this.#system.hub.store.get('placements', { namespace: NAMESPACE, name: placement }) !== undefined;
    if (!specs.some(isPlaced)) return 'it had no placement';
    if (workloads[name].runs === 'api' && !since(this.#imports, this.horizon).includes(true)) return 'it had no import';
    const taker = workloadNames.find((other) => other !== name && this.#hadItsTarget(other, name));
    return taker && `${taker} had its target`;
  }

  /** Whether the other one was older, had the finalizer and selected the same clusters during the whole time. */
  #hadItsTarget(other: WorkloadName, name: WorkloadName): boolean {
    const own = this.#life.elastic(name);
    if (workloads[other].runs !== workloads[name].runs || own === undefined) return false;
    const claims = since(this.#objects.get(other) ?? [{ from: 0, what: undefined }], this.horizon);
    const isSame = this.isSelectionOf(this.horizon) && this.#life.selected(PLACEMENT).size > 0;
    return (
      isSame &&
      claims.every(
        (claim) =>
          claim?.metadata.finalizers?.includes(FINALIZER) &&
          isBefore(claim, own) &&
          specOf(claim).placement === PLACEMENT,
      )
    );
  }
}

/** The version of an object, without its status. */
function versionOf(object: KubeObject | undefined): string {
  const { uid, generation, deletionTimestamp, finalizers } = object?.metadata ?? {};
  return JSON.stringify([uid, generation, deletionTimestamp, finalizers]);
}

/** All values since then; empty if none was ever recorded. */
export function since<T>(records: readonly Recorded<T>[], begin: number): readonly T[] {
  return records.filter((_, i) => (records[i + 1]?.from ?? Number.POSITIVE_INFINITY) >= begin).map(({ what }) => what);
}
