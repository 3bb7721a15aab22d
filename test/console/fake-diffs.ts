/** What the tasks and the run of the fake world changed. */
import type { RunDiff, TaskDiff, WorkloadDiff } from '../../shared/console-api/operations/diffs.ts';
import type { FleetAnswer } from '../../shared/console-api/operations/fleet.ts';
import type { OutputOf } from '../../shared/console-api/operations.ts';
import { movedBetween } from '../../shared/karmada/assignment/rebalance-plan.ts';

interface FakePage {
  readonly from: number;
  readonly limit: number;
}

/** As in the answer of the task. */
const TTL_MS = 600_000;

type Replicas = Readonly<Record<string, number>>;

export function fakeTaskDiff(
  fleet: FleetAnswer,
  task: OutputOf<'listTasks'>['tasks'][number],
  { from, limit }: FakePage,
): TaskDiff {
  const count = Math.min(limit, Math.max(0, task.workloads - from));
  const names = fleet.clusters.map(({ name }) => name);
  const workloads = Array.from({ length: count }, (_, step) => {
    const place = from + step;
    const { kind = '', namespace = '', name = '' } = fleet.workloads[place % fleet.workloads.length] ?? {};
    const workload = { apiVersion: 'apps/v1', kind, namespace, name };
    if (place >= task.successful) return undecided(workload, task.state === 'Running');
    const [first = '', second = '', third = ''] = [0, 1, 2].map((more) => names[(place + more) % names.length]);
    const before: Replicas = { [first]: 6, [second]: 6 };
    const after: Replicas = place % 4 === 3 ? before : { [first]: 4, [second]: 4, [third]: 4 };
    return placed(workload, before, after);
  });
  const exists = task.finishedAt === undefined || Date.parse(task.finishedAt) + TTL_MS > Date.now();
  return { task, exists, total: task.workloads, workloads };
}

export function fakeRunDiff({ run, decisions }: OutputOf<'getRun'>, { from, limit }: FakePage): RunDiff {
  const workloads = decisions.slice(from, from + limit).map(({ workload, outcome, current, next, reason: why }) => {
    const { outcome: kept, ...rest } = placed(workload, withReplicas(current), withReplicas(next));
    return { ...rest, outcome: outcome === 'Skipped' ? ('Skipped' as const) : kept, why };
  });
  return { run, total: decisions.length, workloads };
}

function placed(workload: WorkloadDiff['workload'], before: Replicas, after: Replicas): WorkloadDiff {
  const moves = movedBetween(Object.entries(before), new Map(Object.entries(after)));
  const outcome = moves > 0 ? 'Moved' : 'Unchanged';
  return { workload, outcome, before: { ...before }, after: { ...after }, source: 'Recorded', moves };
}

function undecided(workload: WorkloadDiff['workload'], running: boolean): WorkloadDiff {
  const why = running ? 'its trigger is not written yet' : 'ReferencedBindingNotFound: it has no binding';
  return { workload, outcome: running ? 'Pending' : 'Failed', moves: 0, why };
}

function withReplicas(numbers: Replicas): Replicas {
  return Object.fromEntries(Object.entries(numbers).filter(([, replicas]) => replicas > 0));
}
