/** Prints what a run or a task changed: by workload, by cluster, and in a sentence. */
import { clusterDiffs, diffSummary, diffText } from '../../shared/console-api/diff-text.ts';
import type { RunDiff, TaskDiff, WorkloadDiff } from '../../shared/console-api/operations/diffs.ts';
import { referenceLabel } from '../../shared/kubernetes/object-reference.ts';
import { aligned } from '../aligned.ts';
import { type Output, printed, type Rows } from '../operator/printed-rows.ts';

/** The diff of a task or of a run, with all its pages. */
export interface NamedDiff {
  readonly of: Pick<TaskDiff, 'task' | 'exists'> | Pick<RunDiff, 'run'>;
  readonly total: number;
  readonly workloads: readonly WorkloadDiff[];
  readonly unrecorded: string | undefined;
}

/** "run/…", or the form of a run, which no Kubernetes object can have as its name: "2026-11-25T10:00:00Z-4f2a81c0". */
export function isRunName(name: string): boolean {
  return /^runs?\//.test(name) || (!name.includes('/') && /^\d{4}-\d\d-\d\dT/.test(name));
}

export async function printedDiff({ of, total, workloads, unrecorded }: NamedDiff, output: Output): Promise<string> {
  const document = { ...of, total, workloads, clusters: clusterDiffs(workloads), ...(unrecorded && { unrecorded }) };
  const text = await printed(rowsOf(workloads, document), output);
  if (output !== 'table' && output !== 'wide') return text;
  const clusters = clusterTable(workloads);
  const parts = [
    headOf(of),
    ...(unrecorded === undefined ? [] : [`Placements are not recorded: ${unrecorded}`]),
    text,
    ...(clusters === '' ? [] : [clusters]),
    `${diffSummary(workloads)}.`,
  ];
  return parts.join('\n\n');
}

function headOf(of: NamedDiff['of']): string {
  if ('run' in of) return `Run ${of.run.run} of ${of.run.policy}: ${of.run.state}, ${of.run.message}`;
  const { name, state, successful, workloads, failed } = of.task;
  const exists = of.exists === false ? '; its WorkloadRebalancer is deleted' : '';
  return `${name}: ${state}, ${successful} of ${workloads} triggered, ${failed} failed${exists}`;
}

function rowsOf(workloads: readonly WorkloadDiff[], document: object): Rows<WorkloadDiff> {
  return {
    rows: workloads,
    columns: [
      { head: 'WORKLOAD', of: ({ workload }) => referenceLabel(workload) },
      { head: 'OUTCOME', of: ({ outcome }) => outcome },
      { head: 'MOVES', of: ({ moves }) => String(moves), right: true },
      { head: 'REPLICAS', of: (each) => diffText(each) || '-' },
      { head: 'CHANGED', of: ({ changedAt = '-' }) => changedAt, wide: true },
      { head: 'SOURCE', of: ({ source = '-' }) => source, wide: true },
      { head: 'WHY', of: ({ why = '' }) => why, text: true },
    ],
    name: ({ workload }) => `${workload.kind.toLowerCase()}/${workload.namespace}/${workload.name}`,
    document,
    none: 'It has no workloads, or none in this namespace.',
  };
}

/** Empty if no placement is known. */
function clusterTable(workloads: readonly WorkloadDiff[]): string {
  const rows = clusterDiffs(workloads).map(({ cluster, before, after }) => [
    cluster,
    String(before),
    String(after),
    signed(after - before),
  ]);
  return rows.length === 0
    ? ''
    : aligned([['CLUSTER', 'BEFORE', 'AFTER', 'CHANGE'], ...rows], { right: [1, 2, 3] }).join('\n');
}

function signed(change: number): string {
  return change > 0 ? `+${change}` : String(change);
}
