/** `evenkeel get task NAME` and `evenkeel get run NAME`: one of them, workload by workload. */
import type { RunAnswer } from '../../shared/console-api/operations/decisions.ts';
import type { TaskAnswer, TaskWorkloadResult } from '../../shared/console-api/operations/tasks.ts';
import { count } from '../../shared/core/count.ts';
import { referenceLabel } from '../../shared/kubernetes/object-reference.ts';
import { changesBetween } from '../plan/print-plan.ts';
import { type Output, printed, type Rows } from './printed-rows.ts';

export interface DetailView {
  /** One line, above the rows. */
  readonly description: string;
  readonly print: (output: Output) => Promise<string>;
}

export function taskDetail({ task, workloads }: TaskAnswer): DetailView {
  const rows: Rows<TaskWorkloadResult> = {
    rows: workloads,
    columns: [
      { head: 'KIND', of: ({ workload }) => workload.kind },
      { head: 'NAMESPACE', of: ({ workload }) => workload.namespace || '-' },
      { head: 'NAME', of: ({ workload }) => workload.name },
      { head: 'RESULT', of: ({ result = '-' }) => result },
      { head: 'WANTED SINCE', of: ({ wantedSince }) => wantedSince, wide: true },
      {
        head: 'WHY',
        of: ({ reason, why }) => [reason, why].filter((text) => text !== undefined).join(': '),
        text: true,
      },
    ],
    name: ({ workload }) => `${workload.kind.toLowerCase()}/${workload.namespace}/${workload.name}`,
    document: { task, workloads },
    none: 'It names no workload.',
  };
  const { rescheduling, deletedAt } = task;
  const parts = [
    `${task.name}: ${task.state}, ${task.successful} of ${task.workloads} triggered, ${task.failed} failed`,
    ...(rescheduling ? [`the scheduler has acted on ${rescheduling.confirmed} (${rescheduling.state})`] : []),
    ...(rescheduling?.gone ? [`${count(rescheduling.gone, 'binding')} gone`] : []),
    ...(deletedAt === undefined ? [] : [`its ttl ends at ${deletedAt}`]),
  ];
  return { description: parts.join('; '), print: (output) => printed(rows, output) };
}

export function runDetail({ run, decisions }: RunAnswer): DetailView {
  const rows: Rows<RunAnswer['decisions'][number]> = {
    rows: decisions,
    columns: [
      { head: 'WAVE', of: ({ wave }) => (wave === undefined ? '-' : String(wave)), right: true },
      { head: 'WORKLOAD', of: ({ workload }) => referenceLabel(workload) },
      { head: 'OUTCOME', of: ({ outcome }) => outcome },
      { head: 'MOVES', of: ({ moves }) => String(moves), right: true },
      { head: 'REPLICAS', of: ({ current, next }) => changesBetween(current, next) },
      { head: 'REASON', of: ({ reason }) => reason, text: true },
    ],
    name: ({ workload }) => `${workload.kind.toLowerCase()}/${workload.namespace}/${workload.name}`,
    document: { run, decisions },
    none: 'It concerned no workload, as far as its history goes.',
  };
  const { policy, setOffBy, state, message } = run;
  return {
    description: `Run ${run.run} of RebalancePolicy ${policy}, set off by ${setOffBy.join(', ')}: ${state}, ${message}`,
    print: (output) => printed(rows, output),
  };
}
