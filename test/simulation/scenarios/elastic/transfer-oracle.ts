/**
 * The order of moves, by seed 002: Bursty grows clusters first, so that at least the total is ready; Conservative shrinks clusters first, so
 * that at most the total exists. A previous excess or lack is allowed. Unavailable clusters are not counted, and a move does not wait for
 * replicas above a learned capacity limit. The oracle uses the states that a reconcile may have read: concurrent reconciles do not see each other's writes.
 */
import { isDeepStrictEqual } from 'node:util';
import type { System } from '../../system/system.ts';
import type { Violations } from '../../violations.ts';
import type { ElasticLife } from './elastic-life.ts';
import { type WorkloadName, workloadNames, workloads } from './parts.ts';
import { feedbackIn, numberIn } from './read-objects.ts';
import { type RecentStates, type Recorded, type StrategyInput, since } from './recent-states.ts';
import { sumOf } from './shares.ts';
import type { Shortness } from './shortness.ts';
import type { Write } from './write.ts';

const HOUR = 3_600_000;

interface Place {
  readonly cluster: string;
  /** What the agent has still to apply, else the replicas there. */
  readonly written: number;
  readonly replicas: number;
  readonly ready: number;
}

export class TransferOracle {
  readonly #life: ElasticLife;
  readonly #recent: RecentStates;
  readonly #shortness: Shortness;
  readonly #violations: Violations;
  readonly #system: System;
  readonly #seen = new Map<WorkloadName, Recorded<readonly Place[]>[]>();

  constructor(
    system: System,
    life: ElasticLife,
    { recent, shortness, violations }: { recent: RecentStates; shortness: Shortness; violations: Violations },
  ) {
    this.#system = system;
    this.#life = life;
    system.hub.store.onChange(({ plural }) => {
      if (plural === 'manifestworks' || plural === 'managedclusters') this.#see();
    });
    this.#recent = recent;
    this.#shortness = shortness;
    this.#violations = violations;
  }

  onWrite(write: Write): void {
    const inputs = this.#recent.inputs(write.name);
    const transfers = new Set(inputs.map(({ spec }) => spec.transfer));
    if (transfers.size !== 1 || this.#recent.wasDeleted(write.name) || this.#isDisturbed(write.name)) return;
    if (transfers.has('Conservative')) this.#conservative(write, inputs);
    else this.#bursty(write, inputs);
  }

  #isDisturbed(name: WorkloadName): boolean {
    const { runs } = workloads[name];
    const isShared = workloadNames.some(
      (other) =>
        other !== name &&
        workloads[other].runs === runs &&
        this.#life.fleet.managedClusters.names.some((managedCluster) => this.#life.work(other, managedCluster)),
    );
    const lately = this.#recent.specChangedAt(name) - HOUR;
    const isScaled = this.#life.scalings.some((one) => one.runs === runs && one.at > lately);
    return isShared || isScaled || this.#life.disturbedAt >= this.#recent.horizon;
  }

  /** The replicas on the available clusters. */
  #places(name: WorkloadName): readonly Place[] {
    return this.#life.fleet.managedClusters.names.flatMap((cluster) => {
      const work = this.#life.work(name, cluster);
      if (!this.#life.isAvailable(cluster) || work === undefined) return [];
      const there = this.#life.there(name, cluster);
      // A number that the agent has applied does not come back after it was replaced on the cluster, as by the ManifestWork of a rival.
      return [{ cluster, written: feedbackIn(work).isCurrent ? there.replicas : numberIn(work), ...there }];
    });
  }

  /** The states of the clusters since the horizon. */
  #observations(name: WorkloadName): readonly (readonly Place[])[] {
    return since(this.#seen.get(name) ?? [], this.#recent.horizon);
  }

  #see(): void {
    for (const name of workloadNames) {
      const seen = this.#seen.get(name) ?? [];
      this.#seen.set(name, seen);
      const places = this.#places(name);
      if (!isDeepStrictEqual(seen.at(-1)?.what, places)) seen.push({ from: this.#system.clock.now(), what: places });
    }
  }

  #conservative({ name, cluster, before, after, detail }: Write, inputs: readonly StrategyInput[]): void {
    if (after <= before) return;
    const floors = ({ spec, parties }: StrategyInput) => spec.limits.floor * parties.length;
    const most = Math.max(...inputs.map((input) => Math.max(input.spec.total, floors(input))));
    const isRight = (places: readonly Place[]) => {
      const others = sum(places, (place) => (place.cluster === cluster ? 0 : Math.max(place.written, place.replicas)));
      const own = places.find((place) => place.cluster === cluster)?.replicas ?? 0;
      return others + after <= most || after <= own;
    };
    const observations = this.#observations(name);
    if (!observations.some(isRight))
      this.#violations.add(
        'Conservative: no cluster grows before others have shrunk',
        `${detail} of ${most}; ${shown(observations)}`,
      );
  }

  #bursty({ name, cluster, before, after, detail }: Write, inputs: readonly StrategyInput[]): void {
    if (after >= before || !inputs.every((input) => this.#canCover(name, input))) return;
    const wanted = Math.min(...inputs.map(({ spec, parties }) => Math.min(spec.total, sumOf(spec, parties))));
    const isRight = (places: readonly Place[]) => {
      const ready = sum(places, (place) => place.ready);
      const left = sum(places, (place) => (place.cluster === cluster ? Math.min(place.ready, after) : place.ready));
      return left >= Math.min(ready, wanted);
    };
    const observations = this.#observations(name);
    if (!observations.some(isRight))
      this.#violations.add(
        'Bursty: no cluster shrinks before others are ready',
        `${detail} of ${wanted}; ${shown(observations)}`,
      );
  }

  /** Whether the clusters that stayed healthy have capacity for the total: they borrow what others lack, and the move waits for them. */
  #canCover(name: WorkloadName, { spec, parties }: StrategyInput): boolean {
    if (!spec.limits.borrows) return true;
    const recently = this.#recent.horizon - 2 * HOUR;
    const healthy = parties.filter(
      ({ cluster, weight }) => weight > 0 && this.#shortness.wasHealthy(name, cluster, recently),
    );
    return healthy.length * spec.limits.ceiling >= spec.total;
  }
}

function sum(places: readonly Place[], of: (place: Place) => number): number {
  return places.reduce((total, place) => total + of(place), 0);
}

/** "spoke1 2/3/4, spoke2 1/1/1": the ready, actual and written replicas of the last state. */
function shown(observations: readonly (readonly Place[])[]): string {
  const last = observations.at(-1) ?? [];
  return last.map(({ cluster, written, replicas, ready }) => `${cluster} ${ready}/${replicas}/${written}`).join(', ');
}
