/** The bar at the top: the hub, its pages, and the theme. */
import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { HubSummary } from '../shared/console-api/operations/hubs.ts';
import { connection } from './live.ts';
import { goTo, route } from './location.ts';
import { Chip } from './parts/chip.tsx';
import { Logo } from './parts/icon.tsx';
import { hrefOf, type PageRoute } from './route.ts';
import { ThemeSwitch } from './theme.tsx';

/** Pages without a hub, as Health, keep the last selected hub. */
const lastHub = signal<string | undefined>(undefined);

export interface NavigationProps {
  readonly hubs: readonly HubSummary[];
  readonly isStale: boolean;
}

export function Navigation({ hubs, isStale }: NavigationProps) {
  const here = route.value;
  const named = 'hub' in here ? here.hub : undefined;
  useEffect(() => {
    if (named !== undefined) lastHub.value = named;
  }, [named]);
  const hub = named ?? lastHub.value ?? namesOf(hubs)[0];
  const { paused } = hubs.find(({ name }) => name === hub) ?? {};
  return (
    <header class="top">
      <a class="brand" href="#/">
        <Logo />
        <span>Evenkeel</span>
      </a>
      {hub !== undefined && <HubChoice hubs={hubs} hub={hub} />}
      <nav aria-label="Pages">
        {hub !== undefined && (
          <>
            <Link
              to={{ page: 'fleet', hub }}
              text="Fleet"
              current={['fleet', 'cluster', 'workload', 'elastic'].includes(here.page)}
            />
            <Link to={{ page: 'tasks', hub }} text="Tasks" current={here.page === 'tasks' || here.page === 'task'} />
            <Link
              to={{ page: 'policies', hub }}
              text="Policies"
              current={here.page === 'policies' || here.page === 'policy'}
            />
            <Link
              to={{ page: 'decisions', hub }}
              text="Decisions"
              current={here.page === 'decisions' || here.page === 'run'}
            />
          </>
        )}
        <Link to={{ page: 'health' }} text="Health" current={here.page === 'health'} />
      </nav>
      <span class="top-end">
        {paused && (
          <a class="plain" href="#/health" title={`Paused: ${paused.reason || 'no reason was given'}`}>
            <Chip tone="warn" icon="pause">
              paused
            </Chip>
          </a>
        )}
        <span class={`live ${isStale ? 'lost' : ''}`}>
          <span class="live-dot" aria-hidden="true" />
          <span class="live-word">{connection.value.lost ? 'Offline' : isStale ? 'Stale' : 'Live'}</span>
        </span>
        <ThemeSwitch />
      </span>
    </header>
  );
}

function Link({
  to,
  text,
  current,
}: {
  readonly to: Exclude<PageRoute, { page: 'unknown' }>;
  readonly text: string;
  readonly current: boolean;
}) {
  return (
    <a href={hrefOf(to)} aria-current={current ? 'page' : undefined}>
      {text}
    </a>
  );
}

/** By name: the order of the answer changes with the states of the hubs. */
export function namesOf(hubs: readonly HubSummary[]): readonly string[] {
  return hubs.map(({ name }) => name).sort();
}

function HubChoice({ hubs, hub }: { readonly hubs: readonly HubSummary[]; readonly hub: string }) {
  const names = namesOf(hubs);
  if (names.length < 2) return <span class="hub-name">{hub}</span>;
  return (
    <label class="hub-choice">
      <span class="sr-only">Hub</span>
      <select value={hub} onChange={(event) => goTo({ page: 'fleet', hub: event.currentTarget.value })}>
        {(names.includes(hub) ? names : [hub, ...names]).map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}
