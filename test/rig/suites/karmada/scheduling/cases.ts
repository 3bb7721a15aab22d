/** The inputs of the two schedulers: fleets of clusters with their status, and bindings of every kind that our scheduler supports. */
import { toTimestamp } from '../../../../../shared/core/time.ts';
import type { Dice } from './dice.ts';
import {
  affinity,
  affinityTerms,
  INHERITED,
  PROVIDERS,
  REGIONS,
  scheduling,
  spread,
  TAINTS,
  TIERS,
  toleration,
} from './placements.ts';

/** The object to create, and the status that is written afterwards. */
export interface ClusterCase {
  readonly name: string;
  readonly object: object;
  readonly status: object;
}

export interface BindingCase {
  readonly name: string;
  readonly object: object;
  readonly status: object;
}

export function clusterCases(dice: Dice, names: readonly string[]): readonly ClusterCase[] {
  return names.map((name) => {
    const zones = dice.some(['z1', 'z2', 'z3']);
    return {
      name,
      object: {
        apiVersion: 'cluster.karmada.io/v1alpha1',
        kind: 'Cluster',
        metadata: {
          name,
          labels: {
            ...(dice.percent(80) && { tier: dice.one(TIERS) }),
            ...(dice.percent(10) && { [dice.one(INHERITED)]: 'yes' }),
          },
        },
        spec: {
          syncMode: 'Push',
          ...(dice.percent(80) && { region: dice.one(REGIONS), provider: dice.one(PROVIDERS) }),
          ...(zones.length > 0 && { zones }),
          taints: dice.percent(25) ? [dice.one(TAINTS)] : [],
        },
      },
      status: clusterStatus(dice),
    };
  });
}

/** The same status for all: their capacities differ only by what they hold. */
export function equalClusters(dice: Dice, names: readonly string[]): readonly ClusterCase[] {
  const status = clusterStatus(dice);
  return clusterCases(dice, names).map((cluster) => ({ ...cluster, status }));
}

function clusterStatus(dice: Dice): object {
  const kinds = dice.percent(92) ? ['Deployment', 'StatefulSet'] : ['StatefulSet'];
  const apiEnablements = [
    { groupVersion: 'apps/v1', resources: kinds.map((kind) => ({ kind, name: `${kind.toLowerCase()}s` })) },
  ];
  if (dice.percent(6)) return { apiEnablements };
  const allocatable = {
    pods: String(dice.number(0, 60)),
    cpu: dice.one(['4', '7500m', '16', '0', '24', '.5', '1e1']),
    memory: dice.one(['8Gi', '16384Mi', '33Gi', '1000M']),
    ...(dice.percent(20) && { 'example.com/gpu': String(dice.number(0, 8)) }),
  };
  const used = () => ({
    pods: String(dice.number(0, 12)),
    cpu: dice.one(['0', '250m', '1', '1300m']),
    memory: '512Mi',
  });
  return {
    apiEnablements,
    resourceSummary: {
      allocatable,
      ...(dice.percent(80) && { allocated: used() }),
      ...(dice.percent(30) && { allocating: used() }),
    },
  };
}

const SCHEDULED = {
  type: 'Scheduled',
  status: 'True',
  reason: 'Success',
  message: 'Binding has been scheduled successfully.',
  lastTransitionTime: '2026-11-21T10:00:00Z',
};

const CREATED = Date.UTC(2026, 10, 21, 10, 0, 0);

export function bindingCase(dice: Dice, name: string, clusters: readonly string[]): BindingCase {
  const terms = dice.percent(25) ? affinityTerms(dice, clusters) : undefined;
  const placement = {
    ...(terms !== undefined && { clusterAffinities: terms }),
    ...(terms === undefined && dice.percent(55) && { clusterAffinity: affinity(dice, clusters) }),
    ...(dice.percent(30) && { clusterTolerations: [toleration(dice)] }),
    ...(dice.percent(40) && { spreadConstraints: spread(dice) }),
    ...(dice.percent(92) && { replicaScheduling: scheduling(dice, clusters) }),
  };
  const held = dice.percent(60) ? dice.some(clusters, 45) : [];
  const gone = dice.percent(5) ? ['gone'] : [];
  const replicas = dice.percent(8) ? 0 : dice.number(1, 45);
  const current = [...held, ...gone].map((cluster) => ({ name: cluster, replicas: dice.number(0, 14) }));
  const known = held.length > 0 && dice.percent(20);
  return {
    name,
    object: {
      apiVersion: 'work.karmada.io/v1alpha2',
      kind: 'ResourceBinding',
      metadata: {
        name,
        ...(known && { annotations: { 'policy.karmada.io/applied-placement': JSON.stringify(placement) } }),
      },
      spec: {
        resource: { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'default', name, uid: dice.uuid() },
        replicas,
        ...(dice.percent(70) && { replicaRequirements: { resourceRequest: requests(dice) } }),
        ...(dice.percent(6) && { components: components(dice) }),
        clusters: known && dice.percent(60) ? divided(replicas, held) : current,
        ...(dice.percent(10) && held.length > 0 && { gracefulEvictionTasks: [eviction(dice.one(held))] }),
        ...(dice.percent(40) && { rescheduleTriggeredAt: toTimestamp(CREATED + 1000 * dice.number(0, 3)) }),
        placement,
      },
    },
    status: {
      ...((known || dice.percent(70)) && { lastScheduledTime: toTimestamp(CREATED + 1000 * dice.number(0, 2)) }),
      ...(known && { conditions: [SCHEDULED] }),
      ...(terms !== undefined && dice.percent(60) && { schedulerObservingAffinityName: observed(dice, terms) }),
    },
  };
}

/** An assignment that already has the requested replicas, so that no scheduling is needed. */
function divided(replicas: number, clusters: readonly string[]): readonly object[] {
  return clusters.map((name, index) => ({
    name,
    replicas: Math.floor(replicas / clusters.length) + (index < replicas % clusters.length ? 1 : 0),
  }));
}

function observed(dice: Dice, terms: readonly { affinityName: string }[]): string {
  return dice.percent(10) ? 'elsewhere' : dice.one(terms).affinityName;
}

function requests(dice: Dice): object {
  return {
    ...(dice.percent(80) && { cpu: dice.one(['100m', '250m', '1', '1500m', '.5']) }),
    ...(dice.percent(60) && { memory: dice.one(['64Mi', '500M', '1Gi']) }),
    ...(dice.percent(6) && { 'example.com/gpu': '1' }),
  };
}

function components(dice: Dice): readonly object[] {
  return ['server', 'worker'].slice(0, dice.number(1, 2)).map((name) => ({ name, replicas: dice.number(1, 3) }));
}

function eviction(fromCluster: string): object {
  return { fromCluster, purgeMode: 'Gracefully', reason: 'TaintUntolerated', producer: 'TaintManager' };
}
