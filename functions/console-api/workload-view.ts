/** The view of one binding: its replicas, the result of a rebalance, and its history. */

import type { Moment, WorkloadAnswer } from '../../shared/console-api/operations/fleet.ts';
import { type Instant, toTimestamp } from '../../shared/core/time.ts';
import type { DeschedulingDecision } from '../../shared/descheduling/descheduling.ts';
import { graceEnd, queueOf } from '../../shared/graceful-reduction/replica-reduction.ts';
import type { Cluster } from '../../shared/karmada/assignment/cluster.ts';
import { type Scheduling, scheduleBinding } from '../../shared/karmada/assignment/plan-scheduling.ts';
import { distributionOf, planFresh, sharedCapacities } from '../../shared/karmada/assignment/rebalance-plan.ts';
import { TRIGGERED_BY } from '../../shared/karmada/binding.ts';
import type { PlacedBinding } from '../../shared/karmada/placed-binding.ts';
import { readyIn, reportsOf } from '../../shared/karmada/readiness.ts';

export interface WorkloadSeen {
  readonly binding: PlacedBinding;
  readonly clusters: readonly Cluster[];
  /** Whether the hub has the feature `failback`. */
  readonly failback: boolean;
  /** Decisions on this binding. */
  readonly decisions: readonly DeschedulingDecision[];
  /** Default grace period, if the binding sets none. */
  readonly graceSeconds: number;
}

export function workloadAnswer(seen: WorkloadSeen): WorkloadAnswer {
  const { binding } = seen;
  const { spec, status, metadata } = binding;
  const { apiVersion, kind, namespace, name } = spec.resource;
  return {
    key: { namespace: metadata.namespace, name: metadata.name },
    workload: { apiVersion, kind, namespace, name },
    replicas: spec.replicas,
    scheduler: spec.schedulerName || 'default-scheduler',
    ...(spec.rescheduleTriggeredAt != null && { triggeredAt: toTimestamp(spec.rescheduleTriggeredAt) }),
    ...(status.lastScheduledTime != null && { scheduledAt: toTimestamp(status.lastScheduledTime) }),
    clusters: sharesOf(seen),
    plan: planOf(seen),
    history: historyOf(seen),
  };
}

function sharesOf({ binding, graceSeconds }: WorkloadSeen): WorkloadAnswer['clusters'] {
  const reports = reportsOf(binding);
  const held = queueOf(binding);
  const assigned = new Map(binding.spec.clusters.map(({ name, replicas }) => [name, replicas]));
  return [...new Set([...assigned.keys(), ...held.keys()])].sort().map((name) => {
    const replicas = assigned.get(name) ?? 0;
    const task = held.get(name);
    const until = task && graceEnd(task, graceSeconds);
    return {
      name,
      assigned: replicas,
      ready: readyIn(reports.get(name), replicas),
      ...(task && {
        held: {
          replicas: task.replicas,
          ...(task.creationTimestamp !== undefined && { since: toTimestamp(task.creationTimestamp) }),
          ...(until !== undefined && { until: toTimestamp(until) }),
        },
      }),
    };
  });
}

function planOf({ binding, clusters, failback }: WorkloadSeen): WorkloadAnswer['plan'] {
  const capacity = sharedCapacities()(binding);
  const { fresh, moves } = planFresh(binding, { clusters, capacity, failback });
  const steady = scheduleBinding({ binding, clusters, available: capacity, mode: 'Steady' });
  const { outcome, reason } = fresh;
  return { steady: found(steady), fresh: found(fresh), moves, outcome, reason };
}

function found(scheduling: Scheduling): Readonly<Record<string, number>> | null {
  return scheduling.outcome === 'Success' ? Object.fromEntries(distributionOf(scheduling.clusters)) : null;
}

function historyOf({ binding, decisions }: WorkloadSeen): Moment[] {
  const { spec, status, metadata } = binding;
  const moments: { readonly when: Instant; readonly moment: Omit<Moment, 'at'> }[] = [];
  const add = (when: Instant | null | undefined, moment: Omit<Moment, 'at'>) => {
    if (when != null) moments.push({ when, moment });
  };
  const [rebalancer = '', uid] = (metadata.annotations[TRIGGERED_BY] ?? '').split('/');
  add(spec.rescheduleTriggeredAt, {
    who: rebalancer === '' ? 'another client' : `WorkloadRebalancer ${rebalancer}`,
    what: 'written',
    text: 'asked the scheduler to assign it anew (rescheduleTriggeredAt)',
    ...(uid !== undefined && { id: uid }),
  });
  add(status.lastScheduledTime, {
    who: `scheduler ${spec.schedulerName || 'default-scheduler'}`,
    what: 'written',
    text: `last assigned it: ${sharesText(spec.clusters)}`,
  });
  for (const [cluster, task] of queueOf(binding))
    add(task.creationTimestamp, {
      who: 'graceful reduction',
      what: 'written',
      text: `${cluster} keeps ${task.replicas} until their replacements are ready`,
    });
  for (const { decidedAt, run, outcome, taken, reason } of decisions)
    add(decidedAt, { who: 'descheduler', what: 'decided', text: `${outcome}, ${taken} taken out: ${reason}`, id: run });
  return moments.sort((a, b) => b.when - a.when).map(({ when, moment }) => ({ at: toTimestamp(when), ...moment }));
}

/** "member1 4, member2 4". */
function sharesText(clusters: PlacedBinding['spec']['clusters']): string {
  return clusters.map(({ name, replicas }) => `${name} ${replicas}`).join(', ') || 'to no cluster';
}
