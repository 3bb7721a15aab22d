/** The frame of every page: navigation, the page of the current route, and what is stale in it. */
import { useEffect, useRef } from 'preact/hooks';
import type { HubSummary } from '../shared/console-api/operations/hubs.ts';
import { DecisionsPage } from './decisions/decisions-page.tsx';
import { RunPage } from './decisions/run-page.tsx';
import { ClusterPage } from './fleet/cluster-page.tsx';
import { FleetPage } from './fleet/fleet-page.tsx';
import { HealthPage } from './health/health-page.tsx';
import { connection, failing, loggedOut, may, setServerTime, useAnswer } from './live.ts';
import { replaceBy, route } from './location.ts';
import { Navigation, namesOf } from './navigation.tsx';
import { Empty, Failed, Loading } from './parts/states.tsx';
import { PoliciesPage } from './policies/policies-page.tsx';
import { PolicyPage } from './policies/policy-page.tsx';
import { type PageRoute, titleOf } from './route.ts';
import { Shortcuts } from './shortcuts.tsx';
import { StaleFrame } from './stale-frame.tsx';
import { stalenessOf } from './staleness.ts';
import { TaskPage } from './tasks/task-page.tsx';
import { TasksPage } from './tasks/tasks-page.tsx';
import { Toast } from './toast.tsx';
import { useAwaySince } from './use-away-since.ts';
import { ElasticPage } from './workload/elastic-page.tsx';
import { WorkloadPage } from './workload/workload-page.tsx';

/**
 * Every page shows within 5 s that its hub does not answer, and no other query of a page asks the hub. A request may get an answer from 1 s before;
 * the next one, a second later, waits at most 2 s for the hub. These 4 s leave 1 s for the network and the page: with two seconds between
 * requests nothing would be left.
 */
const HEALTH_EVERY_MS = 1000;
/** Longer than the server waits for a hub. */
const HEALTH_TIMEOUT_MS = 3000;
/** For the choice of the hub. */
const HUBS_EVERY_MS = 5000;

export function App() {
  const main = useRef<HTMLElement>(null);
  const first = useRef(true);
  const here = route.value;
  const named = 'hub' in here ? here.hub : undefined;
  const everyMs = here.page === 'health' ? HEALTH_EVERY_MS : HUBS_EVERY_MS;
  const hubs = useAnswer('listHubs', {}, everyMs, named === undefined ? HEALTH_TIMEOUT_MS : undefined);
  const health = useAnswer(
    'getHubHealth',
    named === undefined ? undefined : { hub: named },
    HEALTH_EVERY_MS,
    HEALTH_TIMEOUT_MS,
  );
  // The time differs in each response, so it is polled rarely.
  const about = useAnswer('about', {}, 60_000);
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
  const observed = named === undefined ? (hubs.data?.hubs ?? []) : health.data === undefined ? [] : [health.data];
  const stale = stalenessOf({
    ...{ loggedOut: loggedOut.value, connection: connection.value, hubs: observed, ofOneHub: named !== undefined },
    ...{ awaySince: useAwaySince(observed), failing: [...failing.value.values()] },
  });
  const [firstHub] = namesOf(hubs.data?.hubs ?? []);
  useEffect(() => {
    if (here.page === 'home' && firstHub !== undefined) replaceBy({ page: 'fleet', hub: firstHub });
  }, [here, firstHub]);
  return (
    <>
      <a class="skip" href="#main" onClick={(event) => (event.preventDefault(), main.current?.focus())}>
        Skip to the page
      </a>
      <Navigation hubs={hubs.data?.hubs ?? []} isStale={stale !== undefined} />
      <main id="main" ref={main} tabIndex={-1} class={mainClass(stale?.greys, here.page)}>
        <Page hubs={hubs} />
      </main>
      <Toast />
      <Shortcuts />
      <StaleFrame stale={stale} fresh={freshText(named, observed)} />
    </>
  );
}

type Greys = NonNullable<ReturnType<typeof stalenessOf>>['greys'];

/** Pages whose data is the hub's; the others show records of Evenkeel, and mark what the hub still changes. */
const hubPages: readonly PageRoute['page'][] = ['fleet', 'cluster', 'workload', 'elastic', 'policies', 'policy'];

function mainClass(greys: Greys | undefined, page: PageRoute['page']): string {
  if (greys === 'page' || (greys === 'hub' && hubPages.includes(page))) return 'is-stale';
  return greys === 'hub' ? 'hub-stale' : '';
}

function freshText(hub: string | undefined, observed: readonly HubSummary[]): string {
  const [first] = observed;
  if (first === undefined) return '';
  if (hub === undefined)
    return observed.length === 1 ? `Hub ${first.name} answers.` : `All ${observed.length} hubs answer.`;
  return [`Hub ${first.name} answers.`, ...first.findings.map(({ text }) => text)].join(' ');
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
    case 'policies':
      return <PoliciesPage hub={here.hub} key={here.hub} />;
    case 'policy':
      return <PolicyPage {...here} key={here.name} />;
    case 'run':
      return <RunPage {...here} key={here.run} />;
    case 'health':
      return <HealthPage hubs={hubs} />;
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
