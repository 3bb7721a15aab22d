/** The frame of every page: navigation, banner, and the page of the current route. */
import { useEffect, useRef } from 'preact/hooks';
import { Banner, Toast } from './banner.tsx';
import { DecisionsPage } from './decisions/decisions-page.tsx';
import { RunPage } from './decisions/run-page.tsx';
import { ClusterPage } from './fleet/cluster-page.tsx';
import { FleetPage } from './fleet/fleet-page.tsx';
import { HealthPage } from './health/health-page.tsx';
import { connection, may, setServerTime, useAnswer } from './live.ts';
import { replaceBy, route } from './location.ts';
import { Navigation, namesOf } from './navigation.tsx';
import { Empty, Failed, Loading } from './parts/states.tsx';
import { titleOf } from './route.ts';
import { TaskPage } from './tasks/task-page.tsx';
import { TasksPage } from './tasks/tasks-page.tsx';
import { ElasticPage } from './workload/elastic-page.tsx';
import { WorkloadPage } from './workload/workload-page.tsx';

export function App() {
  const main = useRef<HTMLElement>(null);
  const first = useRef(true);
  const hubs = useAnswer('listHubs', {}, 5000);
  // The time differs in each response, so it is polled rarely.
  const about = useAnswer('about', {}, 60_000);
  const here = route.value;
  useEffect(() => {
    if (about.data === undefined) return;
    may.value = about.data.may;
    setServerTime(about.data.now);
  }, [about.data]);
  useEffect(() => {
    document.title = titleOf(here);
    // After following a link, the focus moves to the new page's heading; on the first load it stays at the top.
    if (!first.current) main.current?.focus();
    first.current = false;
  }, [here]);
  const hub = hubs.data?.hubs.find(({ name }) => 'hub' in here && name === here.hub);
  const away = hub?.reach.state === 'Unreachable' ? hub : undefined;
  const [firstHub] = namesOf(hubs.data?.hubs ?? []);
  useEffect(() => {
    if (here.page === 'home' && firstHub !== undefined) replaceBy({ page: 'fleet', hub: firstHub });
  }, [here, firstHub]);
  return (
    <>
      <a class="skip" href="#main" onClick={(event) => (event.preventDefault(), main.current?.focus())}>
        Skip to the page
      </a>
      <Navigation hubs={hubs.data?.hubs ?? []} />
      <main id="main" ref={main} tabIndex={-1} class={connection.value.lost || away !== undefined ? 'is-stale' : ''}>
        <Page hubs={hubs} />
      </main>
      <Toast />
      <Banner away={away} />
    </>
  );
}

function Page({ hubs }: { readonly hubs: ReturnType<typeof useAnswer<'listHubs'>> }) {
  const here = route.value;
  switch (here.page) {
    case 'fleet':
      return <FleetPage hub={here.hub} key={here.hub} />;
    case 'tasks':
      return <TasksPage hub={here.hub} key={here.hub} />;
    case 'task':
      return <TaskPage {...here} key={here.name} />;
    case 'workload':
      return <WorkloadPage {...here} key={`${here.namespace}/${here.name}`} />;
    case 'elastic':
      return <ElasticPage {...here} key={`${here.namespace}/${here.name}`} />;
    case 'cluster':
      return <ClusterPage {...here} key={here.cluster} />;
    case 'decisions':
      return <DecisionsPage hub={here.hub} key={here.hub} />;
    case 'run':
      return <RunPage {...here} key={here.run} />;
    case 'health':
      return <HealthPage />;
    case 'unknown':
      return (
        <Empty title="Page not found" alone>
          {here.hash} is no page. <a href="#/">Go to the fleet</a>.
        </Empty>
      );
    case 'home':
      if (hubs.data?.hubs.length === 0)
        return (
          <Empty title="No hub is connected" alone>
            Connect one: evenkeel hub add NAME --kubeconfig FILE. It appears here by itself.
          </Empty>
        );
      return hubs.error && !hubs.data ? (
        <Failed error={hubs.error} what="list of hubs" alone />
      ) : (
        <Loading what="the hubs" />
      );
  }
}
