/** Recent changes on a hub, from its tasks, its descheduler and its policies' runs: one list, newest first. */
import type { DecisionSummary, RunSummary } from '../../shared/console-api/operations/decisions.ts';
import type { TaskSummary } from '../../shared/console-api/operations/tasks.ts';
import { plural } from '../format.ts';
import type { PageRoute } from '../route.ts';

export interface FleetChange {
  /** Stable across responses, so that a line keeps its place in the page. */
  readonly id: string;
  readonly at: string;
  readonly title: string;
  readonly text: string;
  readonly tone: 'good' | 'bad' | 'busy' | 'plain';
  readonly to: Exclude<PageRoute, { page: 'unknown' }>;
}

const HOUR = 3_600_000;

export interface Sources {
  readonly tasks: readonly TaskSummary[];
  readonly decisions: readonly DecisionSummary[];
  readonly runs: readonly RunSummary[];
}

export function lastHour(hub: string, sources: Sources, now: number): readonly FleetChange[] {
  const changes = [
    ...sources.tasks.map((task) => ofTask(hub, task)),
    ...ofDecisions(hub, sources.decisions),
    ...sources.runs.map((run) => ofRun(hub, run)),
  ];
  return changes.filter(({ at }) => now - Date.parse(at) < HOUR).toSorted((a, b) => (a.at < b.at ? 1 : -1));
}

function ofTask(hub: string, task: Sources['tasks'][number]): FleetChange {
  const { name, uid, state, workloads, successful, failed } = task;
  const done = successful + failed;
  const text =
    state === 'Running'
      ? `${done.toLocaleString()} of ${plural(workloads, 'workload')} triggered`
      : `${plural(successful, 'workload')} triggered${failed > 0 ? `, ${failed.toLocaleString()} failed` : ''}`;
  const tone = failed > 0 || state === 'Abandoned' ? 'bad' : state === 'Running' ? 'busy' : 'good';
  return {
    id: `task ${uid}`,
    at: task.finishedAt ?? task.updatedAt,
    title: name,
    text,
    tone,
    to: { page: 'task', hub, name },
  };
}

/** One line for each descheduler run that evicted replicas. */
function ofDecisions(hub: string, decisions: Sources['decisions']): readonly FleetChange[] {
  const byRun = Map.groupBy(
    decisions.filter(({ outcome, taken }) => outcome === 'Written' && taken > 0),
    ({ run }) => run,
  );
  return [...byRun].map(([run, of]) => {
    const taken = of.reduce((sum, each) => sum + each.taken, 0);
    const at = of.reduce((latest, each) => (each.decidedAt > latest ? each.decidedAt : latest), '');
    return {
      id: `sweep ${run}`,
      at,
      title: 'Descheduler',
      text: `${plural(taken, 'replica')} that no node took, out of ${plural(of.length, 'workload')}`,
      tone: 'plain',
      to: { page: 'decisions', hub },
    };
  });
}

function ofRun(
  hub: string,
  { run, policy, state, moved, setOffBy, startedAt, finishedAt }: Sources['runs'][number],
): FleetChange {
  const cause = setOffBy[0] === undefined ? '' : ` after ${setOffBy[0]}`;
  return {
    id: `run ${run}`,
    at: finishedAt ?? startedAt,
    title: `Policy ${policy}`,
    text: `${state.toLowerCase()}: ${plural(moved, 'replica')} moved${cause}`,
    tone: state === 'Running' ? 'busy' : state === 'Stopped' ? 'bad' : 'plain',
    to: { page: 'run', hub, run },
  };
}
