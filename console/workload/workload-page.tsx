/** One workload: its replicas, its Steady and Fresh plans, held replicas, and its history. */
import { useRef, useState } from 'preact/hooks';
import type { WorkloadAnswer } from '../../shared/console-api/operations/fleet.ts';
import type { PlacementsAnswer } from '../../shared/console-api/operations/history.ts';
import { keyOf } from '../format.ts';
import { may, useAnswer } from '../live.ts';
import { ClockOrDash, Facts } from '../parts/progress.tsx';
import { Answered } from '../parts/states.tsx';
import { beginOf, DAY, TimeRange } from '../parts/time-range.tsx';
import { YamlPanel } from '../parts/yaml-panel.tsx';
import { DistributionChart } from './distribution-chart.tsx';
import { History } from './history.tsx';
import { merged } from './moments.ts';
import { PlanTable, WorkloadState } from './plan-table.tsx';
import { RebalanceDialog } from './rebalance-dialog.tsx';
import { joinedSamples, recordedMoments, recordedSamples } from './recorded-placements.ts';
import { useSamples } from './use-samples.ts';

const MOST_ROWS = 1000;
const READ_EVERY_MS = 5000;

export interface WorkloadPageProps {
  readonly hub: string;
  readonly namespace: string;
  readonly name: string;
}

export function WorkloadPage({ hub, namespace, name }: WorkloadPageProps) {
  const answer = useAnswer('getWorkload', { hub, namespace: namespace === '' ? '-' : namespace, name });
  return (
    <div class="page workload">
      <Answered answer={answer} what="workload" alone>
        {(data) => <Workload hub={hub} of={data} />}
      </Answered>
    </div>
  );
}

function Workload({ hub, of }: { readonly hub: string; readonly of: WorkloadAnswer }) {
  const [asking, setAsking] = useState(false);
  const [span, setSpan] = useState(DAY);
  const live = useSamples(`${hub} ${keyOf(of.key)}`, of);
  const recorded = useRecorded(hub, of, span);
  const samples = joinedSamples(recorded.samples, live);
  const history = merged(of.history, recorded.moments);
  const ready = of.clusters.reduce((sum, cluster) => sum + cluster.ready, 0);
  const held = of.clusters.reduce((sum, cluster) => sum + (cluster.held?.replicas ?? 0), 0);
  return (
    <>
      <div class="page-head">
        <h1>
          {of.workload.namespace !== '' && <span class="muted">{of.workload.namespace}/</span>}
          {of.workload.name}
        </h1>
        <span class="muted">{of.workload.kind}</span>
        <WorkloadState wanted={of.replicas} ready={ready} held={held} />
        {may.value.command && (
          <button type="button" class="button main head-command" onClick={() => setAsking(true)}>
            Rebalance…
          </button>
        )}
      </div>
      <Facts
        facts={[
          { name: 'Replicas', value: <span class="number">{of.replicas.toLocaleString()}</span> },
          { name: 'Ready', value: <span class="number">{ready.toLocaleString()}</span> },
          { name: 'Held', value: <span class="number">{held.toLocaleString()}</span> },
          { name: 'Scheduler', value: of.scheduler },
          { name: 'Last triggered', value: <ClockOrDash time={of.triggeredAt} /> },
          { name: 'Last scheduled', value: <ClockOrDash time={of.scheduledAt} /> },
        ]}
      />
      <div class="workload-grid">
        <section class="panel" aria-labelledby="plan-title">
          <div class="panel-head">
            <h2 id="plan-title">Clusters</h2>
          </div>
          <PlanTable of={of} />
        </section>
        <section class="panel" aria-labelledby="time-title">
          <div class="panel-head">
            <h2 id="time-title">Replicas over time</h2>
            {recorded.samples.length === 0 ? (
              <span class="muted">since you opened this page</span>
            ) : (
              <TimeRange span={span} onChange={setSpan} />
            )}
          </div>
          <DistributionChart samples={samples} history={history} />
        </section>
        <History hub={hub} of={of} known={history} />
      </div>
      <YamlPanel hub={hub} kind="bindings" {...of.key} />
      {asking && <RebalanceDialog hub={hub} of={of} onClose={() => setAsking(false)} />}
    </>
  );
}

/** Nothing on a hub without the feature history. */
function useRecorded(hub: string, { key }: WorkloadAnswer, span: number) {
  const from = beginOf(span);
  const namespace = key.namespace === '' ? '-' : key.namespace;
  const input = { hub, namespace, name: key.name, from, limit: MOST_ROWS };
  const { data } = useAnswer('listPlacements', input, READ_EVERY_MS);
  // Shown until the query of the next minute is answered.
  const last = useRef<{ readonly of: string; readonly answer: PlacementsAnswer }>(undefined);
  const id = `${hub} ${keyOf(key)} ${span}`;
  if (data !== undefined) last.current = { of: id, answer: data };
  const answer = last.current?.of === id ? last.current.answer : { placements: [] };
  return { samples: recordedSamples(answer, from), moments: recordedMoments(answer) };
}
