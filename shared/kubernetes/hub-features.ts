/** The optional features of a hub, in one table: command-line flags, permissions, manifests, watched kinds and checks refer to it. */
import { asFault, isNotServed } from '../core/fault.ts';

export const hubFeatures = {
  scheduler: {
    flag: '--scheduler',
    description: 'Evenkeel schedules bindings with schedulerName: evenkeel, and the hub reports changes of bindings',
  },
  countPods: {
    flag: '--count-pods',
    description: 'the functions count pods in the member clusters, for a hub with --estimator pods',
  },
  policies: { flag: '--policies', description: 'the hub has RebalancePolicies' },
  drains: {
    flag: '--drains',
    description:
      'the hub has ClusterDrains, and the functions may taint clusters; needs --policies and --graceful-reduction',
    needs: ['policies', 'gracefulReduction'],
  },
  budgets: {
    flag: '--budgets',
    description: 'moves are limited by MoveBudgets and PodDisruptionBudgets, and wait for autoscalers',
  },
  gracefulReduction: {
    flag: '--graceful-reduction',
    description: 'replica reductions are held until their replacements are ready, where a policy requests it',
  },
  externalEvents: {
    flag: '--external-events',
    description:
      'RebalancePolicies act on events of AWS and on alerts, so the functions create and delete ClusterDrains; needs --drains',
    needs: ['drains'],
  },
  elasticWorkloads: {
    flag: '--elastic-workloads',
    description: 'the hub is one of Open Cluster Management and has ElasticWorkloads',
  },
  history: {
    flag: '--history',
    description:
      'where replicas are is recorded over time, and the states of clusters: the hub reports changes of bindings and of their status',
  },
  failback: {
    flag: '--failback',
    description:
      'a rebalanced workload starts from the first term of its clusterAffinities, as in Karmada 1.19; before, it stays with the term in use',
  },
  createRebalancers: {
    flag: '--create-rebalancers',
    description:
      'users start rebalances and drains in the console, so the functions create WorkloadRebalancers and ClusterDrains',
  },
} as const;

export type HubFeature = keyof typeof hubFeatures;

/** Features whose objects a resync lists, only on hubs that are registered with them. */
export const resyncFeatures = [
  'scheduler',
  'policies',
  'gracefulReduction',
  'elasticWorkloads',
] as const satisfies readonly HubFeature[];

/** Why the objects of a feature can't be listed on a hub that may not use it. Other errors are thrown. */
export function whyNotListed(thrown: unknown, objects: string, feature: HubFeature): string {
  if (isNotServed(thrown)) return `the hub does not know ${objects}`;
  if (asFault(thrown).reason !== 'Forbidden') throw thrown;
  const { flag } = hubFeatures[feature];
  return `${objects} may not be read there; where they are used, apply "evenkeel hub manifests ${flag}"`;
}

/** An absent feature is off. */
export type HubFeatures = Readonly<Partial<Record<HubFeature, boolean | undefined>>>;

export const hubFeatureNames = Object.keys(hubFeatures) as HubFeature[];

/** The flags of features that one of these needs, and that are off. */
export function missingNeeds(given: HubFeatures): readonly string[] {
  const features: Readonly<Record<HubFeature, { readonly flag: string; readonly needs?: readonly HubFeature[] }>> =
    hubFeatures;
  const needed = hubFeatureNames.flatMap((name) => (given[name] ? (features[name].needs ?? []) : []));
  return [...new Set(needed)].filter((name) => !given[name]).map((name) => hubFeatures[name].flag);
}

/** Without other fields, such as other options of a command. */
export function featuresOf(given: HubFeatures): HubFeatures {
  return Object.fromEntries(hubFeatureNames.map((name) => [name, given[name] ?? false]));
}
