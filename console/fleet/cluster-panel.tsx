/** The clusters beside the map with their usage and health, and buttons that drain them; on a practice hub also buttons that simulate failures. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { FleetAnswer, FleetCluster } from '../../shared/console-api/operations/fleet.ts';
import { ask, may } from '../live.ts';
import { Chip } from '../parts/chip.tsx';
import { CommandButton } from '../parts/command-button.tsx';
import { Search } from '../parts/search.tsx';
import { hrefOf } from '../route.ts';
import { DrainDialog } from './drain-dialog.tsx';
import { type FleetView, stateOf } from './fleet-view.ts';

export const stateTones = {
  ready: 'good',
  'not ready': 'bad',
  draining: 'warn',
  drained: 'warn',
  tainted: 'warn',
  leaving: 'warn',
} as const;
/** The minimum number of clusters for a search field. */
const MANY = 8;

export interface ClusterPanelProps {
  readonly hub: string;
  readonly fleet: FleetAnswer;
  readonly view: FleetView;
  readonly typed: string;
  readonly onTyped: (typed: string) => void;
}

export function ClusterPanel({ hub, fleet, view, typed, onTyped }: ClusterPanelProps) {
  const [draining, setDraining] = useState<string>();
  return (
    <section class="panel clusters" aria-labelledby="clusters-title">
      <div class="panel-head">
        <h2 id="clusters-title">Clusters</h2>
        {fleet.clusters.length >= MANY && <Search label="Filter clusters" value={typed} onChange={onTyped} />}
      </div>
      <ul class="cluster-list" tabIndex={0} aria-label="Clusters">
        {view.columns.map(({ cluster, replicas }) => (
          <li key={cluster.name} class="cluster">
            <a
              class="cluster-name"
              title={cluster.taints.join('\n')}
              href={hrefOf({ page: 'cluster', hub, cluster: cluster.name })}
            >
              {cluster.name}
            </a>
            <Chip tone={stateTones[stateOf(cluster)]}>{stateOf(cluster)}</Chip>
            <Capacity cluster={cluster} replicas={replicas}>
              {may.value.command && cluster.drainable && cluster.drain === undefined && (
                <button
                  type="button"
                  class="button quiet"
                  aria-label={`Drain ${cluster.name}`}
                  onClick={() => setDraining(cluster.name)}
                >
                  Drain
                </button>
              )}
            </Capacity>
            {cluster.drain && <Drain hub={hub} cluster={cluster.name} drain={cluster.drain} />}
            {may.value.practice && <Practice name={cluster.name} />}
          </li>
        ))}
      </ul>
      {draining !== undefined && (
        <DrainDialog hub={hub} fleet={fleet} cluster={draining} onClose={() => setDraining(undefined)} />
      )}
    </section>
  );
}

interface DrainProps {
  readonly hub: string;
  readonly cluster: string;
  readonly drain: NonNullable<FleetCluster['drain']>;
}

/** How the drain of a cluster goes, and the button that ends it. */
function Drain({ hub, cluster, drain }: DrainProps) {
  const uncordon = async (): Promise<string> => {
    const { deleted } = await ask('uncordonCluster', { hub, cluster });
    return `${cluster} gets replicas again: ClusterDrain ${deleted.join(', ')} is deleted`;
  };
  return (
    <span class="drain">
      <span class="muted">{drain.message}</span>
      {may.value.command && (
        <CommandButton command={uncordon} label={`Uncordon ${cluster}`}>
          Uncordon
        </CommandButton>
      )}
    </span>
  );
}

interface CapacityProps {
  readonly cluster: FleetCluster;
  readonly replicas: number;
  /** After the figures. */
  readonly children: ComponentChildren;
}

function Capacity({ cluster: { name, pods }, replicas, children }: CapacityProps) {
  if (pods === undefined)
    return (
      <span class="cluster-capacity">
        <span class="muted">{replicas.toLocaleString()} replicas; it reports no capacity</span>
        {children}
      </span>
    );
  const { allocated, allocatable } = pods;
  const share = allocatable > 0 ? Math.min(1, allocated / allocatable) : 0;
  return (
    <span class="cluster-capacity">
      <meter class="sr-only" min={0} max={Math.max(1, allocatable)} value={allocated} aria-label={`Pods on ${name}`} />
      <span class={`bar ${share > 0.9 ? 'is-full' : ''}`} aria-hidden="true">
        <span class="bar-part plain" style={{ transform: `scaleX(${share})` }} />
      </span>
      <span class="number capacity-text">
        {allocated.toLocaleString()}/{allocatable.toLocaleString()} pods
      </span>
      {children}
    </span>
  );
}

const paces = [
  [700, '0.7 s'],
  [5000, '5 s'],
  [30_000, '30 s'],
  [120_000, '2 min'],
] as const;

function Practice({ name: cluster }: { readonly name: string }) {
  const command = (name: 'failCluster' | 'recoverCluster') => async () => (await ask(name, { cluster })).message;
  return (
    <span class="practice" role="group" aria-label={`Practice on ${cluster}`}>
      <span class="practice-word">Let it</span>
      <CommandButton command={command('failCluster')} label={`Fail ${cluster}`}>
        fail
      </CommandButton>
      <CommandButton command={command('recoverCluster')} label={`Recover ${cluster}`}>
        recover
      </CommandButton>
      <span class="practice-break" />
      <span class="practice-word">Ready in</span>
      {paces.map(([readyMs, text]) => (
        <CommandButton
          key={readyMs}
          command={async () => (await ask('slowPods', { cluster, readyMs })).message}
          label={`Pods on ${cluster} get ready in ${text}`}
        >
          {text}
        </CommandButton>
      ))}
    </span>
  );
}
