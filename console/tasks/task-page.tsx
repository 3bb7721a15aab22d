/** One rebalance: its progress, the result of each workload, and whether the scheduler has acted. */
import { useEffect, useState } from 'preact/hooks';
import type { WorkloadDiff } from '../../shared/console-api/operations/diffs.ts';
import type { TaskAnswer, TaskWorkloadResult } from '../../shared/console-api/operations/tasks.ts';
import { DiffCell, DiffPanel } from '../diff/diff-panel.tsx';
import { useDiff } from '../diff/use-diff.ts';
import { bindingOf, durationOf, nameOf, plural } from '../format.ts';
import { useKept } from '../kept-answer.ts';
import { now, useAnswer } from '../live.ts';
import { Chip } from '../parts/chip.tsx';
import { ClockOrDash, Facts, Progress } from '../parts/progress.tsx';
import { Answered, Empty } from '../parts/states.tsx';
import { Clock, Countdown } from '../parts/time.tsx';
import { VirtualRows } from '../parts/virtual-rows.tsx';
import { YamlPanel } from '../parts/yaml-panel.tsx';
import { hrefOf } from '../route.ts';
import type { IndexRange } from '../virtual-window.ts';
import { outcomeOf } from './tasks-page.tsx';

/** The maximum of one response. */
const PAGE = 500;
const columns = ['Workload', 'Result', 'Replicas', 'Why'] as const;

export function TaskPage({ hub, name }: { readonly hub: string; readonly name: string }) {
  const [inView, setInView] = useState<IndexRange>({ from: 0, to: 0 });
  const uid = useListedUid(hub, name);
  const from = pageOf(inView.from);
  const until = pageOf(Math.max(inView.from, inView.to - 1));
  // The first page is always loaded, since it has the header. A window over a page boundary needs both pages.
  const first = useAnswer('getTask', uid ? { hub, name, uid } : undefined);
  const upper = useAnswer('getTask', uid && from !== 0 ? { hub, name, uid, from } : undefined);
  const lower = useAnswer(
    'getTask',
    uid && until !== 0 && until !== from ? { hub, name, uid, from: until } : undefined,
  );
  const diff = useDiff('getTaskDiff', uid ? { hub, name, uid } : undefined, inView);
  const { answer, gone } = useKept(first, `${hub}/${name}`);
  const pages = new Map([
    [until, lower.data],
    [from, upper.data],
    [0, answer.data],
  ]);
  const read = (index: number): TaskWorkloadResult | undefined => pages.get(pageOf(index))?.workloads[index % PAGE];
  return (
    <div class={`page task ${first.data?.task.state === 'Running' ? 'of-hub' : ''}`}>
      {uid === '' && (
        <Empty title={`There is no task ${name} yet`} alone>
          A new one appears here by itself, within seconds. A finished one stays after its WorkloadRebalancer is
          deleted, for historyDays (30 by default) after its last change, among the last 500 of the hub.
        </Empty>
      )}
      {uid !== '' && (
        <Answered answer={answer} what="task" alone>
          {({ task }) => (
            <>
              <Head task={task} exists={gone ? false : diff.exists} />
              {gone && (
                <p class="notice" role="status">
                  Evenkeel does not keep this task any longer, because historyDays have passed since its last change.
                  This is its last state.
                </p>
              )}
              <DiffPanel diff={diff} name={task.name} />
              <VirtualRows
                kind="task-workloads"
                label="Workloads of the task"
                count={task.workloads}
                columns={columns}
                onView={setInView}
                row={(index) => rowOf(hub, read(index), diff.at(index))}
              />
              <YamlPanel hub={hub} kind="rebalancers" name={task.name} />
            </>
          )}
        </Answered>
      )}
    </div>
  );
}

/**
 * Empty if the task does not exist: one that was ordered a moment ago may not exist yet, which is no error. Undefined until that is known.
 * Kept once it is known, because the list may lack a task while the task changes.
 */
function useListedUid(hub: string, name: string): string | undefined {
  const [found, setFound] = useState<{ readonly of: string; readonly uid: string }>();
  const of = `${hub}/${name}`;
  const known = found?.of === of ? found.uid : undefined;
  const tasks = useAnswer('listTasks', known ? undefined : { hub, limit: 500 });
  const listed = tasks.data && (tasks.data.tasks.find((task) => task.name === name)?.uid ?? '');
  useEffect(() => {
    if (listed) setFound({ of, uid: listed });
  }, [of, listed]);
  return known ?? listed;
}

function pageOf(index: number): number {
  return Math.floor(index / PAGE) * PAGE;
}

function rowOf(hub: string, of: TaskWorkloadResult | undefined, diff: WorkloadDiff | undefined) {
  if (of === undefined) return undefined;
  const { workload, result, reason, why } = of;
  const key = bindingOf(workload);
  return [
    <a href={hrefOf({ page: 'workload', hub, ...key })} title={nameOf(workload)}>
      {nameOf(workload)}
    </a>,
    result === undefined ? (
      <Chip tone="busy">waiting</Chip>
    ) : (
      <Chip tone={result === 'Successful' ? 'good' : 'bad'}>{result === 'Successful' ? 'triggered' : 'failed'}</Chip>
    ),
    <DiffCell diff={diff} />,
    <span class="muted" title={why}>
      {[reason, why].filter((text) => text !== undefined).join(': ')}
    </span>,
  ];
}

function Head({ task, exists }: DeletionProps) {
  const { tone, word } = outcomeOf(task);
  return (
    <>
      <div class="page-head">
        <h1>{task.name}</h1>
        <Chip tone={tone}>{word}</Chip>
        <span class="grow">
          <Progress {...task} of={task.workloads} label="Workloads triggered" />
        </span>
      </div>
      <Facts
        facts={[
          { name: 'Created', value: <Clock time={task.createdAt} /> },
          { name: 'Finished', value: <ClockOrDash time={task.finishedAt} /> },
          { name: 'Failed', value: <span class="number">{task.failed.toLocaleString()}</span> },
          { name: 'Scheduler acted on', value: <Rescheduling task={task} /> },
          { name: 'Deletion', value: <Deletion task={task} exists={exists} /> },
          { name: 'Generation', value: <span class="number">{task.generation}</span> },
          ...(task.traceId === undefined ? [] : [{ name: 'Trace', value: <code>{task.traceId}</code> }]),
        ]}
      />
      {task.rescheduling?.state === 'Overdue' && (
        <p class="notice bad" role="alert">
          The scheduler has not acted on {plural(waitingOf(task, task.rescheduling), 'trigger')} in time:{' '}
          {task.rescheduling.waitingFor.join(', ')}. Check whether it runs on the hub.
        </p>
      )}
    </>
  );
}

function waitingOf(
  { successful }: TaskAnswer['task'],
  { confirmed, gone = 0 }: NonNullable<TaskAnswer['task']['rescheduling']>,
): number {
  return successful - confirmed - gone;
}

function Rescheduling({ task: { rescheduling, successful } }: { readonly task: TaskAnswer['task'] }) {
  if (rescheduling === undefined) return <span class="muted">not known yet</span>;
  const { state, confirmed, gone = 0 } = rescheduling;
  if (state === 'Confirmed' && gone === 0) return <Chip tone="good">all</Chip>;
  const text = `${confirmed.toLocaleString()} of ${successful.toLocaleString()}`;
  if (state === 'Confirmed') return <Chip tone="busy">{`${text}, ${plural(gone, 'binding')} gone`}</Chip>;
  return <Chip tone={state === 'Overdue' ? 'bad' : 'busy'}>{text}</Chip>;
}

interface DeletionProps {
  readonly task: TaskAnswer['task'];
  /** Whether the WorkloadRebalancer is on the hub; undefined if that is not known. */
  readonly exists: boolean | undefined;
}

function Deletion({ task: { deletedAt, ttlSecondsAfterFinished: ttl }, exists }: DeletionProps) {
  const isDue = deletedAt !== undefined && Date.parse(deletedAt) <= now.value;
  if (exists === false && !isDue) return <span class="muted">deleted</span>;
  if (deletedAt === undefined) {
    if (ttl === undefined) return <span class="muted">kept</span>;
    return <span class="number">{durationOf(ttl * 1000)} after it ends</span>;
  }
  if (isDue)
    return (
      <span>
        {exists === false ? 'deleted' : 'due'} at <Clock time={deletedAt} />
      </span>
    );
  return (
    <span>
      at <Clock time={deletedAt} />, in <Countdown time={deletedAt} />
    </span>
  );
}
