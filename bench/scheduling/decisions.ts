/** Decisions of several sizes, each measured in every round next to the smallest one, so that a slow phase of the machine affects both. */
import { capacityOf } from '../../shared/karmada/assignment/available-replicas.ts';
import { parseCluster } from '../../shared/karmada/assignment/cluster.ts';
import { scheduleBinding } from '../../shared/karmada/assignment/plan-scheduling.ts';
import { parsePlacedBinding } from '../../shared/karmada/placed-binding.ts';
import { sizeText } from '../figures.ts';
import { type Figure, figure, type Ratio, ratio } from '../result.ts';
import { timeSideBySide } from '../side-by-side.ts';

type StrategyWord = 'DynamicWeight' | 'Aggregated' | 'StaticWeight';
type ModeWord = 'Steady' | 'Fresh';

export interface SchedulingMeasurement {
  readonly strategy: StrategyWord;
  readonly mode: ModeWord;
  readonly clusters: number;
  readonly replicas: number;
  readonly ms: Figure;
  /** To the same strategy and mode for 100 clusters and 1,000 replicas; absent for that size. */
  readonly ratio?: Ratio;
}

interface SchedulingSize {
  readonly clusters: number;
  readonly replicas: number;
}

const smallest: SchedulingSize = { clusters: 100, replicas: 1000 };
const sizes: readonly SchedulingSize[] = [
  smallest,
  { clusters: 100, replicas: 1_000_000 },
  { clusters: 1000, replicas: 1000 },
  { clusters: 1000, replicas: 1_000_000 },
];
export const strategies: readonly StrategyWord[] = ['DynamicWeight', 'Aggregated', 'StaticWeight'];
export const modes: readonly ModeWord[] = ['Steady', 'Fresh'];

export function measureScheduling({ rounds }: { readonly rounds: number }): readonly SchedulingMeasurement[] {
  return strategies.flatMap((strategy) =>
    modes.flatMap((mode) => {
      const decisions = sizes.map((size) => decision(strategy, mode, size));
      const times = timeSideBySide(decisions, rounds);
      const base = times[0] ?? [];
      return sizes.map((size, index) => {
        const own = times[index] ?? [];
        const name = `${mode} ${strategy}, ${sizeText(size)}`;
        const compared = { values: own, base, kind: 'time', better: 'lower' } as const;
        return {
          ...{ strategy, mode, ...size },
          ms: figure(name, 'ms', own),
          ...(index > 0 && { ratio: ratio(`${name}, to ${sizeText(smallest)}`, compared) }),
        };
      });
    }),
  );
}

/** From the observed hub to the assignment of each replica; without the reads. */
export function decision(strategy: StrategyWord, mode: ModeWord, size: SchedulingSize): () => void {
  const clusters = Array.from({ length: size.clusters }, (_, index) => parseCluster(clusterObject(index, size)));
  const binding = parsePlacedBinding(bindingObject(strategy, size));
  return () => {
    const scheduling = scheduleBinding({ binding, clusters, available: capacityOf(binding), mode });
    if (scheduling.outcome !== 'Success') throw new Error(scheduling.message);
  };
}

/** Each with capacity for slightly more than its share, all different. */
function clusterObject(index: number, { clusters, replicas }: SchedulingSize): object {
  const pods = String(Math.ceil((replicas / clusters) * (1.5 + ((index * 7919) % 100) / 100)) + 10);
  return {
    metadata: {
      name: nameOf(index),
      uid: `uid-${index}`,
      resourceVersion: '1',
      creationTimestamp: '2026-11-21T10:00:00Z',
    },
    status: {
      resourceSummary: { allocatable: { pods, cpu: pods }, allocated: { pods: '3', cpu: '1500m' } },
      apiEnablements: [{ groupVersion: 'apps/v1', resources: [{ kind: 'Deployment' }] }],
    },
  };
}

function nameOf(index: number): string {
  return `member-${String(index).padStart(4, '0')}`;
}

/** Half of its replicas are assigned, to half of the clusters. */
function bindingObject(strategy: StrategyWord, { clusters, replicas }: SchedulingSize): object {
  const half = Math.floor(clusters / 2);
  const each = Math.floor(replicas / 2 / half);
  const weights = Array.from({ length: clusters }, (_, index) => ({
    targetCluster: { clusterNames: [nameOf(index)] },
    weight: 1 + (index % 7),
  }));
  const weightPreference =
    strategy === 'StaticWeight' ? { staticWeightList: weights } : { dynamicWeight: 'AvailableReplicas' };
  return {
    metadata: {
      name: 'web-deployment',
      namespace: 'shop',
      uid: 'uid',
      resourceVersion: '1',
      creationTimestamp: '2026-11-21T10:00:00Z',
    },
    spec: {
      resource: { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: 'web', uid: 'a-uid' },
      replicas,
      clusters: Array.from({ length: half }, (_, index) => ({ name: nameOf(index * 2), replicas: each })),
      replicaRequirements: { resourceRequest: { cpu: '100m' } },
      placement: {
        replicaScheduling: {
          replicaSchedulingType: 'Divided',
          replicaDivisionPreference: strategy === 'Aggregated' ? 'Aggregated' : 'Weighted',
          ...(strategy !== 'Aggregated' && { weightPreference }),
        },
      },
    },
  };
}
