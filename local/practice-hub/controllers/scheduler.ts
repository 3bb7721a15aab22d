/** The practice hub's scheduler: assigns replicas of bindings to members as karmada-scheduler does, and can be paused to show what a scheduler that does not act looks like. */
import { isDeepStrictEqual } from 'node:util';
import {
  type Assignment,
  assignReplicas,
  type CandidateCluster,
} from '../../../shared/model/assignment/assign-replicas.ts';
import { availableReplicas } from '../../../shared/model/assignment/available-replicas.ts';
import { type Cluster, parseCluster } from '../../../shared/model/assignment/cluster.ts';
import { strategyOf } from '../../../shared/model/assignment/placement.ts';
import { amountOf } from '../../../shared/model/assignment/quantity.ts';
import { selectClusters } from '../../../shared/model/assignment/select-clusters.ts';
import { toTimestamp, wholeSecond } from '../../../shared/model/time.ts';
import { keyOf } from '../store/object-collection.ts';
import type { Change, KubeObject, ObjectStore } from '../store/objects.ts';
import { karmadaScheduler as by } from './actors.ts';
import type { AssumedRoom } from './assumed-room.ts';
import {
  APPLIED_PLACEMENT,
  type BindingView,
  bindingPlurals,
  type Condition,
  getByWorkKey,
  isWorkload,
  readBinding,
  readWorkKey,
  specChanged,
  withCondition,
  workKey,
} from './binding-view.ts';
import type { Recorder } from './record-event.ts';
import type { WorkLoop } from './work-loop.ts';

const SUCCESS = 'Binding has been scheduled successfully.';

export interface Scheduler {
  onChange(change: Change): void;
  pause(): void;
  resume(): void;
}

export interface SchedulerOptions {
  readonly store: ObjectStore;
  readonly loop: WorkLoop;
  readonly now: () => number;
  readonly assumed: AssumedRoom;
  readonly recorder: Recorder;
}

export function createScheduler({ store, loop, now, assumed, recorder }: SchedulerOptions): Scheduler {
  const queue = loop.queue(reconcile);
  const readClusters = createClusterReader(store);
  /** Looked at again when a cluster has more room, or other taints. */
  const unplaced = new Set<string>();
  /** These follow the set of clusters that fit: a cluster that joins gets its copy. */
  const everywhere = new Set<string>();

  function reconcile(key: string): void {
    const object = getByWorkKey(store, key);
    unplaced.delete(key);
    everywhere.delete(key);
    if (object === undefined) return;
    const binding = readBinding(readWorkKey(key).plural, object);
    if (!isOurs(binding)) return;
    if (goesEverywhere(binding)) everywhere.add(key);
    const due = mustSchedule(binding, object.spec?.placement);
    if (due || goesEverywhere(binding)) {
      const assignment = assign(binding);
      if (assignment.outcome !== 'Assigned') unplaced.add(key);
      if (due || !isAsAssigned(binding, assignment)) return write(binding, object, assignment);
    }
    if (binding.status.schedulerObservedGeneration !== binding.metadata.generation) {
      patchStatus(binding, { schedulerObservedGeneration: binding.metadata.generation });
    }
  }

  function assign(binding: BindingView): Assignment {
    const { spec } = binding;
    const current = new Map(spec.clusters.map(({ name, replicas }) => [name, replicas]));
    const selection = selectClusters(spec.placement ?? {}, readClusters(), (name) => current.has(name));
    const request = spec.replicaRequirements?.resourceRequest ?? undefined;
    const clusters = selection.candidates.map(
      (cluster): CandidateCluster => ({
        ...cluster,
        available: availableReplicas({ summary: cluster.resourceSummary, request, assumed: assumed.on(cluster.name) }),
      }),
    );
    const assignment = assignReplicas({
      replicas: spec.replicas,
      strategy: strategyOf(spec.placement ?? {}),
      clusters,
      current,
      mode: rescheduleRequired(binding) ? 'Fresh' : 'Steady',
      uid: spec.resource.uid,
      workload: isWorkload(binding),
    });
    return assignment.outcome === 'NoClusterFit' ? { ...assignment, message: selection.message } : assignment;
  }

  function write(binding: BindingView, object: KubeObject, assignment: Assignment): void {
    // Short of room, what is assigned stays; where no cluster fits, what was assigned there must go.
    const clusters = assignment.outcome === 'Assigned' ? assignment.clusters : [];
    let { generation } = binding.metadata;
    if (assignment.outcome !== 'Unschedulable') {
      const annotations = { [APPLIED_PLACEMENT]: JSON.stringify(object.spec?.placement) };
      const spec = { clusters: isWorkload(binding) ? clusters : clusters.map(({ name }) => ({ name })) };
      const body = { metadata: { annotations }, spec };
      generation = store.patch(binding.plural, binding.key, { type: 'merge', body }, by).metadata.generation;
      for (const { name, replicas } of clusters) {
        const before = binding.spec.clusters.find((cluster) => cluster.name === name)?.replicas ?? 0;
        assumed.add(name, replicas - before, binding.spec.replicaRequirements?.resourceRequest ?? undefined);
      }
    }
    const condition = conditionOf(assignment);
    const conditions = withCondition(binding.status.conditions, condition, now());
    const scheduled = condition.status === 'True';
    if (!scheduled && isDeepStrictEqual(conditions, binding.status.conditions)) return;
    patchStatus(binding, {
      conditions,
      ...(scheduled && { schedulerObservedGeneration: generation, lastScheduledTime: toTimestamp(now()) }),
    });
    const result = clusters.map(({ name, replicas }) => `${name}:${replicas}`).join(', ');
    recorder.record(
      binding,
      scheduled
        ? { type: 'Normal', reason: 'ScheduleBindingSucceed', message: `${SUCCESS} Result: {${result}}` }
        : { type: 'Warning', reason: 'ScheduleBindingFailed', message: condition.message },
      by,
    );
  }

  function patchStatus({ plural, key }: BindingView, status: Record<string, unknown>): void {
    store.patch(plural, key, { type: 'merge', body: { status }, subresource: 'status' }, by);
  }

  return {
    onChange(change) {
      if ((bindingPlurals as readonly string[]).includes(change.plural)) {
        if (specChanged(change)) queue.add(workKey(change.plural, keyOf(change.object)));
      } else if (change.plural === 'clusters') {
        const effect = effectOf(change);
        if (effect !== 'none') for (const key of unplaced) queue.add(key);
        if (effect === 'other clusters fit') for (const key of everywhere) queue.add(key);
      }
    },
    pause: () => queue.pause(),
    resume: () => queue.resume(),
  };
}

function isOurs({ metadata, spec }: BindingView): boolean {
  if (metadata.deletionTimestamp !== undefined || spec.placement == null || spec.suspension?.scheduling === true)
    return false;
  return spec.schedulerName === '' || spec.schedulerName === 'default-scheduler';
}

function goesEverywhere(binding: BindingView): boolean {
  return !isWorkload(binding) || strategyOf(binding.spec.placement ?? {}).kind === 'Duplicated';
}

/** Strictly later, in whole seconds; false where either is absent: the first scheduling divides anew anyway. */
function rescheduleRequired({ spec, status }: BindingView): boolean {
  const { rescheduleTriggeredAt: triggered } = spec;
  const { lastScheduledTime: last } = status;
  return triggered != null && last != null && wholeSecond(triggered) > wholeSecond(last);
}

/** `placement` as it is stored: the fields that assignment does not read count as well. */
function mustSchedule(binding: BindingView, placement: unknown): boolean {
  const { spec, status, metadata } = binding;
  const applied = metadata.annotations[APPLIED_PLACEMENT];
  if (applied === undefined || status.lastScheduledTime == null) return true;
  if (!isDeepStrictEqual(readApplied(applied), placement)) return true;
  const assigned = spec.clusters.reduce((sum, { replicas }) => sum + replicas, 0);
  if (!goesEverywhere(binding) && assigned !== spec.replicas) return true;
  return rescheduleRequired(binding);
}

function readApplied(annotation: string): unknown {
  try {
    return JSON.parse(annotation);
  } catch {
    return undefined; // Somebody else's text: the placement counts as changed.
  }
}

function isAsAssigned({ spec }: BindingView, assignment: Assignment): boolean {
  const sorted = [...spec.clusters].sort((a, b) => (a.name < b.name ? -1 : 1));
  return isDeepStrictEqual(sorted, assignment.outcome === 'Assigned' ? assignment.clusters : []);
}

function conditionOf(assignment: Assignment): Condition {
  return assignment.outcome === 'Assigned'
    ? { type: 'Scheduled', status: 'True', reason: 'Success', message: SUCCESS }
    : { type: 'Scheduled', status: 'False', reason: assignment.outcome, message: assignment.message };
}

/**
 * Parses a cluster once a version: a bulk of bindings reads the same few clusters thousands of times. One that cannot be
 * read is no candidate; the others still are.
 */
function createClusterReader(store: ObjectStore): () => readonly Cluster[] {
  let parsed = new Map<KubeObject, Cluster | undefined>();
  return () => {
    const objects = store.list('clusters');
    parsed = new Map(objects.map((object) => [object, parsed.has(object) ? parsed.get(object) : readCluster(object)]));
    return [...parsed.values()].filter((cluster) => cluster !== undefined);
  };
}

function readCluster(object: KubeObject): Cluster | undefined {
  try {
    return parseCluster(object);
  } catch {
    return undefined;
  }
}

type ClusterEffect = 'none' | 'more room' | 'other clusters fit';

/** Less room helps nobody who waits: only growth, another spec or another readiness is worth a second look. */
function effectOf({ type, object, previous }: Change): ClusterEffect {
  if (type !== 'MODIFIED' || previous === undefined) return 'other clusters fit';
  const [is, was] = [readCluster(object), readCluster(previous)];
  const [summary, before] = [is?.resourceSummary, was?.resourceSummary];
  const sameOtherwise = isDeepStrictEqual({ ...is, resourceSummary: {} }, { ...was, resourceSummary: {} });
  if (!sameOtherwise) return 'other clusters fit';
  const grew = Object.keys(summary?.allocatable ?? {}).some(
    (resource) => free(summary, resource) > free(before, resource),
  );
  return grew ? 'more room' : 'none';
}

function free(summary: Cluster['resourceSummary'], resource: string): number {
  const amount = (list: keyof NonNullable<Cluster['resourceSummary']>): number => amountOf(resource, summary?.[list]);
  return amount('allocatable') - amount('allocated') - amount('allocating');
}
