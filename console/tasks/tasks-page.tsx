/** The rebalances of a hub, with progress and result. */
import { useState } from 'preact/hooks';
import type { TaskSummary } from '../../shared/console-api/operations/tasks.ts';
import { contains } from '../fleet/fleet-view.ts';
import { may, useAnswer } from '../live.ts';
import { Chip, type Tone } from '../parts/chip.tsx';
import { Progress } from '../parts/progress.tsx';
import { Choice, Search } from '../parts/search.tsx';
import { Answered, Empty } from '../parts/states.tsx';
import { Table } from '../parts/table-frame.tsx';
import { Age } from '../parts/time.tsx';
import { hrefOf } from '../route.ts';

type TaskSubset = 'all' | 'Running' | 'Finished' | 'failed';

/** The result in one word: a finished task may have failures. */
export function outcomeOf({ state, failed }: Pick<TaskSummary, 'state' | 'failed'>): {
  readonly tone: Tone;
  readonly word: string;
} {
  if (state === 'Running') return { tone: 'busy', word: 'running' };
  if (state === 'Abandoned') return { tone: 'warn', word: 'abandoned' };
  return failed > 0 ? { tone: 'bad', word: 'with failures' } : { tone: 'good', word: 'finished' };
}

export function TasksPage({ hub }: { readonly hub: string }) {
  const tasks = useAnswer('listTasks', { hub, limit: 500 });
  const [typed, setTyped] = useState('');
  const [which, setWhich] = useState<TaskSubset>('all');
  return (
    <div class="page">
      <div class="page-head">
        <h1>Tasks</h1>
      </div>
      <div class="toolbar">
        <Search label="Filter tasks" value={typed} onChange={setTyped} />
        <Choice
          label="Show"
          value={which}
          onChange={setWhich}
          of={[
            ['all', 'All'],
            ['Running', 'Running'],
            ['Finished', 'Finished'],
            ['failed', 'With failures'],
          ]}
        />
      </div>
      <Answered answer={tasks} what="tasks">
        {(data) => <TaskTable hub={hub} all={data.tasks} typed={typed} which={which} />}
      </Answered>
    </div>
  );
}

interface TaskTableProps {
  readonly hub: string;
  readonly all: readonly TaskSummary[];
  readonly typed: string;
  readonly which: TaskSubset;
}

function TaskTable({ hub, all, typed, which }: TaskTableProps) {
  const shown = all.filter(
    (task) =>
      contains(task.name, typed) && (which === 'all' || (which === 'failed' ? task.failed > 0 : task.state === which)),
  );
  if (all.length === 0)
    return (
      <Empty title="No rebalance yet">
        {may.value.command
          ? 'Open a workload on the Fleet page and press Rebalance, or apply a WorkloadRebalancer.'
          : 'Apply a WorkloadRebalancer to the hub, and it appears here.'}
      </Empty>
    );
  if (shown.length === 0) return <Empty title="No task matches the filter">Clear it to see all {all.length}.</Empty>;
  return (
    <Table
      label="Tasks"
      columns={['Rebalancer', ['state', 'State'], ['progress', 'Workloads'], ['number', 'Failed'], ['age', 'Changed']]}
    >
      {shown.map((task) => {
        const { tone, word } = outcomeOf(task);
        return (
          <tr key={task.uid} class={task.state === 'Running' ? 'of-hub' : ''}>
            <th scope="row">
              <a href={hrefOf({ page: 'task', hub, name: task.name })}>{task.name}</a>
            </th>
            <td>
              <Chip tone={tone}>{word}</Chip>
            </td>
            <td>
              <Progress {...task} of={task.workloads} label={`Progress of ${task.name}`} />
            </td>
            <td class={`col-number number ${task.failed > 0 ? 'bad' : 'muted'}`}>{task.failed.toLocaleString()}</td>
            <td class="col-age">
              <Age time={task.finishedAt ?? task.updatedAt} />
            </td>
          </tr>
        );
      })}
    </Table>
  );
}
