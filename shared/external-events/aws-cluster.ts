/** A member cluster as events from outside name it: its account, region, zones and EKS cluster; and which part of it an event concerns. */
import * as z from 'zod/mini';
import { clusters } from '../karmada/assignment/cluster.ts';
import { objectMeta, parseObject } from '../kubernetes/hub-object.ts';
import type { Resource } from '../kubernetes/resource.ts';
import type { EventPlace } from './external-event.ts';

/** Annotation of a Cluster: the ARN of its EKS cluster, with its account, region and name. */
export const EKS_CLUSTER = 'evenkeel.dev/eks-cluster';
/** Annotation: ids of its availability zones besides spec.zones, "euc1-az1,euc1-az2". AWS names zones by id where accounts differ in their names. */
export const ZONES = 'evenkeel.dev/zones';
/** Annotations: names of what belongs to it, separated by commas. */
export const AUTO_SCALING_GROUPS = 'evenkeel.dev/auto-scaling-groups';
export const CAPACITY_RESERVATIONS = 'evenkeel.dev/capacity-reservations';

export interface AwsCluster {
  readonly name: string;
  readonly account?: string;
  readonly region?: string;
  /** Of its EKS cluster; its own name without the annotation. */
  readonly eksCluster: string;
  /** Names, in the order of spec.zones. */
  readonly zones: readonly string[];
  /** Ids, in the order of the annotation. */
  readonly zoneIds: readonly string[];
  readonly autoScalingGroups: readonly string[];
  readonly capacityReservations: readonly string[];
  /** By its own report; absent if it reported none. */
  readonly nodes?: number;
}

const schema = z.object({
  metadata: objectMeta,
  spec: z._default(z.object({ region: z.nullish(z.string()), zones: z.nullish(z.array(z.string())) }), {}),
  status: z.nullish(z.object({ nodeSummary: z.nullish(z.object({ totalNum: z.nullish(z.number()) })) })),
});

const ARN = /^arn:[^:]+:eks:([^:]+):(\d{12}):cluster\/([^/]+)$/;

function parseAwsCluster(object: unknown): AwsCluster {
  const { metadata, spec, status } = parseObject(schema, object, 'Cluster');
  const { annotations, name } = metadata;
  const [, arnRegion, account, eksCluster = name] = ARN.exec(annotations[EKS_CLUSTER] ?? '') ?? [];
  const region = arnRegion ?? spec.region ?? undefined;
  const nodes = status?.nodeSummary?.totalNum ?? 0;
  return {
    name,
    eksCluster,
    ...(account !== undefined && { account }),
    ...(region !== undefined && { region }),
    zones: spec.zones ?? [],
    zoneIds: listed(annotations[ZONES]),
    autoScalingGroups: listed(annotations[AUTO_SCALING_GROUPS]),
    capacityReservations: listed(annotations[CAPACITY_RESERVATIONS]),
    ...(nodes > 0 && { nodes }),
  };
}

function listed(text = ''): readonly string[] {
  return text.split(',').flatMap((each) => (each.trim() === '' ? [] : [each.trim()]));
}

export const awsClusters: Resource<AwsCluster> = { ...clusters, parse: parseAwsCluster };

/** Whether an event concerns the cluster. An event that names no place concerns none. */
export function concerns(event: EventPlace, cluster: AwsCluster): boolean {
  const { account, region, zones, eksClusters, autoScalingGroup, capacityReservation, instances } = event;
  if (event.cluster !== undefined) return event.cluster === cluster.name;
  if (region === undefined || region !== cluster.region) return false;
  if (cluster.account !== undefined && account !== cluster.account) return false;
  if (eksClusters !== undefined) return eksClusters.includes(cluster.eksCluster);
  if (autoScalingGroup !== undefined) return cluster.autoScalingGroups.includes(autoScalingGroup);
  if (capacityReservation !== undefined) return cluster.capacityReservations.includes(capacityReservation);
  // An instance without a known cluster may be of any in the region, or of none.
  if (instances !== undefined) return false;
  return zones === undefined || zonesOf(event, cluster).length > 0;
}

/** The percentage of the cluster in these zones, rounded up; 100 for an event that is of no zone, or of a cluster whose zones are not known. */
export function zoneShare(event: Pick<EventPlace, 'zones'>, cluster: AwsCluster): number {
  const all = Math.max(cluster.zones.length, cluster.zoneIds.length);
  const concerned = zonesOf(event, cluster).length;
  return concerned === 0 || all === 0 ? 100 : Math.ceil((concerned * 100) / all);
}

function zonesOf({ zones = [] }: Pick<EventPlace, 'zones'>, cluster: AwsCluster): readonly string[] {
  return [...new Set(zones)].filter((zone) => cluster.zones.includes(zone) || cluster.zoneIds.includes(zone));
}
