/** Decides which of a binding's reductions go on waiting and which are released, and why: for the release function and for people. */
import type { Member } from '../member-cluster.ts';
import type { PlacedBinding } from '../placed-binding.ts';
import {
  newestTemplate,
  type ReportedStatus,
  readyIn,
  reportsOf,
  whyNotAssigned,
  whyNotCurrent,
} from '../readiness.ts';
import { type Instant, SECOND, toTimestamp } from '../time.ts';
import { assignedTo } from './holds.ts';
import {
  graceEnd,
  queueOf,
  type ReplicaReductionQueue,
  type ReplicaReductionTask,
  reductionStrategyOf,
} from './replica-reduction.ts';

export interface ReductionQuestion {
  readonly binding: PlacedBinding;
  /** The hub's clusters, by name: at least those that hold the binding, and those that are held. */
  readonly members: ReadonlyMap<string, Member>;
  readonly now: Instant;
  /** Where neither the binding nor its policy says. */
  readonly graceSeconds: number;
  /** Whether a change of the template ends the wait, rather than waiting for it to be ready too. */
  readonly releaseOnTemplateChange: boolean;
}

/** What it was that let a reduction go. `Dropped`: there is nothing to wait for any more. */
export type ReleasedBy = 'Ready' | 'Grace' | 'Template' | 'Dropped';

export interface Released {
  readonly cluster: string;
  readonly by: ReleasedBy;
  readonly reason: string;
}

export interface Waiting {
  readonly cluster: string;
  readonly task: ReplicaReductionTask;
  readonly reason: string;
}

export interface ReductionDecision {
  readonly next: ReplicaReductionQueue;
  readonly released: readonly Released[];
  readonly waiting: readonly Waiting[];
  /** When the first grace is over; absent where nothing waits for a time. */
  readonly lookAgainAt?: Instant;
}

interface Sight extends ReductionQuestion {
  readonly cluster: string;
  readonly task: ReplicaReductionTask;
  /** Why the others can't take over yet; undefined where they can. */
  readonly unready: string | undefined;
}

type Verdict = { readonly release: ReleasedBy; readonly reason: string } | { readonly hold: string };

type Rule = (sight: Sight) => Verdict | undefined;

/** The first that speaks is followed. What makes waiting senseless comes first, then what stops it from ending, then what ends it. */
const rules: readonly Rule[] = [
  ({ cluster, members }) => dropped(!members.has(cluster), `the hub has no cluster ${cluster} any more`),
  ({ binding }) => dropped(binding.metadata.deletionTimestamp !== undefined, 'the binding is being deleted'),
  ({ binding }) => dropped(reductionStrategyOf(binding) === undefined, 'nothing asks for it any more'),
  // Whoever scales to 0 wants it gone.
  ({ binding }) => dropped(binding.spec.replicas === 0, 'it is scaled to 0'),
  ({ task }) => dropped(task.replicas === 0, 'its entry says no number of replicas to keep'),
  ({ binding, cluster, task }) =>
    dropped(assignedTo(binding, cluster) >= task.replicas, 'it is assigned what it has again'),
  ({ binding, cluster }) => {
    const other = binding.spec.gracefulEvictionTasks?.find(({ fromCluster }) => fromCluster === cluster);
    return dropped(other !== undefined, `${other?.producer ?? 'somebody else'} evicts it from there`);
  },
  // Nothing is dispatched anywhere: no cluster can get ready, and the grace does not run.
  ({ binding }) =>
    binding.spec.suspension?.dispatching === true ? { hold: 'its dispatching is suspended' } : undefined,
  (sight) =>
    sight.releaseOnTemplateChange && hasOldTemplate(sight)
      ? { release: 'Template', reason: 'its template has changed since' }
      : undefined,
  ({ task }) => (task.suppressDeletion ? { hold: 'it waits for a person, as suppressDeletion says' } : undefined),
  ({ unready }) =>
    unready === undefined ? { release: 'Ready', reason: 'all that is assigned to other clusters is ready' } : undefined,
  ({ task, now, graceSeconds, unready }) => {
    const end = graceEnd(task, graceSeconds);
    if (end === undefined || now < end) return undefined;
    return { release: 'Grace', reason: `its grace was over at ${toTimestamp(end)}: ${unready ?? ''}` };
  },
];

function dropped(holds: boolean, reason: string): Verdict | undefined {
  return holds ? { release: 'Dropped', reason } : undefined;
}

/** What is held keeps the template that it had. */
function hasOldTemplate({ binding, cluster }: Sight): boolean {
  const held = reportsOf(binding).get(cluster)?.status?.resourceTemplateGeneration;
  return held != null && held !== newestTemplate(binding);
}

/** Notes when each wait began, which is the system's to say. */
export function decideReductions(question: ReductionQuestion): ReductionDecision {
  const { binding, now, graceSeconds } = question;
  const released: Released[] = [];
  const waiting: Waiting[] = [];
  for (const [cluster, task] of queueOf(binding)) {
    const unready = whyOthersNotReady(cluster, question);
    const sight = { ...question, cluster, task, unready };
    const verdict = firstOf(rules, sight) ?? { hold: unready ?? '' };
    if ('release' in verdict) released.push({ cluster, by: verdict.release, reason: verdict.reason });
    else waiting.push({ cluster, task: noted(sight), reason: verdict.hold });
  }
  const ends = waiting.flatMap(({ task }) => graceEnd(task, graceSeconds) ?? []);
  return {
    next: new Map(waiting.map(({ cluster, task }) => [cluster, task])),
    released,
    waiting,
    // A grace that is over and does not count begins anew, so that an end always lies ahead.
    ...(ends.length > 0 && { lookAgainAt: Math.max(Math.min(...ends), now + SECOND) }),
  };
}

function firstOf(all: readonly Rule[], sight: Sight): Verdict | undefined {
  for (const rule of all) {
    const verdict = rule(sight);
    if (verdict !== undefined) return verdict;
  }
  return undefined;
}

/** A grace that is over and has released nothing did not run: it begins anew. */
function noted({ task, now, graceSeconds }: Sight): ReplicaReductionTask {
  const end = graceEnd(task, graceSeconds);
  const isOver = end !== undefined && end <= now;
  if (task.creationTimestamp !== undefined && !isOver) return task;
  const patience = task.suppressDeletion ? {} : { gracePeriodSeconds: task.gracePeriodSeconds ?? graceSeconds };
  return { ...task, ...patience, creationTimestamp: now };
}

/**
 * Why what is assigned elsewhere can't take over from `cluster` yet: a cluster that is not Ready can't, for its reports are old; nor one whose
 * report is of an earlier template or size. Of one that is held too only its readiness counts: it is kept from the rest.
 * Clusters that shrink count as ready with as many as they are to have, which they exceed.
 */
export function whyOthersNotReady(
  cluster: string,
  { binding, members }: Pick<ReductionQuestion, 'binding' | 'members'>,
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

/** While old pods are still there, those that are ready may be the old ones: 3 old and ready beside 3 new that are not are 3 ready and 3 updated. */
function whyRollingOut(status: ReportedStatus['status'], replicas: number): string | undefined {
  const { updatedReplicas: updated, replicas: all } = status ?? {};
  if (updated == null) return undefined;
  if (updated < replicas) return `${updated} of ${replicas} updated`;
  const old = (all ?? updated) - updated;
  return old > 0 ? `${old} of an earlier template are still there` : undefined;
}
