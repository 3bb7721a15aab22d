/** One cluster: its state and capacity, what runs there, and what moved to and from it. */
import { useMemo, useState } from 'preact/hooks';
import { clusterChanges } from '../../shared/console-api/history-text.ts';
import type { FleetAnswer } from '../../shared/console-api/operations/fleet.ts';
import type { ClusterHistoryAnswer } from '../../shared/console-api/operations/history.ts';
import { nameOf, plural } from '../format.ts';
import { type LiveAnswer, useAnswer } from '../live.ts';
import { Chip } from '../parts/chip.tsx';
import { Facts } from '../parts/progress.tsx';
import { Answered, Empty } from '../parts/states.tsx';
import { Clock } from '../parts/time.tsx';
import { beginOf, DAY, TimeRange } from '../parts/time-range.tsx';
import { VirtualRows } from '../parts/virtual-rows.tsx';
import { YamlPanel } from '../parts/yaml-panel.tsx';
import { hrefOf, routeOf } from '../route.ts';
import { stateTones } from './cluster-panel.tsx';
import { stateOf } from './fleet-view.ts';

const MOST_MOVES = 1000;
const READ_EVERY_MS = 5000;

export interface ClusterPageProps {
  readonly hub: string;
  readonly cluster: string;
}

export function ClusterPage({ hub, cluster }: ClusterPageProps) {
  const [span, setSpan] = useState(DAY);
  const fleet = useAnswer('getFleet', { hub });
  const input = { hub, cluster, from: beginOf(span), limit: MOST_MOVES };
  const history = useAnswer('getClusterHistory', input, READ_EVERY_MS);
  return (
    <div class="page task">
      <Answered answer={fleet} what="fleet" alone>
        {(data) => <ClusterHead hub={hub} name={cluster} fleet={data} />}
      </Answered>
      <section class="panel" aria-labelledby="moves-title">
        <div class="panel-head">
          <h2 id="moves-title">What changed</h2>
          <TimeRange span={span} onChange={setSpan} />
        </div>
        <Changes hub={hub} answer={history} />
      </section>
      <YamlPanel hub={hub} kind="clusters" name={cluster} />
    </div>
  );
}

function ClusterHead({
  hub,
  name,
  fleet,
}: {
  readonly hub: string;
  readonly name: string;
  readonly fleet: FleetAnswer;
}) {
  const place = fleet.clusters.findIndex((cluster) => cluster.name === name);
  const cluster = fleet.clusters[place];
  const here = useMemo(
    () =>
      fleet.workloads.flatMap((workload) => {
        const [, assigned = 0, ready = 0, held = 0] = workload.shares.find(([at]) => at === place) ?? [];
        return assigned + held === 0 ? [] : [{ workload, assigned, ready, held }];
      }),
    [fleet, place],
  );
  const { pods, taints = [], drain } = cluster ?? {};
  return (
    <>
      <div class="page-head">
        <h1>{name}</h1>
        <span class="muted">Cluster</span>
        {cluster === undefined ? (
          <Chip tone="warn">not on the hub</Chip>
        ) : (
          <Chip tone={stateTones[stateOf(cluster)]}>{stateOf(cluster)}</Chip>
        )}
      </div>
      <Facts
        facts={[
          { name: 'Workloads', value: <span class="number">{here.length.toLocaleString()}</span> },
          { name: 'Replicas', value: <span class="number">{sumOf(here.map(({ assigned }) => assigned))}</span> },
          { name: 'Ready', value: <span class="number">{sumOf(here.map(({ ready }) => ready))}</span> },
          { name: 'Held', value: <span class="number">{sumOf(here.map(({ held }) => held))}</span> },
          {
            name: 'Pods',
            value: (
              <span class="number">
                {pods === undefined
                  ? '–'
                  : `${pods.allocated.toLocaleString()} of ${pods.allocatable.toLocaleString()}`}
              </span>
            ),
          },
          { name: 'Taints', value: taints.length === 0 ? 'none' : taints.join(', ') },
        ]}
      />
      {drain && <p class="notice">{`ClusterDrain ${drain.name}: ${drain.message}`}</p>}
      <section class="panel" aria-labelledby="workloads-title">
        <div class="panel-head">
          <h2 id="workloads-title">Workloads</h2>
        </div>
        {here.length === 0 ? (
          <Empty title="No replicas here">Workloads appear when replicas are assigned to the cluster.</Empty>
        ) : (
          <VirtualRows
            kind="cluster-workloads"
            label={`Workloads on ${name}`}
            count={here.length}
            columns={['Workload', 'Replicas', 'Ready', 'Held', 'In all clusters']}
            row={(index) => {
              const row = here[index];
              if (row === undefined) return undefined;
              const { workload, assigned, ready, held } = row;
              return [
                <a href={hrefOf(routeOf(hub, workload))}>{nameOf(workload)}</a>,
                <span class="number">{assigned}</span>,
                <span class="number">{ready}</span>,
                <span class="number">{held}</span>,
                <span class="number">{workload.replicas}</span>,
              ];
            }}
          />
        )}
      </section>
    </>
  );
}

function Changes({ hub, answer }: { readonly hub: string; readonly answer: LiveAnswer<ClusterHistoryAnswer> }) {
  return (
    <Answered answer={answer} what="history">
      {(data) => {
        const lines = clusterChanges(data);
        if (lines.length === 0)
          return (
            <Empty title="Nothing changed">
              Changes are recorded on hubs that are registered with <code>--history</code>.
            </Empty>
          );
        return (
          <>
            <VirtualRows
              kind="cluster-changes"
              label="Changes of the cluster"
              count={lines.length}
              columns={['Time', 'What', 'Change', 'Why']}
              row={(index) => {
                const line = lines[index];
                if (line === undefined) return undefined;
                const { at, move, from, to, why } = line;
                return [
                  <Clock time={at} />,
                  move === undefined ? (
                    'the cluster'
                  ) : (
                    <a href={hrefOf({ page: 'workload', hub, ...move.binding })}>{nameOf(move.workload)}</a>
                  ),
                  <span class="number">{from === undefined ? to : `${from} → ${to}`}</span>,
                  <span class="muted" title={why}>
                    {why}
                  </span>,
                ];
              }}
            />
            {data.next !== undefined && (
              <p class="notice">{`Only the last ${plural(MOST_MOVES, 'move')} are shown.`}</p>
            )}
          </>
        );
      }}
    </Answered>
  );
}

function sumOf(numbers: readonly number[]): string {
  return numbers.reduce((sum, number) => sum + number, 0).toLocaleString();
}
