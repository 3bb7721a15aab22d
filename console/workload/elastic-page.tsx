/** An ElasticWorkload and its replicas. Its own policy balances it, so there is no Steady or Fresh plan. */
import type { FleetCluster, FleetWorkload } from '../../shared/console-api/operations/fleet.ts';
import { keyOf } from '../format.ts';
import { useAnswer } from '../live.ts';
import { Facts } from '../parts/progress.tsx';
import { Answered, Empty } from '../parts/states.tsx';
import { YamlPanel } from '../parts/yaml-panel.tsx';
import { isElastic } from '../route.ts';
import { DistributionChart } from './distribution-chart.tsx';
import { PlanTable, WorkloadState } from './plan-table.tsx';
import { useSamples } from './use-samples.ts';

export interface ElasticPageProps {
  readonly hub: string;
  readonly namespace: string;
  readonly name: string;
}

export function ElasticPage({ hub, namespace, name }: ElasticPageProps) {
  const fleet = useAnswer('getFleet', { hub });
  return (
    <div class="page workload">
      <Answered answer={fleet} what="fleet" alone>
        {({ clusters, workloads }) => {
          const found = workloads.find(
            ({ kind, key }) => isElastic(kind) && key.namespace === namespace && key.name === name,
          );
          if (found !== undefined) return <Elastic hub={hub} of={found} clusters={clusters} />;
          return (
            <Empty title={`ElasticWorkload ${keyOf({ namespace, name })} not found`} alone>
              If it appears, so does it here.
            </Empty>
          );
        }}
      </Answered>
    </div>
  );
}

const plan = {
  steady: null,
  fresh: null,
  moves: 0,
  outcome: '',
  reason: 'Its own balance policy decides where its replicas go.',
};

function Elastic({
  hub,
  of,
  clusters: all,
}: {
  readonly hub: string;
  readonly of: FleetWorkload;
  readonly clusters: readonly FleetCluster[];
}) {
  const clusters = of.shares.map(([place, assigned, ready, held]) => ({
    name: all[place]?.name ?? '',
    assigned,
    ready,
    ...(held > 0 && { held: { replicas: held } }),
  }));
  const samples = useSamples(`${hub} ElasticWorkload ${keyOf(of.key)}`, { clusters });
  const ready = clusters.reduce((sum, cluster) => sum + cluster.ready, 0);
  return (
    <>
      <div class="page-head">
        <h1>
          <span class="muted">{of.namespace}/</span>
          {of.name}
        </h1>
        <span class="muted">{of.kind}</span>
        <WorkloadState wanted={of.replicas} ready={ready} held={0} />
      </div>
      <Facts
        facts={[
          { name: 'Replicas', value: <span class="number">{of.replicas.toLocaleString()}</span> },
          { name: 'Ready', value: <span class="number">{ready.toLocaleString()}</span> },
          { name: 'Clusters', value: <span class="number">{clusters.length}</span> },
        ]}
      />
      <section class="panel" aria-labelledby="plan-title">
        <div class="panel-head">
          <h2 id="plan-title">Clusters</h2>
        </div>
        <PlanTable of={{ clusters, plan }} />
      </section>
      <section class="panel" aria-labelledby="time-title">
        <div class="panel-head">
          <h2 id="time-title">Replicas over time</h2>
          <span class="muted">since you opened this page</span>
        </div>
        <DistributionChart samples={samples} history={[]} />
      </section>
      <YamlPanel hub={hub} kind="elasticworkloads" {...of.key} />
    </>
  );
}
