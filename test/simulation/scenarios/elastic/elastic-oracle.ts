/**
 * The promises of seed 002 about each ManifestWork that we write or delete. A decision is compared with every state of the hub that it may
 * have read; the total of the replicas is checked only if there was no disturbance since then.
 */
import type { KubeObject } from '../../../../local/practice-hub/store/objects.ts';
import type { System } from '../../system/system.ts';
import type { Violations } from '../../violations.ts';
import type { ElasticLife } from './elastic-life.ts';
import { type WorkloadName, workloadNames, workloads } from './parts.ts';
import { feedbackIn, numberIn } from './read-objects.ts';
import { RecentStates, type StrategyInput } from './recent-states.ts';
import { numberFor } from './shares.ts';
import { Shortness } from './shortness.ts';
import { TransferOracle } from './transfer-oracle.ts';
import type { Write } from './write.ts';

const FINALIZER = 'evenkeel.dev/elastic-workload';
const HOUR = 3_600_000;

export class ElasticOracle {
  readonly #system: System;
  readonly #life: ElasticLife;
  readonly #violations: Violations;
  readonly #recent: RecentStates;
  readonly #shortness: Shortness;
  readonly #transfer: TransferOracle;
  /** By ManifestWork: the replicas that its managed cluster reports, and since when. */
  readonly #reported = new Map<string, { readonly replicas: number | undefined; readonly since: number }>();
  /** By ManifestWork: the numbers that we wrote, the last one at the end. */
  readonly #numbers = new Map<string, Set<number>>();

  constructor(system: System, life: ElasticLife, violations: Violations) {
    this.#system = system;
    this.#life = life;
    this.#violations = violations;
    this.#recent = new RecentStates(system, life);
    this.#shortness = new Shortness(system, life);
    this.#transfer = new TransferOracle(system, life, { recent: this.#recent, shortness: this.#shortness, violations });
    system.hub.store.onChange(({ type, plural, object, previous }) => {
      if (plural === 'manifestworks') this.#onReport(object);
      if (!system.hub.isOurWrite) return;
      const name = workloadNames.find((one) => workloads[one].works === object.metadata.name);
      if (plural === 'manifestworks' && name !== undefined) this.#onWork(name, { type, object, previous });
      const elastic = workloadNames.find((one) => workloads[one].plural === plural && one === object.metadata.name);
      if (elastic !== undefined) this.#onElastic(elastic, { type, object, previous });
    });
  }

  #onReport(work: KubeObject): void {
    const key = `${work.metadata.name}@${work.metadata.namespace}`;
    const { replicas } = feedbackIn(work);
    if (this.#reported.get(key)?.replicas !== replicas || !this.#reported.has(key))
      this.#reported.set(key, { replicas, since: this.#system.clock.now() });
  }

  #onWork(name: WorkloadName, { type, object, previous }: Change): void {
    const { namespace: cluster = '', deletionTimestamp } = object.metadata;
    const isDeletion = type === 'DELETED' || (deletionTimestamp !== undefined && !previous?.metadata.deletionTimestamp);
    const before = previous === undefined || type === 'ADDED' ? 0 : numberIn(previous);
    const after = isDeletion ? 0 : numberIn(object);
    const time = new Date(this.#system.clock.now()).toISOString().slice(11, 23);
    const write: Write = {
      ...{ name, cluster, before, after },
      detail: `${name} on ${cluster} at ${time}: ${before} to ${isDeletion ? 'nothing' : after}`,
    };
    if (isDeletion) this.#onDeletion(write);
    else this.#onNumber(write, type === 'ADDED' ? undefined : previous);
    this.#transfer.onWrite(write);
    const numbers = this.#numbersOf(write);
    numbers.delete(after);
    numbers.add(after);
  }

  #onDeletion({ name, cluster, detail }: Write): void {
    const isLeaving = this.#recent.inputs(name).some(({ parties }) => !has(parties, cluster));
    if (!isLeaving && !this.#recent.wasDeleted(name))
      this.#violations.add('no ManifestWork of a selected cluster is deleted', detail);
  }

  #onNumber(write: Write, previous: KubeObject | undefined): void {
    const { name, cluster, before, after, detail } = write;
    const rejection = this.#recent.rejection(name);
    if (rejection !== undefined)
      this.#violations.add('no ManifestWork is written for a rejected ElasticWorkload', `${detail}; ${rejection}`);
    if (previous !== undefined) this.#onManualScaling(write, previous);
    if (previous !== undefined && after <= before) return;
    const inputs = this.#recent.inputs(name).filter(({ parties }) => has(parties, cluster));
    if (inputs.length === 0) {
      this.#violations.add('only selected clusters get replicas', detail);
      return;
    }
    if (inputs.every(({ spec }) => after > spec.limits.ceiling))
      this.#violations.add('no cluster gets more than its limit', detail);
    this.#onMore(write, inputs);
  }

  /** A cluster gets more than its share only if it borrows replicas that another cluster has lacked for the hesitation time. */
  #onMore({ name, cluster, after, detail }: Write, inputs: readonly StrategyInput[]): void {
    if (this.#mayBeScaled(name) || inputs.some((one) => after <= numberFor(cluster, 'won', one))) return;
    const recently = this.#system.clock.now() - 2 * HOUR;
    const borrows = inputs.some(({ spec }) => spec.limits.borrows);
    const isExcused = this.#life.tableLostAt > recently || this.#recent.hadOldAnswers(recently);
    if (!isExcused && !(borrows && this.#shortness.lastLong(name) > recently))
      this.#violations.add('nothing is borrowed before the hesitation time', detail);
  }

  /** Whether manual scaling may be in effect. */
  #mayBeScaled(name: WorkloadName): boolean {
    const since = this.#recent.specChangedAt(name) - HOUR;
    return this.#life.scalings.some(({ runs, at }) => runs === workloads[name].runs && at > since);
  }

  /**
   * Manual scaling that was reported before the reconcile is kept, unless users changed the spec or the number is the share of the cluster.
   * If a user edited the number in the ManifestWork, a different number on the cluster may be older than the edit.
   */
  #onManualScaling(write: Write, previous: KubeObject): void {
    const { name, cluster, before, after, detail } = write;
    const { replicas, isCurrent } = feedbackIn(previous);
    const own = this.#life.scalings.filter(({ runs }) => runs === workloads[name].runs);
    const scaling = own.findLast(({ managedCluster }) => managedCluster === cluster);
    if (scaling === undefined || replicas === undefined || !isCurrent || after === before) return;
    const { at } = scaling;
    const { since = Number.POSITIVE_INFINITY } = this.#reported.get(`${workloads[name].works}@${cluster}`) ?? {};
    if (since > this.#recent.horizon) return;
    const isThere = scaling.replicas === replicas && this.#life.there(name, cluster).replicas === replicas;
    const inputs = this.#recent.inputs(name);
    const couldBeOurs = this.#numbersOf(write).has(replicas) || inputs.some((one) => isShare(replicas, cluster, one));
    const isChanged =
      this.#recent.specChangedAt(name) >= at || !this.#recent.isSelectionOf(at) || this.#life.tableLostAt >= at;
    const others = own.some(
      (one) => one.at > this.#recent.specChangedAt(name) - HOUR && one.managedCluster !== cluster,
    );
    const isShort = this.#life.there(name, cluster).ready < replicas;
    const isEdited = [...this.#numbersOf(write)].at(-1) !== before;
    if (isEdited || !isThere || couldBeOurs || isChanged || others || isShort) return;
    if (inputs.every(({ spec }) => after !== Math.min(replicas, spec.limits.ceiling)))
      this.#violations.add(
        'manual scaling on a managed cluster is kept',
        `${detail}; it was scaled to ${replicas} there`,
      );
  }

  #numbersOf({ name, cluster }: Pick<Write, 'name' | 'cluster'>): Set<number> {
    const key = `${name}@${cluster}`;
    const numbers = this.#numbers.get(key) ?? new Set();
    this.#numbers.set(key, numbers);
    return numbers;
  }

  #onElastic(name: WorkloadName, { type, object, previous }: Change): void {
    const detail = `${name}: ${JSON.stringify(object.metadata)}`;
    const had = previous?.metadata.finalizers?.includes(FINALIZER) ?? false;
    const isReleased = had && (type === 'DELETED' || !object.metadata.finalizers?.includes(FINALIZER));
    const deletedAt = object.metadata.deletionTimestamp ?? previous?.metadata.deletionTimestamp;
    const left = this.#life.fleet.managedClusters.names.filter((cluster) => {
      const work = this.#life.work(name, cluster);
      // A concurrent reconcile may create a ManifestWork after the deletion; it is removed later, and at rest nothing is left.
      const isWrittenBehind =
        work !== undefined && Date.parse(work.metadata.creationTimestamp) >= Date.parse(`${deletedAt}`);
      return work !== undefined && work.metadata.deletionTimestamp === undefined && !isWrittenBehind;
    });
    if (isReleased && left.length > 0)
      this.#violations.add(
        'an ElasticWorkload is deleted after its ManifestWorks',
        `${detail}; there are ManifestWorks on ${left.join()}`,
      );
    const observed = (one: KubeObject | undefined) => Number(one?.status?.observedGeneration ?? 0);
    if (observed(object) > (object.metadata.generation ?? 0) || observed(object) < observed(previous))
      this.#violations.add('observedGeneration is never ahead and never goes backwards', detail);
  }
}

interface Change {
  readonly type: string;
  readonly object: KubeObject;
  readonly previous: KubeObject | undefined;
}

function has(parties: StrategyInput['parties'], wanted: string): boolean {
  return parties.some(({ cluster }) => cluster === wanted);
}

function isShare(number: number, cluster: string, input: StrategyInput): boolean {
  return number >= numberFor(cluster, 'lost', input) && number <= numberFor(cluster, 'won', input);
}
