/** A binding of a recorded hub in a backtest: what users decide is the recording's; where its replicas are, and how many are ready, is the backtest's. */
import { fromTimestamp, type Instant, SECOND, toTimestamp, wholeSecond } from '../../shared/core/time.ts';
import type { ClusterReplicas } from '../../shared/karmada/assignment/assign-replicas.ts';
import { strategyOf } from '../../shared/karmada/assignment/placement.ts';
import type { Quantities } from '../../shared/karmada/assignment/quantity.ts';
import { TRIGGERED_BY } from '../../shared/karmada/binding.ts';
import { APPLIED_PLACEMENT, type PlacedBinding, parsePlacedBinding } from '../../shared/karmada/placed-binding.ts';
import { readyIn } from '../../shared/karmada/readiness.ts';
import type { ObjectKey } from '../../shared/kubernetes/object-key.ts';
import type { RecordedObject } from '../recording/recorded-object.ts';

/** The replicas of a binding on one cluster. Those that are neither ready nor starting are pending. */
export interface ReplayedPods {
  assigned: number;
  ready: number;
  starting: { readonly at: Instant; count: number }[];
  /** Ready replicas that leave when those elsewhere are ready. */
  leaving: number;
}

/** What the scheduler has written, in the form in which it is read again. */
type WrittenStatus = Pick<
  PlacedBinding['status'],
  'lastScheduledTime' | 'schedulerObservingAffinityName' | 'conditions'
>;

export class ReplayedBinding {
  readonly key: ObjectKey;
  readonly pods = new Map<string, ReplayedPods>();
  /** Evictions that are not over: the cluster with its time. */
  readonly evictions = new Map<string, Instant>();
  /** Its replicas as members reported them to the recorded hub. */
  reports: readonly { readonly cluster: string; readonly ready: number; readonly replicas: number }[] = [];
  #recorded: RecordedObject;
  /** The recorded object as decisions read it: parsing takes longer than all else, and only the recording needs it. */
  #parsed: PlacedBinding;
  #isDuplicated = false;
  #status: WrittenStatus = { conditions: [] };
  #annotations: Record<string, string> = {};
  #triggeredAt: Instant | undefined;
  #generation = 1;
  #placed: PlacedBinding | undefined;

  constructor(recorded: RecordedObject) {
    const { namespace = '', name } = recorded.metadata;
    this.key = { namespace, name };
    this.#recorded = recorded;
    this.#parsed = this.#parse(recorded);
  }

  /** Takes over the recorded assignment, if there is one, as that of its placement. */
  adopt(): void {
    const { spec, status, storedPlacement } = this.#parsed;
    if (spec.clusters.length === 0) return;
    this.#triggeredAt = spec.rescheduleTriggeredAt ?? undefined;
    this.#annotations[APPLIED_PLACEMENT] = JSON.stringify(storedPlacement ?? {});
    const { lastScheduledTime, schedulerObservingAffinityName } = status;
    this.#status = {
      lastScheduledTime: lastScheduledTime ?? 0,
      schedulerObservingAffinityName,
      conditions: [{ type: 'Scheduled', status: 'True' }],
    };
  }

  get recordedClusters(): readonly ClusterReplicas[] {
    return this.#parsed.spec.clusters;
  }

  get recorded(): RecordedObject {
    return this.#recorded;
  }

  set recorded(recorded: RecordedObject) {
    this.#recorded = recorded;
    this.#parsed = this.#parse(recorded);
    this.changed();
  }

  #parse(recorded: RecordedObject): PlacedBinding {
    const parsed = parsePlacedBinding(recorded);
    const { placement, clusters } = parsed.spec;
    this.#isDuplicated = strategyOf(placement ?? {}).kind === 'Duplicated';
    this.reports = parsed.status.aggregatedStatus.map((report) => {
      const { clusterName: cluster, status } = report;
      const ready = readyIn(report, clusters.find(({ name }) => name === cluster)?.replicas ?? 0);
      return { cluster, ready, replicas: status?.replicas ?? ready };
    });
    return parsed;
  }

  /** Of one replica. */
  get request(): Quantities | undefined {
    return this.#parsed.spec.replicaRequirements?.resourceRequest ?? undefined;
  }

  /** What it is to have ready in all clusters together. */
  get wanted(): number {
    return this.#isDuplicated ? sumOf(this.assigned) : this.#parsed.spec.replicas;
  }

  /** The same of the recorded assignment. */
  get recordedWanted(): number {
    const { clusters, replicas } = this.#parsed.spec;
    return this.#isDuplicated ? sumOf(clusters) : replicas;
  }

  get assigned(): readonly ClusterReplicas[] {
    return [...this.pods].flatMap(([name, { assigned }]) => (assigned > 0 ? [{ name, replicas: assigned }] : []));
  }

  get ready(): number {
    let sum = 0;
    for (const { ready, leaving } of this.pods.values()) sum += ready + leaving;
    return sum;
  }

  /** The object with its replicas, as it would be read from a hub. */
  get placed(): PlacedBinding {
    this.#placed ??= this.#build();
    return this.#placed;
  }

  /** Its pods have changed. */
  changed(): void {
    this.#placed = undefined;
  }

  /** A write of the scheduler. */
  scheduled({ annotations = {}, status = {} }: { readonly annotations?: object; readonly status?: object }): void {
    Object.assign(this.#annotations, annotations);
    this.#generation += 1;
    const written = { ...status } as { lastScheduledTime?: string };
    const lastScheduledTime = fromTimestamp(written.lastScheduledTime ?? '') ?? this.#status.lastScheduledTime;
    this.#status = { ...this.#status, ...written, lastScheduledTime };
    this.changed();
  }

  /** A trigger, as a rebalancer writes it: later than the last scheduling. */
  trigger(by: string, now: Instant): void {
    this.#triggeredAt = wholeSecond(Math.max(now, (this.#status.lastScheduledTime ?? 0) + SECOND));
    this.#annotations[TRIGGERED_BY] = by;
    this.changed();
  }

  #build(): PlacedBinding {
    const { metadata, spec, status } = this.#parsed;
    const tasks = [...this.evictions].map(([fromCluster, at]) => ({ fromCluster, creationTimestamp: toTimestamp(at) }));
    return {
      ...this.#parsed,
      metadata: {
        ...metadata,
        generation: this.#generation,
        annotations: { ...metadata.annotations, ...this.#annotations },
      },
      spec: {
        ...spec,
        rescheduleTriggeredAt: this.#triggeredAt,
        clusters: [...this.assigned],
        gracefulEvictionTasks: tasks,
      },
      status: {
        ...status,
        ...this.#status,
        schedulerObservedGeneration: this.#generation,
        aggregatedStatus: [...this.pods].map(([clusterName, { assigned, ready, leaving }]) => ({
          clusterName,
          applied: true,
          health: ready >= assigned ? 'Healthy' : 'Unhealthy',
          status: { replicas: assigned + leaving, readyReplicas: ready + leaving },
        })),
      },
    };
  }
}

export function sumOf(assigned: readonly ClusterReplicas[]): number {
  return assigned.reduce((sum, { replicas }) => sum + replicas, 0);
}
