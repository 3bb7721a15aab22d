/** The clusters that were observed to have fewer ready replicas than their share for the hesitation time: only their replicas may be borrowed. */
import type { KubeObject } from '../../../../local/practice-hub/store/objects.ts';
import type { System } from '../../system/system.ts';
import type { ElasticLife } from './elastic-life.ts';
import { type WorkloadName, workloadNames } from './parts.ts';
import { feedbackIn, numberIn } from './read-objects.ts';
import { specOf } from './shares.ts';

interface Short {
  /** The first and the last time that it was observed to be short, since its number was last raised. */
  first: number | undefined;
  last: number;
  isShort: boolean;
  /** When it was last known to have been short for the hesitation time. */
  longAt: number;
  number: number;
}

/** The duration of a reconcile and the clock skew. */
const SLACK_MS = 5000;

export class Shortness {
  readonly #system: System;
  readonly #life: ElasticLife;
  readonly #seen = new Map<string, Short>();

  constructor(system: System, life: ElasticLife) {
    this.#system = system;
    this.#life = life;
    system.hub.store.onChange(({ plural, object }) => {
      if (plural === 'manifestworks') this.#update(object.metadata.namespace ?? '');
      if (plural === 'managedclusters') this.#update(object.metadata.name);
    });
  }

  /** When any cluster of this workload was last known to have been short for the hesitation time. */
  lastLong(name: WorkloadName): number {
    for (const cluster of this.#life.fleet.managedClusters.names) this.#update(cluster);
    const own = [...this.#seen].filter(([key]) => key.startsWith(`${name}@`));
    return Math.max(Number.NEGATIVE_INFINITY, ...own.map(([, { longAt }]) => longAt));
  }

  /** Whether this cluster was never short for the hesitation time since then. */
  wasHealthy(name: WorkloadName, cluster: string, since: number): boolean {
    this.#update(cluster);
    return (this.#seen.get(`${name}@${cluster}`)?.longAt ?? Number.NEGATIVE_INFINITY) < since;
  }

  #update(cluster: string): void {
    for (const name of workloadNames) {
      const elastic = this.#life.elastic(name);
      const work = this.#life.work(name, cluster);
      if (elastic !== undefined && work !== undefined)
        this.#observe(`${name}@${cluster}`, work, specOf(elastic).hesitationMs);
    }
  }

  #observe(key: string, work: KubeObject, hesitationMs: number): void {
    const now = this.#system.clock.now();
    const number = numberIn(work);
    const before = this.#seen.get(key) ?? { first: undefined, last: now, isShort: false, longAt: -Infinity, number: 0 };
    const isShort = !this.#life.isAvailable(work.metadata.namespace ?? '') || (feedbackIn(work).ready ?? 0) < number;
    const last = before.isShort || isShort ? now : before.last;
    const isLong = before.first !== undefined && last - before.first >= hesitationMs - SLACK_MS;
    const isRaised = number > before.number;
    const first = isRaised ? undefined : before.first;
    this.#seen.set(key, {
      first: isShort ? (first ?? now) : first,
      last,
      isShort,
      longAt: isLong ? last : before.longAt,
      number,
    });
  }
}
