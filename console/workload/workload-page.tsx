/** One workload: its replicas, its Steady and Fresh plans, held replicas, and its history. */
import { useState } from 'preact/hooks';
import type { WorkloadAnswer } from '../../shared/console-api/operations/fleet.ts';
import { keyOf } from '../format.ts';
import { may, useAnswer } from '../live.ts';
import { ClockOrDash, Facts } from '../parts/progress.tsx';
import { Answered } from '../parts/states.tsx';
import { DistributionChart } from './distribution-chart.tsx';
import { History } from './history.tsx';
import { PlanTable, WorkloadState } from './plan-table.tsx';
import { RebalanceDialog } from './rebalance-dialog.tsx';
import { useSamples } from './use-samples.ts';

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
  const samples = useSamples(`${hub} ${keyOf(of.key)}`, of);
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
            <span class="muted">since you opened this page</span>
          </div>
          <DistributionChart samples={samples} history={of.history} />
        </section>
        <History hub={hub} of={of} />
      </div>
      {asking && <RebalanceDialog hub={hub} of={of} onClose={() => setAsking(false)} />}
    </>
  );
}
