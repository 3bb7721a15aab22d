/**
 * A recorded hub in virtual time. Clusters and what users ask of workloads come from the recording at their times; replicas are assigned,
 * evicted and ready by a model: karmada-scheduler's algorithm, taints with their tolerations, and pods that are ready after a delay.
 */
import { DAY, type Instant, SECOND, toTimestamp } from '../../shared/core/time.ts';
import { isReducedGracefully } from '../../shared/graceful-reduction/reduction-policy.ts';
import { capacityOf } from '../../shared/karmada/assignment/available-replicas.ts';
import type { ServedKinds } from '../../shared/karmada/assignment/cluster.ts';
import { toleratedUntil } from '../../shared/karmada/assignment/match-cluster.ts';
import { goesEverywhere } from '../../shared/karmada/assignment/plan-scheduling.ts';
import {
  assignedBy,
  DEFAULT_SCHEDULER,
  decideScheduling,
  isScheduledBy,
  observedStatus,
  specPatch,
  statusPatch,
} from '../../shared/karmada/assignment/scheduling-decision.ts';
import { TRIGGERED_BY } from '../../shared/karmada/binding.ts';
import type { Member } from '../../shared/karmada/member-cluster.ts';
import { ASSIGNED_AT, whyNotAssignable } from '../../shared/workload-rebalancer/given-assignment.ts';
import type { AssignedReplicas } from '../../shared/workload-rebalancer/workload-rebalancer.ts';
import type { Clock } from '../clock.ts';
import { type RecordedObject, recordedKey } from '../recording/recorded-object.ts';
import type { RecordedLine } from '../recording/recording-files.ts';
import { addReplicas } from './cluster-tally.ts';
import { MoveFigures, type Mover } from './move-figures.ts';
import { ReplayedBinding, type ReplayedPods } from './replayed-binding.ts';
import { ReplayedCluster } from './replayed-cluster.ts';

/** Karmada ends a graceful eviction after this time at the latest. */
const EVICTION_MS = 600 * SECOND;

export interface ReplayOptions {
  readonly clock: Clock;
  /** How long a started replica takes to be ready. */
  readonly readyAfterMs: number;
  /** A cluster joined or left, or its spec has changed: the hook publishes these changes. */
  readonly onClusterChange: () => void;
  readonly coolDownMs: number;
}

/** The kinds that are taken as they are recorded. */
const bindingKinds = new Set(['ResourceBinding', 'ClusterResourceBinding']);

export class ReplayedHub {
  /** By name. */
  readonly clusters = new Map<string, ReplayedCluster>();
  /** By recordedKey. */
  readonly bindings = new Map<string, ReplayedBinding>();
  /** Objects of the other kinds, by recordedKey. */
  readonly others = new Map<string, RecordedObject>();
  readonly figures: MoveFigures;
  /** When anything last changed. */
  changedAt = Number.NEGATIVE_INFINITY;
  readonly #options: ReplayOptions;
  readonly #unplaced = new Set<ReplayedBinding>();
  /** The recording has not what clusters serve: every kind of the recorded workloads. */
  readonly #apis: ServedKinds[] = [];
  /** Keys of the snapshot that is being read. */
  #seen: Set<string> | undefined;
  #isPlaying = false;

  constructor(options: ReplayOptions) {
    this.#options = options;
    this.figures = new MoveFigures(options.coolDownMs);
  }

  /** The time of a line has come. Before `begin`, lines only change the state from which it is played. */
  apply(line: RecordedLine): void {
    if ('object' in line) {
      this.#seen?.add(recordedKey(line.object));
      this.#put(line.object);
    } else if ('deleted' in line) this.#remove(recordedKey(line.deleted));
    else if (line.event === 'SnapshotStarted') this.#seen = new Set();
    else if (line.event === 'SnapshotEnded') this.#endSnapshot();
    this.changedAt = this.#now();
  }

  /** Replicas are where they were recorded, and as ready. */
  begin(): void {
    this.#isPlaying = true;
    for (const binding of this.bindings.values()) this.#adopt(binding);
    for (const cluster of this.clusters.values()) {
      this.#startPending(cluster);
      this.#evictDue(cluster);
    }
    this.#schedulePending();
  }

  /** The clusters as they report, with the replicas that the backtest has on them in place of the recorded ones. */
  members(): readonly Member[] {
    return [...this.clusters.values()].map(({ member }) => member);
  }

  /** What a WorkloadRebalancer asks for: a trigger, on which the scheduler acts at once. */
  rebalance(key: string, by: string): void {
    const binding = this.bindings.get(key);
    if (binding === undefined) return;
    binding.trigger(by, this.#now());
    this.#schedule(binding, 'Policy');
  }

  /** What a WorkloadRebalancer with assignments asks for: they are written without a trigger, if they are still possible. */
  assign(key: string, assignment: AssignedReplicas, by: string): void {
    const binding = this.bindings.get(key);
    // The wave is observed by it, as if its rebalancer had reported.
    binding?.scheduled({ annotations: { [TRIGGERED_BY]: by } });
    if (binding === undefined || whyNotAssignable(binding.placed, assignment) !== undefined) return;
    const before = binding.assigned;
    const now = this.#now();
    const clusters = Object.entries(assignment).map(([name, replicas]) => ({ name, replicas }));
    binding.scheduled({ annotations: { [ASSIGNED_AT]: toTimestamp(now) } });
    this.#write(binding, { outcome: 'Success', clusters, reason: 'it is given', unfit: new Map() });
    this.figures.moved({ binding, before, by: 'Policy', now });
    this.#settled(binding);
  }

  /** Totals until now. */
  end(): void {
    const now = this.#now();
    for (const binding of this.bindings.values()) this.figures.countUnready(binding, now);
    for (const cluster of this.clusters.values()) cluster.countHours();
  }

  #now(): Instant {
    return this.#options.clock.now();
  }

  #put(object: RecordedObject): void {
    if (object.kind === 'Cluster') this.#putCluster(object);
    else if (bindingKinds.has(object.kind)) this.#putBinding(object);
    else this.others.set(recordedKey(object), object);
  }

  #endSnapshot(): void {
    const seen = this.#seen ?? new Set();
    this.#seen = undefined;
    const known = [
      ...[...this.clusters.values()].map(({ recorded }) => recordedKey(recorded)),
      ...this.bindings.keys(),
      ...this.others.keys(),
    ];
    for (const key of known) if (!seen.has(key)) this.#remove(key);
    // The bindings of the snapshot came after its clusters.
    for (const cluster of this.clusters.values()) cluster.observe();
  }

  #remove(key: string): void {
    this.others.delete(key);
    const binding = this.bindings.get(key);
    if (binding !== undefined) {
      this.bindings.delete(key);
      this.#countRecorded(binding, -1);
      for (const [name, pods] of binding.pods) this.#resize(binding, { name, pods }, 0);
      this.#leave(binding);
      this.figures.countUnready(binding, this.#now());
      this.#unplaced.delete(binding);
    }
    const name = key.startsWith('Cluster /') ? key.slice('Cluster /'.length) : undefined;
    const cluster = name === undefined ? undefined : this.clusters.get(name);
    if (cluster === undefined || name === undefined) return;
    cluster.countHours();
    this.clusters.delete(name);
    for (const held of this.#bindingsOn(name)) {
      Object.assign(held.pods.get(name) ?? {}, { ready: 0, starting: [], leaving: 0 });
      this.#evict(held, name);
    }
    if (this.#isPlaying) this.#options.onClusterChange();
  }

  // Clusters.

  #putCluster(object: RecordedObject): void {
    const { name } = object.metadata;
    const before = this.clusters.get(name);
    const was = before && { spec: JSON.stringify(before.recorded.spec), ready: before.ready };
    const cluster = before ?? new ReplayedCluster(this.figures.of(name), this.#apis, () => this.#now());
    cluster.put(object);
    if (this.#seen === undefined) cluster.observe();
    this.clusters.set(name, cluster);
    if (!this.#isPlaying) return;
    if (was !== undefined && was.ready !== cluster.ready) this.#readinessChanged(cluster);
    if (cluster.ready) this.#startPending(cluster);
    if (was?.spec !== JSON.stringify(object.spec)) {
      this.#evictDue(cluster);
      this.#options.onClusterChange();
    }
    this.#schedulePending();
  }

  /** The hub does not see the replicas of a cluster that is not ready; when it is ready again, they start anew. */
  #readinessChanged(cluster: ReplayedCluster): void {
    for (const binding of this.#bindingsOn(cluster.name)) {
      const pods = binding.pods.get(cluster.name);
      if (pods !== undefined && !cluster.ready) {
        cluster.use(binding.request, -running(pods));
        Object.assign(pods, { ready: 0, starting: [], leaving: 0 });
      }
    }
    // Those too that were recorded on it.
    for (const binding of this.bindings.values()) this.#settled(binding);
  }

  #bindingsOn(cluster: string): readonly ReplayedBinding[] {
    return [...this.bindings.values()].filter(({ pods }) => pods.has(cluster));
  }

  /** Evicts what does not tolerate the cluster's NoExecute taints, and again when a toleration ends. */
  #evictDue(cluster: ReplayedCluster): void {
    const taints = cluster.member.cluster.taints.filter(({ effect }) => effect === 'NoExecute');
    if (taints.length === 0 || this.clusters.get(cluster.name) !== cluster) return;
    let next = Number.POSITIVE_INFINITY;
    for (const binding of this.#bindingsOn(cluster.name)) {
      if ((binding.pods.get(cluster.name)?.assigned ?? 0) === 0) continue;
      const tolerations = binding.placed.spec.placement?.clusterTolerations ?? [];
      const at = Math.min(...taints.map((taint) => toleratedUntil(taint, tolerations)));
      if (at <= this.#now()) this.#evict(binding, cluster.name);
      else next = Math.min(next, at);
    }
    if (next !== Number.POSITIVE_INFINITY)
      this.#options.clock.after(Math.min(next - this.#now(), DAY), () => this.#evictDue(cluster));
  }

  #evict(binding: ReplayedBinding, name: string): void {
    if (!this.#isPlaying) return;
    const before = binding.assigned;
    const pods = binding.pods.get(name);
    if (pods === undefined) return;
    const now = this.#now();
    if (this.clusters.has(name)) {
      binding.evictions.set(name, now);
      this.#options.clock.after(EVICTION_MS, () => {
        if (binding.evictions.get(name) === now) this.#endEvictions(binding);
      });
    }
    this.#resize(binding, { name, pods }, 0);
    this.#schedule(binding, 'Scheduler', before);
  }

  #endEvictions(binding: ReplayedBinding): void {
    binding.evictions.clear();
    this.#leave(binding);
    this.#settled(binding);
  }

  // Bindings.

  #putBinding(object: RecordedObject): void {
    this.#serve(object);
    const key = recordedKey(object);
    const known = this.bindings.get(key);
    const binding =
      known?.recorded.metadata.uid === object.metadata.uid && known !== undefined ? known : new ReplayedBinding(object);
    if (known !== undefined && known !== binding) this.#remove(key);
    else if (known !== undefined) this.#countRecorded(known, -1);
    if (known === binding) this.#release(binding, () => (binding.recorded = object));
    this.bindings.set(key, binding);
    this.#countRecorded(binding, 1);
    if (!this.#isPlaying) return;
    this.#schedule(binding, 'Scheduler');
  }

  #serve({ spec }: RecordedObject): void {
    const { apiVersion = '', kind = '' } = (spec?.resource ?? {}) as { apiVersion?: string; kind?: string };
    const isKnown = this.#apis.some(({ groupVersion, kinds }) => groupVersion === apiVersion && kinds.includes(kind));
    if (!isKnown) this.#apis.push({ groupVersion: apiVersion, kinds: [kind] });
  }

  /** Its request may change with the recording. */
  #release(binding: ReplayedBinding, change: () => void): void {
    const before = binding.request;
    change();
    for (const [name, pods] of binding.pods) {
      this.clusters.get(name)?.use(before, -running(pods), -pods.assigned);
      this.clusters.get(name)?.use(binding.request, running(pods), pods.assigned);
    }
  }

  /** The replicas that the recording has at the beginning. */
  #adopt(binding: ReplayedBinding): void {
    binding.adopt();
    for (const { name, replicas } of binding.recordedClusters) {
      const cluster = this.clusters.get(name);
      const reported = binding.reports.find((report) => report.cluster === name)?.ready ?? 0;
      const ready = cluster?.ready === true ? Math.min(replicas, reported) : 0;
      binding.pods.set(name, { assigned: replicas, ready, starting: [], leaving: 0 });
      cluster?.use(binding.request, ready, replicas);
    }
    this.#settled(binding);
    if (binding.recordedClusters.length === 0) this.#schedule(binding, 'Scheduler');
  }

  #countRecorded({ reports, request }: ReplayedBinding, sign: 1 | -1): void {
    for (const { cluster, replicas } of reports)
      addReplicas(this.figures.of(cluster).recorded, request, sign * replicas);
  }

  #schedulePending(): void {
    for (const binding of [...this.#unplaced]) this.#schedule(binding, 'Scheduler');
    for (const binding of this.bindings.values())
      if (goesEverywhere(binding.placed)) this.#schedule(binding, 'Scheduler');
  }

  /** A pass of the scheduler over the binding. `before`: its assignment before the cause of the pass. */
  #schedule(binding: ReplayedBinding, by: Mover, before = binding.assigned): void {
    const { placed } = binding;
    const now = this.#now();
    if (isScheduledBy(placed, placed.spec.schedulerName || DEFAULT_SCHEDULER)) {
      const decision = decideScheduling({
        binding: placed,
        clusters: this.members().map(({ cluster }) => cluster),
        available: capacityOf(placed),
      });
      if (decision.action === 'Write') this.#write(binding, decision.scheduling);
      else if (decision.action === 'Observe') binding.scheduled({ status: observedStatus(placed, now) });
    }
    this.figures.moved({ binding, before, by, now });
    this.#settled(binding);
  }

  #write(binding: ReplayedBinding, scheduling: Parameters<typeof specPatch>[1]): void {
    const { placed } = binding;
    if (scheduling.outcome === 'Success') this.#unplaced.delete(binding);
    else this.#unplaced.add(binding);
    const patch = specPatch(placed, scheduling) as { metadata: { annotations: object } } | undefined;
    const status = statusPatch(placed, scheduling, { generation: placed.metadata.generation, now: this.#now() });
    binding.scheduled({ ...(patch && { annotations: patch.metadata.annotations }), ...(status && { status }) });
    const assigned = assignedBy(scheduling);
    if (assigned === undefined) return;
    const next = new Map(assigned.map(({ name, replicas }) => [name, replicas]));
    for (const [name, pods] of binding.pods) this.#resize(binding, { name, pods }, next.get(name) ?? 0);
    for (const [name, replicas] of next) {
      if (binding.pods.has(name)) continue;
      const pods: ReplayedPods = { assigned: 0, ready: 0, starting: [], leaving: 0 };
      binding.pods.set(name, pods);
      this.#resize(binding, { name, pods }, replicas);
    }
  }

  // Replicas.

  /** Pending replicas end first, then those that start. Ready ones stay until others are ready, if the binding is reduced gracefully or evicted. */
  #resize(
    binding: ReplayedBinding,
    { name, pods }: { readonly name: string; readonly pods: ReplayedPods },
    replicas: number,
  ): void {
    const cluster = this.clusters.get(name);
    const runningBefore = running(pods);
    const assignedBefore = pods.assigned;
    pods.assigned = replicas;
    let surplus = pods.ready + startingOf(pods) - replicas;
    while (surplus > 0 && pods.starting.length > 0) {
      const youngest = pods.starting.at(-1);
      if (youngest === undefined) break;
      const gone = Math.min(surplus, youngest.count);
      youngest.count -= gone;
      surplus -= gone;
      if (youngest.count === 0) pods.starting.pop();
    }
    if (surplus > 0) {
      pods.ready -= surplus;
      const stays = cluster?.ready === true && this.bindings.has(recordedKey(binding.recorded));
      if (stays && (binding.evictions.has(name) || isReducedGracefully(binding.placed))) pods.leaving += surplus;
    }
    const back = Math.min(pods.leaving, replicas - pods.ready - startingOf(pods));
    if (back > 0) {
      pods.leaving -= back;
      pods.ready += back;
    }
    cluster?.use(binding.request, running(pods) - runningBefore, replicas - assignedBefore);
    binding.changed();
  }

  /** Starts what is pending, ends what was to leave, and counts. */
  #settled(binding: ReplayedBinding): void {
    // A timer of a binding that was deleted.
    if (this.bindings.get(recordedKey(binding.recorded)) !== binding) return;
    for (const [name, pods] of binding.pods) {
      const cluster = this.clusters.get(name);
      if (cluster !== undefined) this.#start(binding, cluster, pods);
      if (pods.assigned === 0 && running(pods) === 0) binding.pods.delete(name);
    }
    const others = [...binding.pods.values()];
    if (others.every(({ assigned, ready }) => ready >= assigned) && binding.wanted <= binding.ready) {
      binding.evictions.clear();
      this.#leave(binding);
    }
    binding.changed();
    this.figures.countUnready(binding, this.#now(), (name) => this.clusters.get(name)?.ready === true);
  }

  #leave(binding: ReplayedBinding): void {
    for (const [name, pods] of binding.pods) {
      this.clusters.get(name)?.use(binding.request, -pods.leaving);
      pods.leaving = 0;
      if (pods.assigned === 0) binding.pods.delete(name);
    }
  }

  #startPending(cluster: ReplayedCluster): void {
    for (const binding of this.#bindingsOn(cluster.name)) {
      const pods = binding.pods.get(cluster.name);
      if (pods !== undefined && pods.assigned > pods.ready + startingOf(pods)) this.#settled(binding);
    }
  }

  #start(binding: ReplayedBinding, cluster: ReplayedCluster, pods: ReplayedPods): void {
    const pending = pods.assigned - pods.ready - startingOf(pods);
    if (pending <= 0 || !cluster.ready) return;
    const count = Math.min(pending, cluster.fitting(binding.request));
    if (count <= 0) return;
    const { clock, readyAfterMs } = this.#options;
    const batch = { at: this.#now() + readyAfterMs, count };
    pods.starting.push(batch);
    cluster.use(binding.request, count);
    clock.after(readyAfterMs, () => {
      if (!pods.starting.includes(batch)) return;
      pods.starting.splice(pods.starting.indexOf(batch), 1);
      pods.ready += batch.count;
      this.changedAt = this.#now();
      this.#settled(binding);
    });
  }
}

function startingOf({ starting }: ReplayedPods): number {
  return starting.reduce((sum, { count }) => sum + count, 0);
}

/** Those that take capacity. */
function running(pods: ReplayedPods): number {
  return pods.ready + startingOf(pods) + pods.leaving;
}
