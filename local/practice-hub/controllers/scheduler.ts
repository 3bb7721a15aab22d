/** The practice hub's scheduler: assigns replicas to members as karmada-scheduler does, and can be paused to simulate a stalled scheduler. */
import { isDeepStrictEqual } from 'node:util';
import type { AssumeCache } from '../../../shared/karmada/assignment/assume-cache.ts';
import { capacityOf } from '../../../shared/karmada/assignment/available-replicas.ts';
import { type Cluster, parseCluster } from '../../../shared/karmada/assignment/cluster.ts';
import { goesEverywhere, type Scheduling } from '../../../shared/karmada/assignment/plan-scheduling.ts';
import { amountOf } from '../../../shared/karmada/assignment/quantity.ts';
import {
  assignedBy,
  DEFAULT_SCHEDULER,
  decideScheduling,
  isScheduledBy,
  schedulingEvent,
  specPatch,
  statusPatch,
} from '../../../shared/karmada/assignment/scheduling-decision.ts';
import { keyOf } from '../store/object-collection.ts';
import type { KubeObject, ObjectStore, StoreChange } from '../store/objects.ts';
import { karmadaScheduler as by } from './actors.ts';
import { type BindingView, bindingAt, bindingPlurals, specChanged, workKey } from './binding-view.ts';
import type { Recorder } from './record-event.ts';
import type { Controller, ControllerContext } from './work-loop.ts';

export interface Scheduler extends Controller {
  pause(): void;
  resume(): void;
}

export interface SchedulerOptions extends ControllerContext {
  readonly assumed: AssumeCache;
  readonly recorder: Recorder;
}

export function createScheduler({ store, loop, now, assumed, recorder }: SchedulerOptions): Scheduler {
  const queue = loop.queue(reconcile);
  const readClusters = createClusterReader(store);
  /** Retried when a cluster gains capacity, or its taints change. */
  const unplaced = new Set<string>();
  /** Bindings that go to all fitting clusters: a cluster that joins gets a copy. */
  const everywhere = new Set<string>();

  function reconcile(key: string): void {
    unplaced.delete(key);
    everywhere.delete(key);
    const binding = bindingAt(store, key);
    if (binding === undefined) return;
    if (!isScheduledBy(binding, DEFAULT_SCHEDULER)) return;
    if (goesEverywhere(binding)) everywhere.add(key);
    const decision = decideScheduling({
      binding,
      clusters: readClusters(),
      available: capacityOf(binding, { assumed }),
    });
    if (decision.action === 'Write') {
      if (decision.scheduling.outcome !== 'Success') unplaced.add(key);
      write(binding, decision.scheduling);
    } else if (decision.action === 'Observe') {
      patchStatus(binding, { schedulerObservedGeneration: binding.metadata.generation });
    }
  }

  function write(binding: BindingView, scheduling: Scheduling): void {
    const body = specPatch(binding, scheduling);
    let { generation } = binding.metadata;
    if (body !== undefined) {
      generation = store.patch(binding.plural, binding.key, { type: 'merge', body }, by).metadata.generation;
      assumed.addAssigned(binding, assignedBy(scheduling) ?? []);
    }
    const status = statusPatch(binding, scheduling, { generation, now: now() });
    if (status === undefined) return;
    patchStatus(binding, status);
    recorder.recordOnBoth(binding, schedulingEvent(scheduling), by);
  }

  function patchStatus({ plural, key }: BindingView, status: object): void {
    store.patch(plural, key, { type: 'merge', body: { status }, subresource: 'status' }, by);
  }

  return {
    onChange(change) {
      if (bindingPlurals.includes(change.plural)) {
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

/**
 * Parses each version of a cluster once, since many bindings read the same few clusters. An unreadable cluster is no
 * candidate.
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

type ClusterEffect = 'none' | 'more capacity' | 'other clusters fit';

/** Only more capacity, another spec or another readiness can help a pending binding. */
function effectOf({ type, object, previous }: StoreChange): ClusterEffect {
  if (type !== 'MODIFIED' || previous === undefined) return 'other clusters fit';
  const [is, was] = [readCluster(object), readCluster(previous)];
  const [summary, before] = [is?.resourceSummary, was?.resourceSummary];
  const sameOtherwise = isDeepStrictEqual({ ...is, resourceSummary: {} }, { ...was, resourceSummary: {} });
  if (!sameOtherwise) return 'other clusters fit';
  const grew = Object.keys(summary?.allocatable ?? {}).some(
    (resource) => free(summary, resource) > free(before, resource),
  );
  return grew ? 'more capacity' : 'none';
}

function free(summary: Cluster['resourceSummary'], resource: string): number {
  const amount = (list: keyof NonNullable<Cluster['resourceSummary']>): number => amountOf(resource, summary?.[list]);
  return amount('allocatable') - amount('allocated') - amount('allocating');
}
