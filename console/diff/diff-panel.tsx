/** The replicas of all workloads of a task or a run by cluster, before it and after it. */
import { type ClusterDiff, clusterDiffs, diffSummary, diffText } from '../../shared/console-api/diff-text.ts';
import type { WorkloadDiff } from '../../shared/console-api/operations/diffs.ts';
import { plural, signed } from '../format.ts';
import { Table } from '../parts/table-frame.tsx';
import { DIFF_PAGE, type LoadedDiff } from './use-diff.ts';

/** Those with the largest change. */
const MOST_CLUSTERS = 8;

export interface DiffPanelProps {
  readonly diff: LoadedDiff;
  /** What `evenkeel diff` takes. */
  readonly name: string;
}

export function DiffPanel({ diff: { first }, name }: DiffPanelProps) {
  const clusters = clusterDiffs(first?.workloads ?? []);
  return (
    <section class="panel diff" aria-labelledby="diff-title">
      <div class="panel-head">
        <h2 id="diff-title">Before and after</h2>
        <span class="muted">{first === undefined ? 'Reading…' : diffSummary(first.workloads)}</span>
      </div>
      {first?.unrecorded !== undefined && (
        <p class="panel-empty">
          Before and after are not recorded. <span class="muted">{first.unrecorded}</span>
        </p>
      )}
      {clusters.length > 0 && <Clusters clusters={clusters} />}
      {(first?.total ?? 0) > DIFF_PAGE && (
        <p class="diff-note muted">
          Sums of the first {DIFF_PAGE} of {plural(first?.total ?? 0, 'workload')}; <code>evenkeel diff {name}</code>{' '}
          reads more.
        </p>
      )}
    </section>
  );
}

function Clusters({ clusters }: { readonly clusters: readonly ClusterDiff[] }) {
  const most = Math.max(1, ...clusters.map(({ before, after }) => Math.max(before, after)));
  const more = clusters.length - MOST_CLUSTERS;
  return (
    <>
      <Table
        label="Replicas by cluster, before and after"
        kind="plan"
        isPlain
        columns={[
          'Cluster',
          ['number', 'Before'],
          ['share', <span class="sr-only">Before and after as bars</span>],
          ['number', 'After'],
          ['number', 'Change'],
        ]}
      >
        {clusters.slice(0, MOST_CLUSTERS).map((each) => (
          <Row key={each.cluster} of={each} most={most} />
        ))}
      </Table>
      {more > 0 && <p class="diff-note muted">and {plural(more, 'cluster')} with smaller changes</p>}
    </>
  );
}

function Row({ of: { cluster, before, after }, most }: { readonly of: ClusterDiff; readonly most: number }) {
  const change = after - before;
  return (
    <tr>
      <th scope="row">{cluster}</th>
      <td class="col-number number">{before.toLocaleString()}</td>
      <td class="col-share">
        <span class="diff-bars" aria-hidden="true">
          <span class="bar">
            <span class="bar-part faint" style={{ transform: `scaleX(${before / most})` }} />
          </span>
          <span class="bar">
            <span class="bar-part plain" style={{ transform: `scaleX(${after / most})` }} />
          </span>
        </span>
      </td>
      <td class="col-number number">{after.toLocaleString()}</td>
      <td class={`col-number number ${change > 0 ? 'good' : change < 0 ? 'bad' : 'muted'}`}>{signed(change) || '0'}</td>
    </tr>
  );
}

const words: Readonly<Record<WorkloadDiff['outcome'], string>> = {
  Moved: 'moved',
  Unchanged: 'unchanged',
  Pending: 'pending',
  Rescheduled: 'rescheduled',
  Failed: 'not moved',
  Skipped: 'left alone',
};

/** "moved: member1 0→4, member2 6→4", in a row of a list. */
export function DiffCell({ diff }: { readonly diff: WorkloadDiff | undefined }) {
  if (diff === undefined) return <span class="not-yet" />;
  const { outcome, why } = diff;
  const replicas = diffText(diff);
  const word = outcome === 'Failed' && replicas.includes('→') ? 'failed' : words[outcome];
  const text = replicas === '' ? word : `${word}: ${replicas}`;
  return (
    <span class={outcome === 'Moved' ? 'number' : 'number muted'} title={why === undefined ? text : `${text} (${why})`}>
      {text}
    </span>
  );
}
