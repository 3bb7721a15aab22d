/** A whole deployment in one thread on virtual time: hub, bus, queues, schedules, memory table, and the real functions between them. */
import { isDeepStrictEqual } from 'node:util';
import type { LocalBus } from '../../local/bus.ts';
import { DeadLetters } from '../../local/dead-letters.ts';
import { LocalDeployment } from '../../local/deployment.ts';
import { localConnections } from '../../local/local-connections.ts';
import { LocalHubs } from '../../local/local-hubs.ts';
import { localRegistry } from '../../local/local-registry.ts';
import { applyManifests } from '../../local/practice-hub/apply-manifests.ts';
import { createObjectStore } from '../../local/practice-hub/store/object-store.ts';
import type { KubeObject } from '../../local/practice-hub/store/objects.ts';
import type { LocalSchedule } from '../../local/schedule.ts';
import { createVirtualClock } from '../../local/virtual-clock.ts';
import {
  BindingChanged,
  ClusterChanged,
  ClusterDrainChanged,
  RebalancePolicyChanged,
  ResyncDue,
  WorkloadRebalancerChanged,
} from '../../shared/bus/catalogue.ts';
import { markedFor, watchedKinds } from '../../shared/bus/watched-kinds.ts';
import type { Answerers } from '../../shared/console-api/operations-app.ts';
import { parseSettings } from '../../shared/core/settings.ts';
import { fromTimestamp, toTimestamp } from '../../shared/core/time.ts';
import type { ClusterEstimator } from '../../shared/estimator/estimator.ts';
import { EVENKEEL_SCHEDULER } from '../../shared/karmada/assignment/plan-scheduling.ts';
import { bindingKey, bindingResource } from '../../shared/karmada/binding.ts';
import type { HubFeature } from '../../shared/kubernetes/hub-features.ts';
import type { HubRegistry } from '../../shared/kubernetes/hub-registry.ts';
import { type ObjectReference, referenceLabel } from '../../shared/kubernetes/object-reference.ts';
import { holdPolicy } from '../../shared/manifests/holds.ts';
import type { RebalanceTask } from '../../shared/workload-rebalancer/rebalance-task.ts';
import type { TaskStore } from '../../shared/workload-rebalancer/task-store.ts';
import { workloadRebalancers } from '../../shared/workload-rebalancer/workload-rebalancer.ts';
import { account } from './practice-fleet.ts';
import { StoreHub, storeName } from './store-hub.ts';
import { MemoryAssignmentStore } from './stores/memory-assignment-store.ts';
import { MemoryDeschedulingStore } from './stores/memory-descheduling-store.ts';
import { MemoryElasticStore } from './stores/memory-elastic-store.ts';
import { MemoryExternalEventStore } from './stores/memory-external-event-store.ts';
import { MemoryHistoryStore } from './stores/memory-history-store.ts';
import { MemoryMoveLedger } from './stores/memory-move-ledger.ts';
import { MemoryPolicyStore } from './stores/memory-policy-store.ts';
import { MemoryResyncPositions } from './stores/memory-resync-positions.ts';
import { MemoryTaskStore } from './stores/memory-task-store.ts';
import { StrictTelemetry } from './strict-telemetry.ts';

const user = { username: 'a-user', manager: 'kubectl' };
const scheduler = { username: 'karmada-scheduler', manager: 'karmada-scheduler' };

export interface WorldOptions {
  readonly settings?: Parameters<typeof parseSettings>[0];
  /** Whether changes of rebalancers reach the bus by themselves. */
  readonly hook?: boolean;
  /** Whether bindings are scheduled as soon as their trigger is later than their last scheduling. */
  readonly scheduler?: boolean;
  /** Whether reductions are held on the hub: by the policy that we ship, and with all that it then reports. */
  readonly reductions?: boolean;
  /** Whether it is used for ElasticWorkloads: with all that it then reports. */
  readonly elastic?: boolean;
  /** Whether placements are recorded. */
  readonly history?: boolean;
  /** Whether it is used with MoveBudgets. */
  readonly budgets?: boolean;
  /** How far the clocks are ahead of the real time, in seconds. */
  readonly clocks?: Partial<Clocks>;
}

/** Three clocks of which none knows the others. A test may set them while time passes. */
export interface Clocks {
  /** The API server's: creationTimestamp. */
  hub: number;
  /** Of lastScheduledTime. */
  scheduler: number;
  /** Our functions'. */
  own: number;
}

export class World {
  #ids = 0;
  readonly clocks: Clocks = { hub: 0, scheduler: 0, own: 0 };
  /** The scheduler's passes that assigned replicas afresh: whose binding, in order. */
  readonly fresh: string[] = [];
  readonly clock = createVirtualClock('2026-11-21T10:00:00Z');
  readonly store = createObjectStore({ now: () => this.#now('hub'), newUid: () => this.#newId() });
  readonly hub = new StoreHub('karmada', this.store);
  readonly hubs = new LocalHubs('karmada', []);
  readonly connections = localConnections(this.hubs);
  /** A test may replace it. */
  registry: HubRegistry = localRegistry(this.hubs);
  readonly telemetry = new StrictTelemetry(this.clock);
  readonly #deadLetters = new DeadLetters({ clock: this.clock, newId: () => this.#newId() });
  readonly deadLetters = this.#deadLetters.all;
  /** The functions that users call. */
  readonly answerers: Answerers;
  readonly reasons: string[] = [];
  tasks: TaskStore = new MemoryTaskStore();
  readonly descheduling = new MemoryDeschedulingStore();
  policies = new MemoryPolicyStore();
  elastic = new MemoryElasticStore();
  positions = new MemoryResyncPositions();
  readonly assignments = new MemoryAssignmentStore();
  readonly ledger = new MemoryMoveLedger();
  externalEvents = new MemoryExternalEventStore();
  readonly history = new MemoryHistoryStore();
  /** The clusters of EC2 instances by their tags. */
  readonly instanceClusters = new Map<string, string>();
  /** Asked of the members of the hub; none unless a test gives one. */
  estimator: ClusterEstimator | undefined;
  hook: boolean;
  scheduler: boolean;
  readonly bus: LocalBus;
  readonly schedule: LocalSchedule;

  constructor(options: WorldOptions = {}) {
    const { reductions = false, elastic = false, budgets = false, history = false } = options;
    Object.assign(this.clocks, options.clocks);
    const features: readonly HubFeature[] = [
      ...(reductions ? ['gracefulReduction' as const] : []),
      ...(elastic ? ['elasticWorkloads' as const] : []),
      ...(history ? ['history' as const] : []),
    ];
    this.hubs.opened(this.hub);
    this.hook = options.hook ?? true;
    this.scheduler = options.scheduler ?? true;
    const settings = parseSettings(options.settings ?? {});
    const newId = () => this.#newId();
    const deployment = new LocalDeployment({
      ...{ clock: this.clock, newId, settings, telemetry: this.telemetry, deadLetters: this.#deadLetters },
      // EventBridge Scheduler and the functions have one clock.
      ownClock: { ...this.clock, now: () => this.#now('own') },
    });
    this.bus = deployment.bus;
    this.schedule = deployment.schedule;
    this.telemetry.listen((_, fields) => this.reasons.push(String(fields.reason)));
    const uses = this.hubs.uses.bind(this.hubs);
    this.hubs.uses = async (name, feature) => (feature === 'budgets' ? budgets : uses(name, feature));
    this.hubs.hasEstimator = async () => this.estimator !== undefined;
    const { answerers } = deployment.run({
      hubs: this.hubs,
      registry: current(() => this.registry),
      hookAccess: this.hubs,
      connections: this.connections,
      tasks: current(() => this.tasks),
      descheduling: this.descheduling,
      policies: current(() => this.policies),
      elastic: current(() => this.elastic),
      positions: current(() => this.positions),
      assignments: this.assignments,
      ledger: this.ledger,
      externalEvents: current(() => this.externalEvents),
      history: this.history,
      instances: { clustersOf: async () => this.instanceClusters },
      estimators: { of: async () => this.estimator },
    });
    this.answerers = answerers;
    this.store.onChange(({ type, plural, object, previous }) => {
      const specChanged =
        object.metadata.generation !== previous?.metadata.generation || object.metadata.deletionTimestamp !== undefined;
      if (plural === 'workloadrebalancers' && this.hook && specChanged)
        void this.publishRebalancer(object.metadata.name);
      const changed = specChanged || !isDeepStrictEqual(object.metadata.annotations, previous?.metadata.annotations);
      if (plural === 'rebalancepolicies' && this.hook && changed) void this.publishPolicy(object.metadata.name);
      if (plural === 'clusterdrains' && this.hook && (changed || type === 'DELETED'))
        void this.bus.publish([ClusterDrainChanged.of({ hub: 'karmada', name: object.metadata.name })]);
      const retainted = !isDeepStrictEqual(object.spec, previous?.spec);
      if (plural === 'clusters' && this.hook && retainted) void this.publishCluster(object.metadata.name);
      if (this.hook && !this.hub.isWriting)
        void this.#publishChange(features, plural, {
          object,
          ofStatus: !isDeepStrictEqual(object.status, previous?.status),
        });
      const ours = object.spec?.schedulerName === EVENKEEL_SCHEDULER;
      // The hook publishes nothing for our own writes.
      if (ours && !reductions && this.hook && specChanged && !this.hub.isWriting)
        void this.publishBinding(object.metadata);
      if (plural.endsWith('resourcebindings') && !ours && this.scheduler)
        this.clock.after(0, () => this.#act(plural, object));
    });
    this.store.create('namespaces', { metadata: { name: 'shop' } }, user);
    if (reductions) applyManifests(this.store, holdPolicy({ account }), user);
  }

  losePositions(): void {
    this.positions = new MemoryResyncPositions();
  }

  /** The event that the hook publishes for a changed WorkloadRebalancer. */
  publishRebalancer(name: string): Promise<void> {
    return this.bus.publish([WorkloadRebalancerChanged.of({ hub: 'karmada', name })]);
  }

  publishBinding({ namespace = '', name }: { readonly namespace?: string; readonly name: string }): Promise<void> {
    return this.bus.publish([BindingChanged.of({ hub: 'karmada', namespace, name })]);
  }

  /** What an audit policy for these features reports besides. */
  async #publishChange(
    features: readonly HubFeature[],
    plural: string,
    { object, ofStatus }: { readonly object: KubeObject; readonly ofStatus: boolean },
  ): Promise<void> {
    const { namespace = '', name } = object.metadata;
    const kind = watchedKinds.find(
      ({ group, resource, onlyFor }) =>
        storeName({ group, plural: resource }) === plural && onlyFor?.some((feature) => features.includes(feature)),
    );
    const event = ofStatus ? kind?.status : kind;
    const hint = event?.changed('karmada', { namespace, name });
    if (hint) await this.bus.publish(markedFor([hint], { history: features.includes('history') }));
  }

  publishPolicy(name: string): Promise<void> {
    return this.bus.publish([RebalancePolicyChanged.of({ hub: 'karmada', name })]);
  }

  publishCluster(name: string): Promise<void> {
    return this.bus.publish([ClusterChanged.of({ hub: 'karmada', name })]);
  }

  resync(): Promise<void> {
    return this.bus.publish([ResyncDue.of({ hub: 'karmada' })]);
  }

  /** Bindings for these workloads, each scheduled `scheduledAgo` seconds ago. By default what is namespaced is divided by dynamic weight. */
  bind(workloads: readonly ObjectReference[], scheduledAgo = 60, spec?: keyof typeof specs): void {
    for (const workload of workloads) {
      const { plural, group, version, kind } = bindingResource(workload);
      const key = bindingKey(workload);
      const metadata = { name: key.name, ...(key.namespace !== '' && { namespace: key.namespace }) };
      this.store.create(
        plural,
        {
          apiVersion: `${group}/${version}`,
          kind,
          metadata,
          spec: { resource: workload, ...specs[spec ?? usual(workload)] },
        },
        scheduler,
      );
      this.#scheduled(plural, key, this.#now('scheduler') - scheduledAgo * 1000);
    }
  }

  binding(workload: ObjectReference): {
    trigger: number | undefined;
    scheduled: number | undefined;
    generation: number;
  } {
    const object = this.store.get(bindingResource(workload).plural, bindingKey(workload));
    const time = (value: unknown) => (typeof value === 'string' ? fromTimestamp(value) : undefined);
    return {
      trigger: time(object?.spec?.rescheduleTriggeredAt),
      scheduled: time(object?.status?.lastScheduledTime),
      generation: object?.metadata.generation ?? 0,
    };
  }

  /** What a scheduler does for reasons of its own. */
  scheduleNow(workload: ObjectReference): void {
    this.#scheduled(bindingResource(workload).plural, bindingKey(workload), this.#now('scheduler'));
  }

  create(name: string, workloads: readonly ObjectReference[], ttlSecondsAfterFinished?: number): KubeObject {
    const spec = {
      workloads: written(workloads),
      ...(ttlSecondsAfterFinished !== undefined && { ttlSecondsAfterFinished }),
    };
    const { group, version, kind } = workloadRebalancers;
    const object = { apiVersion: `${group}/${version}`, kind, metadata: { name }, spec };
    return this.store.create('workloadrebalancers', object, user);
  }

  edit(name: string, spec: { workloads?: readonly ObjectReference[]; ttlSecondsAfterFinished?: number | null }): void {
    const body = { spec: { ...spec, ...(spec.workloads && { workloads: written(spec.workloads) }) } };
    this.store.patch('workloadrebalancers', { namespace: '', name }, { type: 'merge', body }, user);
  }

  delete(name: string): void {
    this.store.delete('workloadrebalancers', { namespace: '', name }, user);
  }

  rebalancer(name: string): KubeObject | undefined {
    return this.store.get('workloadrebalancers', { namespace: '', name });
  }

  /** "Deployment shop/web=Successful", in order. */
  results(name: string): string[] {
    const observed = (this.rebalancer(name)?.status?.observedWorkloads ?? []) as {
      workload: ObjectReference;
      result?: string;
    }[];
    return observed.map(
      ({ workload, result }) =>
        `${referenceLabel({ ...workload, namespace: workload.namespace ?? '' })}=${result ?? ''}`,
    );
  }

  async task(name: string): Promise<RebalanceTask | undefined> {
    return this.tasks.readTask({ hub: 'karmada', uid: this.rebalancer(name)?.metadata.uid ?? '' });
  }

  patches(): string[] {
    return this.hub.calls.flatMap(({ verb, plural, name }) =>
      verb === 'patch' && plural.endsWith('bindings') ? [name] : [],
    );
  }

  /** Lets time pass: every timer in its order, with all that follows from it done before the next. */
  async pass(seconds: number): Promise<void> {
    const end = this.clock.now() + seconds * 1000;
    await quiet();
    while (this.clock.step(end)) await quiet();
    this.clock.advance(end - this.clock.now());
  }

  /** A pass as karmada-scheduler's: only of a generation that it has not observed, and by its own condition. */
  #act(plural: string, { metadata }: KubeObject): void {
    const key = { namespace: metadata.namespace ?? '', name: metadata.name };
    const object = this.store.get(plural, key);
    const { generation, schedulerObservedGeneration: observed } = { ...object?.metadata, ...object?.status };
    if (object === undefined || observed === generation) return;
    const trigger = fromTimestamp(String(object.spec?.rescheduleTriggeredAt));
    const scheduled = fromTimestamp(String(object.status?.lastScheduledTime));
    const isAfresh = trigger !== undefined && scheduled !== undefined && trigger > scheduled;
    const { replicas, placement } = (object.spec ?? {}) as { replicas?: number; placement?: Placement };
    const isAlways = replicas === undefined || placement?.replicaScheduling?.replicaSchedulingType === 'Duplicated';
    if (isAfresh || isAlways) {
      this.fresh.push(metadata.name);
      this.#scheduled(plural, key, this.#now('scheduler'));
      return;
    }
    const body = { status: { schedulerObservedGeneration: generation } };
    this.store.patch(plural, key, { type: 'merge', body, subresource: 'status' }, scheduler);
  }

  #scheduled(plural: string, key: { namespace: string; name: string }, time: number): void {
    const schedulerObservedGeneration = this.store.get(plural, key)?.metadata.generation;
    const body = { status: { lastScheduledTime: toTimestamp(time), schedulerObservedGeneration } };
    this.store.patch(plural, key, { type: 'merge', body, subresource: 'status' }, scheduler);
  }

  #now(whose: keyof Clocks): number {
    return this.clock.now() + this.clocks[whose] * 1000;
  }

  #newId(): string {
    this.#ids += 1;
    return `id-${this.#ids}`;
  }
}

/** Resolved at each call, so that a test can lose the table. */
function current<Store extends object>(store: () => Store): Store {
  return new Proxy({} as Store, { get: (_, method) => (Reflect.get(store(), method) as () => unknown).bind(store()) });
}

interface Placement {
  readonly replicaScheduling?: { readonly replicaSchedulingType?: string };
}

const divided = { replicaSchedulingType: 'Divided', replicaDivisionPreference: 'Weighted' };
const specs = {
  dynamic: {
    replicas: 2,
    placement: { replicaScheduling: { ...divided, weightPreference: { dynamicWeight: 'AvailableReplicas' } } },
  },
  static: { replicas: 2, placement: { replicaScheduling: divided } },
  duplicated: { replicas: 2, placement: { replicaScheduling: { replicaSchedulingType: 'Duplicated' } } },
  'no replicas': { placement: {} },
};

function usual({ namespace }: ObjectReference): keyof typeof specs {
  return namespace === '' ? 'no replicas' : 'dynamic';
}

function written(workloads: readonly ObjectReference[]): object[] {
  return workloads.map(({ namespace, ...rest }) => (namespace === '' ? rest : { ...rest, namespace }));
}

/** Until every promise that can go on has gone on. */
async function quiet(): Promise<void> {
  for (let turn = 0; turn < 12; turn++) await new Promise((resolve) => setImmediate(resolve));
}
