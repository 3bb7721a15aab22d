/** What a backtest counts while it plays: replicas that move, those that come back, and the time in which replicas are not ready. */
import { DAY, type Instant } from '../../shared/core/time.ts';
import type { ClusterReplicas } from '../../shared/karmada/assignment/assign-replicas.ts';
import { distributionOf, leavesBetween } from '../../shared/karmada/assignment/rebalance-plan.ts';
import { keyText } from '../../shared/kubernetes/object-key.ts';
import type { ClusterTally } from './cluster-tally.ts';
import { type ReplayedBinding, sumOf } from './replayed-binding.ts';

/** Who assigned replicas: the scheduler on its own, for example after an eviction, or on a trigger of the policy. */
export type Mover = 'Scheduler' | 'Policy';

interface LeftReplicas {
  readonly cluster: string;
  readonly at: Instant;
  readonly by: Mover;
  replicas: number;
}

/** Milliseconds of replicas that are wanted and not ready. */
export interface UnreadyTime {
  played: number;
  recorded: number;
}

interface UnreadyNow {
  readonly since: Instant;
  readonly played: number;
  readonly recorded: number;
}

export class MoveFigures {
  /** By mover. */
  readonly replicas: Record<Mover, number> = { Scheduler: 0, Policy: 0 };
  /** Replicas that came back to a cluster within 24 hours, by who had moved them away; and those that came back within the cool-down. */
  readonly cameBack: Record<Mover, number> & { withinCoolDown: number } = {
    Scheduler: 0,
    Policy: 0,
    withinCoolDown: 0,
  };
  /** By keyText of the binding. */
  readonly unready = new Map<string, UnreadyTime>();
  readonly clusters = new Map<string, ClusterTally>();
  readonly #coolDownMs: number;
  readonly #left = new Map<string, LeftReplicas[]>();
  readonly #unreadyNow = new WeakMap<ReplayedBinding, UnreadyNow>();

  constructor(coolDownMs: number) {
    this.#coolDownMs = coolDownMs;
  }

  of(cluster: string): ClusterTally {
    const known = this.clusters.get(cluster) ?? { recorded: new Map<string, number>(), replicaHours: 0 };
    this.clusters.set(cluster, known);
    return known;
  }

  /** Replicas that leave because the workload is scaled down don't move. */
  moved({
    binding,
    before,
    by,
    now,
  }: {
    readonly binding: ReplayedBinding;
    readonly before: readonly ClusterReplicas[];
    readonly by: Mover;
    readonly now: Instant;
  }): void {
    const after = binding.assigned;
    const [was, is] = [distributionOf(before), distributionOf(after)];
    const key = keyText(binding.key);
    const lasting = (this.#left.get(key) ?? []).filter(({ at, replicas }) => now - at < DAY && replicas > 0);
    for (const [cluster, gain] of Object.entries(leavesBetween(is, was))) this.#back(lasting, { cluster, gain, now });
    const scaledDown = sumOf(before) - Math.max(sumOf(after), binding.placed.spec.replicas);
    let uncounted = Math.max(0, scaledDown);
    for (const [cluster, leaves] of Object.entries(leavesBetween(was, is))) {
      const replicas = Math.max(0, leaves - uncounted);
      uncounted -= leaves - replicas;
      this.replicas[by] += replicas;
      if (replicas > 0) lasting.push({ cluster, at: now, by, replicas });
    }
    if (lasting.length > 0) this.#left.set(key, lasting);
    else this.#left.delete(key);
  }

  #back(left: readonly LeftReplicas[], { cluster, gain, now }: { cluster: string; gain: number; now: Instant }): void {
    let coming = gain;
    for (const each of left.toReversed()) {
      if (each.cluster !== cluster) continue;
      const replicas = Math.min(coming, each.replicas);
      each.replicas -= replicas;
      coming -= replicas;
      this.cameBack[each.by] += replicas;
      if (now - each.at < this.#coolDownMs) this.cameBack.withinCoolDown += replicas;
    }
  }

  /** Counts until now, and what is not ready from now on; without `isReady` nothing is counted any more. */
  countUnready(binding: ReplayedBinding, now: Instant, isReady?: (cluster: string) => boolean): void {
    const before = this.#unreadyNow.get(binding);
    const key = keyText(binding.key);
    if (before !== undefined && now > before.since && before.played + before.recorded > 0) {
      const time = this.unready.get(key) ?? { played: 0, recorded: 0 };
      time.played += before.played * (now - before.since);
      time.recorded += before.recorded * (now - before.since);
      this.unready.set(key, time);
    }
    if (isReady === undefined) {
      this.#unreadyNow.delete(binding);
      return;
    }
    let reported = 0;
    for (const { cluster, ready } of binding.reports) reported += isReady(cluster) ? ready : 0;
    this.#unreadyNow.set(binding, {
      since: now,
      played: Math.max(0, binding.wanted - binding.ready),
      recorded: Math.max(0, binding.recordedWanted - reported),
    });
  }
}
