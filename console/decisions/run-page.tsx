/** One run of a RebalancePolicy, workload by workload. */
import { useState } from 'preact/hooks';
import { diffText } from '../../shared/console-api/diff-text.ts';
import { DiffPanel } from '../diff/diff-panel.tsx';
import { useDiff } from '../diff/use-diff.ts';
import { bindingOf, movesText, nameOf } from '../format.ts';
import { useAnswer } from '../live.ts';
import { Chip } from '../parts/chip.tsx';
import { ClockOrDash, Facts } from '../parts/progress.tsx';
import { Answered } from '../parts/states.tsx';
import { Clock } from '../parts/time.tsx';
import { VirtualRows } from '../parts/virtual-rows.tsx';
import { hrefOf } from '../route.ts';
import type { IndexRange } from '../virtual-window.ts';
import { runTone } from './decisions-page.tsx';

const columns = ['Workload', 'Wave', 'Outcome', 'Moves', 'Clusters', 'Why'] as const;

export function RunPage({ hub, run }: { readonly hub: string; readonly run: string }) {
  const [inView, setInView] = useState<IndexRange>({ from: 0, to: 0 });
  const answer = useAnswer('getRun', { hub, run });
  const diff = useDiff('getRunDiff', { hub, run }, inView);
  return (
    <div class={`page task ${answer.data?.run.state === 'Running' ? 'of-hub' : ''}`}>
      <Answered answer={answer} what="run" alone>
        {({ run: of, decisions }) => (
          <>
            <div class="page-head">
              <h1>
                {of.policy} <span class="muted">{of.run}</span>
              </h1>
              <Chip tone={runTone(of.state)}>{of.state}</Chip>
            </div>
            <Facts
              facts={[
                { name: 'Set off by', value: of.setOffBy.join(', ') },
                { name: 'Started', value: <Clock time={of.startedAt} /> },
                { name: 'Finished', value: <ClockOrDash time={of.finishedAt} /> },
                { name: 'Workloads', value: <span class="number">{of.workloads.toLocaleString()}</span> },
                { name: 'Replicas moved', value: <span class="number">{of.moved.toLocaleString()}</span> },
                { name: 'Waves', value: <span class="number">{`${of.wavesDone} of ${of.waves}`}</span> },
                { name: 'Left alone', value: <span class="number">{of.skipped}</span> },
              ]}
            />
            {of.message !== '' && <p class="notice">{of.message}</p>}
            <DiffPanel diff={diff} name={run} />
            <VirtualRows
              kind="run-workloads"
              label="Workloads of the run"
              count={decisions.length}
              columns={columns}
              onView={setInView}
              row={(index) => {
                const decision = decisions[index];
                if (decision === undefined) return undefined;
                const { workload, wave, outcome, moves, current, next, reason } = decision;
                const recorded = diff.at(index);
                const isRecorded = recorded?.source === 'Recorded' && recorded.outcome === 'Moved';
                return [
                  <a href={hrefOf({ page: 'workload', hub, ...bindingOf(workload) })}>{nameOf(workload)}</a>,
                  <span class="number">{wave ?? '–'}</span>,
                  outcome,
                  <span class="number">{moves}</span>,
                  <span class="number">{isRecorded ? diffText(recorded) : movesText(current, next)}</span>,
                  <span class="muted" title={reason}>
                    {reason}
                  </span>,
                ];
              }}
            />
          </>
        )}
      </Answered>
    </div>
  );
}
