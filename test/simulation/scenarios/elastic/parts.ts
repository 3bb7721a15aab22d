/** The clusters and ElasticWorkloads of every history, and the specs that users choose from. */
import { deployment } from '../../../fakes/practice-fleet.ts';

export const firstManagedClusters = ['spoke1', 'spoke2', 'spoke3'] as const;
export const managedClusterNames = [...firstManagedClusters, 'spoke4'] as const;
export const NAMESPACE = 'shop';
/** The namespace of the workloads on the managed clusters. */
export const WORKLOAD_NAMESPACE = 'default';
export const PLACEMENT = 'all';
export const NO_PLACEMENT = 'elsewhere';

interface WorkloadPart {
  readonly group: string;
  /** The plural in the hub's store. */
  readonly plural: string;
  /** The name of its ManifestWorks. */
  readonly works: string;
  /** The Deployment on the managed clusters. */
  readonly runs: string;
  readonly target: (version: number) => object;
}

const WORKLOAD = 'workload.open-cluster-management.io';
const SCHEDULING = 'scheduling.open-cluster-management.io';

const inlineWeb = (version: number) => {
  const made = deployment('web', { replicas: 0 }) as { readonly metadata: object };
  return { type: 'Inline', inline: { ...made, metadata: { ...made.metadata, labels: { version: `v${version}` } } } };
};

export const workloads = {
  web: {
    group: WORKLOAD,
    plural: 'elasticworkloads',
    works: 'elasticworkload.shop.web',
    runs: 'web',
    target: inlineWeb,
  },
  /** Imported from an object on the hub. */
  api: {
    group: SCHEDULING,
    plural: `elasticworkloads.${SCHEDULING}`,
    works: 'elasticworkload-scheduling.shop.api',
    runs: 'api',
    target: () => ({ type: 'Import', import: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'api' } }),
  },
  /** Has the same target as web. */
  rival: {
    group: SCHEDULING,
    plural: `elasticworkloads.${SCHEDULING}`,
    works: 'elasticworkload-scheduling.shop.rival',
    runs: 'web',
    target: inlineWeb,
  },
} as const satisfies Readonly<Record<string, WorkloadPart>>;

export type WorkloadName = keyof typeof workloads;
export const workloadNames = Object.keys(workloads) as [WorkloadName, ...WorkloadName[]];

export const distributions = {
  even: { type: 'Even', weighted: null },
  '2:1:3': {
    type: 'Weighted',
    weighted: {
      defaultWeight: 1,
      overrides: [
        { clusterName: 'spoke1', weight: 2 },
        { clusterName: 'spoke3', weight: 3 },
      ],
    },
  },
  'only spoke1 and spoke4': {
    type: 'Weighted',
    weighted: {
      defaultWeight: 0,
      overrides: [
        { clusterName: 'spoke1', weight: 1 },
        { clusterSelector: { matchLabels: { tier: 'late' } }, weight: 2 },
      ],
    },
  },
} as const;

export type DistributionName = keyof typeof distributions;
export const distributionNames = Object.keys(distributions) as [DistributionName, ...DistributionName[]];

export const balances = {
  none: { type: 'None', limitRange: null, classful: null },
  wide: { type: 'LimitRange', limitRange: { min: 0, max: 40 }, classful: null },
  '1 to 4': { type: 'LimitRange', limitRange: { min: 1, max: 4 }, classful: null },
  '3 to 20': { type: 'LimitRange', limitRange: { min: 3, max: 20 }, classful: null },
  classful: { type: 'Classful', limitRange: null, classful: { assured: 2, softLimit: 4, hardLimit: 8 } },
} as const;

export type BalanceName = keyof typeof balances;
export const balanceNames = Object.keys(balances) as [BalanceName, ...BalanceName[]];
export type Transfer = 'Bursty' | 'Conservative';

/** Tolerations for the taints of an unavailable cluster. */
const unavailable = ['unreachable', 'unavailable'].map((key) => ({
  key: `cluster.open-cluster-management.io/${key}`,
  operator: 'Exists',
}));

export const placements = {
  all: { numberOfClusters: null, predicates: null, tolerations: null },
  'all, available or not': { numberOfClusters: null, predicates: null, tolerations: unavailable },
  'all, unavailable for up to five minutes': {
    numberOfClusters: null,
    predicates: null,
    tolerations: unavailable.map((one) => ({ ...one, tolerationSeconds: 300 })),
  },
  'two of them': { numberOfClusters: 2, predicates: null, tolerations: null },
  'joined late': {
    numberOfClusters: null,
    predicates: [{ requiredClusterSelector: { labelSelector: { matchLabels: { tier: 'late' } } } }],
    tolerations: null,
  },
} as const;

export type PlacementName = keyof typeof placements;
export const placementNames = Object.keys(placements) as [PlacementName, ...PlacementName[]];
