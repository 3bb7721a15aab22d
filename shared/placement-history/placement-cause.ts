/** Decides who changed a workload's placement, from two states of its binding and from what the stores know of them. */
import { fromTimestamp, type Instant, SECOND } from '../core/time.ts';
import { DESCHEDULED_AT, type DeschedulingDecision } from '../descheduling/descheduling.ts';
import { signatureOf } from '../karmada/binding.ts';
import { FIELD_MANAGER } from '../kubernetes/resource.ts';
import type { PolicyState } from '../rebalance-policy/policy-run.ts';
import { ASSIGNED_AT } from '../workload-rebalancer/given-assignment.ts';
import { UNSCHEDULABLE_MOVED_BY } from '../workload-rebalancer/workload-rebalancer.ts';
import type { MemberState } from './cluster-row.ts';
import type { ObservedPlacement } from './observed-placement.ts';
import type { PlacementCause, PlacementMarks, PlacementRow } from './placement-row.ts';

/** What the stores know of a change by Evenkeel, and the hub of the clusters that were left. */
export interface KnownMover {
  /** The policy or drain whose last run took the workload. */
  readonly policy?: PolicyState | undefined;
  /** The descheduler's last decision on the binding. */
  readonly decision?: DeschedulingDecision | undefined;
  /** Of `leftByScheduler`; Gone for one that left the hub. */
  readonly left?: readonly { readonly cluster: string; readonly state: MemberState }[];
}

/** A change of a binding: its last row, and its present state. */
export interface PlacementChange {
  readonly last: PlacementRow;
  readonly seen: ObservedPlacement;
  readonly marks: PlacementMarks;
  readonly at: Instant;
}

/** A trigger explains what its scheduler assigns within this time; a run what changes until so long after its end. */
export const EFFECT_MS = 10 * 60 * SECOND;

export function marksOf({ binding }: ObservedPlacement): PlacementMarks {
  const { spec, metadata } = binding;
  const {
    [ASSIGNED_AT]: assignedAt,
    [DESCHEDULED_AT]: descheduledAt,
    [UNSCHEDULABLE_MOVED_BY]: unschedulableMovedBy,
  } = metadata.annotations;
  const evicted = (spec.gracefulEvictionTasks ?? []).map(({ fromCluster }) => fromCluster).sort();
  return {
    ...(spec.rescheduleTriggeredAt != null && { triggeredAt: spec.rescheduleTriggeredAt }),
    ...(assignedAt !== undefined && { assignedAt }),
    ...(descheduledAt !== undefined && { descheduledAt }),
    ...(unschedulableMovedBy !== undefined && { unschedulableMovedBy }),
    ...(evicted.length > 0 && { evicted }),
  };
}

/** Which stores know more about a change: each is asked only if the binding shows that it may. */
export function storesToAsk(change: PlacementChange): { readonly decision: boolean; readonly policy: boolean } {
  return { decision: isDescheduled(change), policy: isTriggered(change) || isMoved(change) };
}

/** So many clusters explain a move. */
const MOST_LEFT = 3;

/** Clusters that a scheduler took all replicas from, by its own rules: their state may explain why. */
export function leftByScheduler(change: PlacementChange): readonly string[] {
  const { last, seen, marks } = change;
  const ask = storesToAsk(change);
  if (ask.decision || ask.policy || byEviction(change) || byScaling(change) || marks.evicted?.length) return [];
  const assigned = new Set(seen.binding.spec.clusters.flatMap(({ name, replicas }) => (replicas > 0 ? [name] : [])));
  return Object.keys(last.assigned)
    .filter((cluster) => !assigned.has(cluster))
    .slice(0, MOST_LEFT);
}

/** The first rule that applies. A scaling comes after the movers: a rebalance may assign a new total too. */
const rules: readonly ((change: PlacementChange, known: KnownMover) => PlacementCause | undefined)[] = [
  byDescheduler,
  byPolicy,
  byTrigger,
  byMove,
  byEviction,
  byScaling,
];

export function causeOf(change: PlacementChange, known: KnownMover): PlacementCause {
  for (const rule of rules) {
    const cause = rule(change, known);
    if (cause !== undefined) return cause;
  }
  const cause = byManager(change.seen);
  const unready = (known.left ?? []).filter(({ state }) => state !== 'Ready');
  if (cause.by !== 'Scheduler' || unready.length === 0) return cause;
  return { ...cause, why: unready.map(({ cluster, state }) => `${cluster} is ${state}`).join(', ') };
}

function byDescheduler(change: PlacementChange, { decision }: KnownMover): PlacementCause | undefined {
  if (!isDescheduled(change)) return undefined;
  return { by: 'Descheduler', ...(decision && { name: decision.run, why: decision.reason }) };
}

function byPolicy(change: PlacementChange, { policy }: KnownMover): PlacementCause | undefined {
  const { run } = policy ?? {};
  if (policy === undefined || run === undefined || !storesToAsk(change).policy) return undefined;
  const end = (run.finishedAt ?? change.at) + EFFECT_MS;
  if (change.at + SECOND < run.startedAt || change.at > end || isRequestedAfter(change, run.finishedAt))
    return undefined;
  return { by: policy.drains === undefined ? 'RebalancePolicy' : 'ClusterDrain', name: policy.name, why: run.run };
}

/** A rebalance or `evenkeel undo` soon after the end of a run is not the run's. */
function isRequestedAfter(change: PlacementChange, finishedAt: Instant | undefined): boolean {
  const { triggeredAt, assignedAt = '' } = change.marks;
  const times = [
    ...(isTriggered(change) ? [triggeredAt ?? 0] : []),
    ...(assignedAt === (change.last.marks.assignedAt ?? '') ? [] : [fromTimestamp(assignedAt) ?? 0]),
  ];
  return finishedAt !== undefined && times.some((time) => time > finishedAt);
}

function byTrigger(change: PlacementChange): PlacementCause | undefined {
  if (!isTriggered(change)) return undefined;
  const { spec, metadata } = change.seen.binding;
  const signature = signatureOf(metadata.annotations);
  if (signature === undefined || signature.triggeredAt !== spec.rescheduleTriggeredAt)
    return { by: 'User', why: 'rescheduleTriggeredAt was written by another client' };
  return { by: 'WorkloadRebalancer', name: nameIn(signature.triggeredBy) };
}

function byMove({ last, marks }: PlacementChange): PlacementCause | undefined {
  const { unschedulableMovedBy = '' } = marks;
  if (unschedulableMovedBy !== (last.marks.unschedulableMovedBy ?? ''))
    return { by: 'WorkloadRebalancer', name: nameIn(unschedulableMovedBy), why: 'its unschedulable replicas' };
  if (marks.assignedAt === last.marks.assignedAt) return undefined;
  return { by: 'WorkloadRebalancer', why: 'a given assignment' };
}

function byEviction({ last, marks, seen }: PlacementChange): PlacementCause | undefined {
  const left = (marks.evicted ?? []).filter((cluster) => !(last.marks.evicted ?? []).includes(cluster));
  const [first] = left;
  if (first === undefined) return undefined;
  const { producer } = seen.binding.spec.gracefulEvictionTasks?.find(({ fromCluster }) => fromCluster === first) ?? {};
  return { by: 'Eviction', ...(producer != null && { name: producer }), why: `evicted from ${left.join(', ')}` };
}

function byScaling({ last, seen }: PlacementChange): PlacementCause | undefined {
  const { replicas } = seen.binding.spec;
  return replicas === last.total ? undefined : { by: 'User', why: `scaled from ${last.total} to ${replicas}` };
}

/** By the field manager of spec.clusters: Karmada's components are named after themselves. */
function byManager({ assignedBy, binding }: ObservedPlacement): PlacementCause {
  const { schedulerName } = binding.spec;
  if (assignedBy === undefined) return { by: 'Scheduler' };
  if (assignedBy === FIELD_MANAGER) return { by: 'Scheduler', name: schedulerName || FIELD_MANAGER };
  if (assignedBy.includes('descheduler')) return { by: 'Descheduler', name: assignedBy };
  const isScheduler = assignedBy.includes('scheduler') || assignedBy === schedulerName;
  return { by: isScheduler ? 'Scheduler' : 'User', name: assignedBy };
}

function isDescheduled({ last, marks }: PlacementChange): boolean {
  return marks.descheduledAt !== undefined && marks.descheduledAt !== last.marks.descheduledAt;
}

function isTriggered({ last, marks, at }: PlacementChange): boolean {
  const { triggeredAt } = marks;
  return triggeredAt !== undefined && triggeredAt !== last.marks.triggeredAt && at - triggeredAt <= EFFECT_MS;
}

/** Written by Evenkeel without a trigger and without a scaling: a move of a policy or drain, or our scheduler. */
function isMoved({ last, seen }: PlacementChange): boolean {
  return seen.assignedBy === FIELD_MANAGER && seen.binding.spec.replicas === last.total;
}

/** Of "<name>/<uid>", with or without more. */
function nameIn(author: string): string {
  return author.split('/')[0] ?? '';
}
