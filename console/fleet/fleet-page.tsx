/** The fleet page: replicas by workload and cluster, cluster capacity, and recent changes. */
import { useMemo, useState } from 'preact/hooks';
import type { FleetAnswer } from '../../shared/console-api/operations/fleet.ts';
import { useAnswer } from '../live.ts';
import { goTo } from '../location.ts';
import { Choice, Search } from '../parts/search.tsx';
import { Answered, Empty } from '../parts/states.tsx';
import { routeOf } from '../route.ts';
import { ClusterPanel } from './cluster-panel.tsx';
import { type FleetOrder, type FleetSubset, type FleetView, viewOf } from './fleet-view.ts';
import { HeatMap } from './heat-map.tsx';
import { RecentChanges } from './recent-changes.tsx';

export function FleetPage({ hub }: { readonly hub: string }) {
  const fleet = useAnswer('getFleet', { hub });
  return (
    <div class="page fleet">
      <Answered answer={fleet} what="fleet" alone>
        {(data) => <Fleet hub={hub} fleet={data} />}
      </Answered>
    </div>
  );
}

function Fleet({ hub, fleet }: { readonly hub: string; readonly fleet: FleetAnswer }) {
  const [workload, setWorkload] = useState('');
  const [cluster, setCluster] = useState('');
  const [which, setWhich] = useState<FleetSubset>('all');
  const [order, setOrder] = useState<FleetOrder>('name');
  const view = useMemo(
    () => viewOf(fleet, { workload, cluster, which, order }),
    [fleet, workload, cluster, which, order],
  );
  const open = (index: number): void => {
    const workload = view.rows[index]?.workload;
    if (workload !== undefined) goTo(routeOf(hub, workload));
  };
  return (
    <>
      <section class="fleet-main" aria-labelledby="fleet-title">
        <div class="page-head">
          <h1 id="fleet-title">Fleet</h1>
          <Totals fleet={fleet} />
        </div>
        <div class="toolbar">
          <Search label="Filter workloads" value={workload} onChange={setWorkload} />
          <Choice
            label="Show"
            value={which}
            onChange={setWhich}
            of={[
              ['all', 'All'],
              ['behind', 'Not ready'],
              ['held', 'Held'],
            ]}
          />
          <label class="select">
            <span>Sort by</span>
            <select value={order} onChange={(event) => setOrder(event.currentTarget.value as FleetOrder)}>
              <option value="name">Name</option>
              <option value="replicas">Replicas</option>
              <option value="behind">Not ready</option>
              <option value="held">Held</option>
            </select>
          </label>
          <Legend />
        </div>
        {view.rows.length === 0 || view.columns.length === 0 ? (
          <Nothing fleet={fleet} view={view} />
        ) : (
          <HeatMap hub={hub} view={view} onOpen={open} />
        )}
      </section>
      <aside class="fleet-side">
        <ClusterPanel hub={hub} fleet={fleet} view={view} typed={cluster} onTyped={setCluster} />
        <RecentChanges hub={hub} />
      </aside>
    </>
  );
}

function Totals({ fleet }: { readonly fleet: FleetAnswer }) {
  const totals = useMemo(() => {
    let wanted = 0;
    let ready = 0;
    let held = 0;
    for (const { replicas, shares } of fleet.workloads) {
      wanted += replicas;
      for (const [, , readyHere, heldHere] of shares) {
        ready += readyHere;
        held += heldHere;
      }
    }
    return { wanted, ready, held };
  }, [fleet]);
  const figures = [
    [fleet.clusters.length, fleet.clusters.length === 1 ? 'cluster' : 'clusters'],
    [fleet.workloads.length, fleet.workloads.length === 1 ? 'workload' : 'workloads'],
    [totals.wanted, totals.wanted === 1 ? 'replica' : 'replicas'],
    [totals.ready, 'ready'],
    [totals.held, 'held'],
  ] as const;
  return (
    <ul class="figures">
      {figures.map(([count, word]) => (
        <li key={word}>
          <strong class="number">{count.toLocaleString()}</strong> {word}
        </li>
      ))}
    </ul>
  );
}

function Legend() {
  return (
    <ul class="legend" aria-label="How to read the map">
      <li>
        <span class="legend-ramp" aria-hidden="true">
          {[1, 2, 3, 4, 5].map((step) => (
            <i key={step} style={{ background: `var(--heat-${step})` }} />
          ))}
        </span>
        replicas
      </li>
      <li>
        <span class="legend-cell" aria-hidden="true" />
        3/6: some not ready
      </li>
      <li>
        <span class="legend-held" aria-hidden="true" />
        held
      </li>
    </ul>
  );
}

function Nothing({ fleet, view }: { readonly fleet: FleetAnswer; readonly view: FleetView }) {
  if (fleet.clusters.length === 0)
    return <Empty title="No cluster has joined this hub">Join one to the hub, and it appears here.</Empty>;
  if (fleet.workloads.length === 0)
    return (
      <Empty title="Nothing is placed yet">
        Apply a workload and a PropagationPolicy that selects it, and it appears here.
      </Empty>
    );
  return (
    <Empty title={view.rows.length === 0 ? 'No workload matches the filter' : 'No cluster matches the filter'}>
      Clear it to see all.
    </Empty>
  );
}
