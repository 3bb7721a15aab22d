/** Decides which of a binding's reductions keep waiting and which are released, and why: for the release function and for display. */

import { type Instant, SECOND, toTimestamp } from '../core/time.ts';
import type { Member } from '../karmada/member-cluster.ts';
import type { PlacedBinding } from '../karmada/placed-binding.ts';
import {
  newestTemplate,
  type ReportedStatus,
  readyIn,
  reportsOf,
  whyNotAssigned,
  whyNotCurrent,
} from '../karmada/readiness.ts';
import { assignedTo } from './holds.ts';
import {
  graceEnd,
  queueOf,
  type ReplicaReductionQueue,
  type ReplicaReductionTask,
  reductionStrategyOf,
} from './replica-reduction.ts';

export interface ReductionInput {
  readonly binding: PlacedBinding;
  /** The hub's clusters, by name: at least those with replicas of the binding and those with held replicas. */
  readonly members: ReadonlyMap<string, Member>;
  readonly now: Instant;
  /** Default grace period, if neither the binding nor its policy sets one. */
  readonly graceSeconds: number;
  /** Whether a template change ends the wait immediately. */
  readonly releaseOnTemplateChange: boolean;
}

/** Why a reduction was released. `Dropped`: there is no replacement to wait for. */
export type ReleasedBy = 'Ready' | 'Grace' | 'Template' | 'Dropped';

export interface Released {
  readonly cluster: string;
  readonly by: ReleasedBy;
  readonly reason: string;
}

export interface WaitingReduction {
  readonly cluster: string;
  readonly task: ReplicaReductionTask;
  readonly reason: string;
}

export interface ReductionDecision {
  readonly next: ReplicaReductionQueue;
  readonly released: readonly Released[];
  readonly waiting: readonly WaitingReduction[];
  /** When the first grace period ends; absent if there is none. */
  readonly checkAgainAt?: Instant;
}

interface ReductionState extends ReductionInput {
  readonly cluster: string;
  readonly task: ReplicaReductionTask;
  /** Why the other clusters can't take over yet; undefined if they can. */
  readonly unready: string | undefined;
}

type ReleaseResult = { readonly release: ReleasedBy; readonly reason: string } | { readonly hold: string };

type ReleaseRule = (observation: ReductionState) => ReleaseResult | undefined;

/** The first rule with a result applies: first the rules that drop a reduction, then those that extend the wait, then those that end it. */
const rules: readonly ReleaseRule[] = [
  ({ cluster, members }) => dropped(!members.has(cluster), `the hub has no cluster ${cluster} any more`),
  ({ binding }) => dropped(binding.metadata.deletionTimestamp !== undefined, 'the binding is being deleted'),
  ({ binding }) => dropped(reductionStrategyOf(binding) === undefined, 'nothing asks for it any more'),
  // Scaling to 0 removes the workload everywhere.
  ({ binding }) => dropped(binding.spec.replicas === 0, 'it is scaled to 0'),
  ({ task }) => dropped(task.replicas === 0, 'its entry has no number of replicas to keep'),
  ({ binding, cluster, task }) =>
    dropped(assignedTo(binding, cluster) >= task.replicas, 'it is assigned what it has again'),
  ({ binding, cluster }) => {
    const other = binding.spec.gracefulEvictionTasks?.find(({ fromCluster }) => fromCluster === cluster);
    return dropped(other !== undefined, `${other?.producer ?? 'another client'} evicts it from there`);
  },
  // Nothing is dispatched: no cluster can become ready, and the grace period does not run.
  ({ binding }) =>
    binding.spec.suspension?.dispatching === true ? { hold: 'its dispatching is suspended' } : undefined,
  (observation) =>
    observation.releaseOnTemplateChange && hasOldTemplate(observation)
      ? { release: 'Template', reason: 'its template has changed since' }
      : undefined,
  ({ task }) =>
    task.suppressDeletion ? { hold: 'it waits for a manual release: suppressDeletion is true' } : undefined,
  ({ unready }) =>
    unready === undefined ? { release: 'Ready', reason: 'all that is assigned to other clusters is ready' } : undefined,
  ({ task, now, graceSeconds, unready }) => {
    const end = graceEnd(task, graceSeconds);
    if (end === undefined || now < end) return undefined;
    return { release: 'Grace', reason: `its grace was over at ${toTimestamp(end)}: ${unready ?? ''}` };
  },
];

function dropped(holds: boolean, reason: string): ReleaseResult | undefined {
  return holds ? { release: 'Dropped', reason } : undefined;
}

/** Held replicas keep their old template. */
function hasOldTemplate({ binding, cluster }: ReductionState): boolean {
  const held = reportsOf(binding).get(cluster)?.status?.resourceTemplateGeneration;
  return held != null && held !== newestTemplate(binding);
}

/** Also records when each wait began. Only the system sets that time. */
export function decideReductions(input: ReductionInput): ReductionDecision {
  const { binding, now, graceSeconds } = input;
  const released: Released[] = [];
  const waiting: WaitingReduction[] = [];
  for (const [cluster, kept] of queueOf(binding)) {
    // No cluster keeps more replicas than the workload's total. The admission rules reduce an entry in the write that scales the workload down.
    const task = { ...kept, replicas: Math.min(kept.replicas, binding.spec.replicas) };
    const unready = whyOthersNotReady(cluster, input);
    const observation = { ...input, cluster, task, unready };
    const result = firstOf(rules, observation) ?? { hold: unready ?? '' };
    if ('release' in result) released.push({ cluster, by: result.release, reason: result.reason });
    else waiting.push({ cluster, task: noted(observation), reason: result.hold });
  }
  const ends = waiting.flatMap(({ task }) => graceEnd(task, graceSeconds) ?? []);
  return {
    next: new Map(waiting.map(({ cluster, task }) => [cluster, task])),
    released,
    waiting,
    // A grace period that ended without a release restarts, so the next end is always in the future.
    ...(ends.length > 0 && { checkAgainAt: Math.max(Math.min(...ends), now + SECOND) }),
  };
}

function firstOf(all: readonly ReleaseRule[], observation: ReductionState): ReleaseResult | undefined {
  for (const rule of all) {
    const result = rule(observation);
    if (result !== undefined) return result;
  }
  return undefined;
}

/** A grace period that ended without a release did not run: it restarts. */
function noted({ task, now, graceSeconds }: ReductionState): ReplicaReductionTask {
  const end = graceEnd(task, graceSeconds);
  const isOver = end !== undefined && end <= now;
  const creationTimestamp = task.creationTimestamp === undefined || isOver ? now : task.creationTimestamp;
  // Admission rules can't read settings: for an entry without a grace period they would use the default.
  const timeout = task.suppressDeletion ? {} : { gracePeriodSeconds: task.gracePeriodSeconds ?? graceSeconds };
  return { ...task, ...timeout, creationTimestamp };
}

/**
 * Why the assigned clusters can't replace `cluster` yet. A cluster must be Ready, because its reports are stale otherwise, and its
 * report must be of the current template and size. A cluster that is itself held only needs ready replicas, because its dispatching is suspended.
 * Clusters that shrink count as ready with their new number, which they exceed.
 */
export function whyOthersNotReady(
  cluster: string,
  { binding, members }: Pick<ReductionInput, 'binding' | 'members'>,
): string | undefined {
  const { spec } = binding;
  const unassigned = whyNotAssigned(binding);
  if (unassigned !== undefined) return unassigned;
  const queue = queueOf(binding);
  const template = newestTemplate(binding);
  const reports = reportsOf(binding);
  for (const { name, replicas } of spec.clusters) {
    if (name === cluster || replicas === 0) continue;
    if (members.get(name)?.ready !== true) return `cluster ${name} is not Ready`;
    const report = reports.get(name);
    const ready = readyIn(report, replicas);
    if (ready < replicas) return `${ready} of ${replicas} ready on ${name}`;
    if (queue.has(name)) continue;
    const old = whyNotCurrent(report, template);
    if (old !== undefined) return `${name}: ${old}`;
    const rollout = whyRollingOut(report?.status, replicas);
    if (rollout !== undefined) return `${rollout} on ${name}`;
  }
  return undefined;
}

/** While old pods exist, the ready ones may be the old ones: 3 old and ready beside 3 new and unready are 3 ready and 3 updated. */
function whyRollingOut(status: ReportedStatus['status'], replicas: number): string | undefined {
  const { updatedReplicas: updated, replicas: all } = status ?? {};
  if (updated == null) return undefined;
  if (updated < replicas) return `${updated} of ${replicas} updated`;
  const old = (all ?? updated) - updated;
  return old > 0 ? `${old} of an earlier template are still there` : undefined;
}
