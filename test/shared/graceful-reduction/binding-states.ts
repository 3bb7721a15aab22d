/** A binding in short form, for the admission tables: before a write, after the write, and as stored. */
import { REQUIRED_BY } from '../../../shared/graceful-reduction/replica-reduction.ts';

export interface EvictionTask {
  readonly fromCluster: string;
  readonly producer: string;
  readonly reason: string;
  readonly purgeMode?: string;
  readonly message?: string;
  readonly suppressDeletion?: boolean;
  readonly replicas?: number;
}

interface Requirement {
  readonly namespace: string;
  readonly name: string;
  readonly clusters: readonly TargetCluster[];
}

interface TargetCluster {
  readonly name: string;
  readonly replicas: number;
}

export interface BindingState {
  /** Annotations. */
  readonly notes?: Readonly<Record<string, string>> | undefined;
  readonly label?: string;
  readonly deleting?: true;
  /** In the spec: 6 where absent. */
  readonly replicas?: number;
  readonly clusters: Readonly<Record<string, number>>;
  readonly strategy?: string;
  /** Of Karmada's failover. */
  readonly tasks?: readonly EvictionTask[] | undefined;
  /** What our line in spec.requiredBy keeps, by cluster. */
  readonly kept?: Readonly<Record<string, number>> | undefined;
  /** The same of a workload that depends on this one. */
  readonly others?: Readonly<Record<string, number>> | undefined;
  /** Clusters that are not dispatched to. */
  readonly suspended?: readonly string[] | undefined;
  readonly lastScheduledTime?: string | undefined;
  /** When the hub last stamped a field, by metadata.managedFields; absent where it keeps none. */
  readonly hubTime?: string;
  /** False: dispatching to all clusters is suspended. */
  readonly dispatching?: false;
}

interface BindingObject {
  readonly metadata: {
    readonly annotations?: Readonly<Record<string, string>>;
    readonly labels?: Readonly<Record<string, string>>;
    readonly deletionTimestamp?: string;
    readonly managedFields?: readonly object[];
  };
  readonly spec: {
    readonly replicas: number;
    readonly clusters?: readonly TargetCluster[];
    readonly replicaReductionStrategy?: string;
    readonly gracefulEvictionTasks?: readonly EvictionTask[];
    readonly requiredBy?: readonly Requirement[];
    readonly suspension?: {
      readonly dispatching?: boolean;
      readonly dispatchingOnClusters?: { readonly clusterNames?: readonly string[] };
    };
  };
  readonly status?: { readonly lastScheduledTime?: string };
}

const resource = { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: 'web' };

/** Fields as the hub's API has them. */
export function specOf({
  replicas = 6,
  clusters,
  strategy,
  tasks,
  kept,
  others,
  suspended,
  dispatching,
}: BindingState): BindingObject['spec'] {
  const names = Object.entries(clusters);
  const requiredBy = [
    ...(others ? [{ namespace: 'shop', name: 'front-deployment', clusters: targets(others) }] : []),
    ...(kept ? [{ ...REQUIRED_BY, clusters: targets(kept) }] : []),
  ];
  return {
    resource,
    replicas,
    ...(names.length > 0 && { clusters: targets(clusters) }),
    ...(strategy !== undefined && { replicaReductionStrategy: strategy }),
    ...(tasks && { gracefulEvictionTasks: tasks }),
    ...(requiredBy.length > 0 && { requiredBy }),
    ...((suspended || dispatching === false) && {
      suspension: {
        ...(dispatching === false && { dispatching: true }),
        ...(suspended && suspended.length > 0 && { dispatchingOnClusters: { clusterNames: suspended } }),
      },
    }),
  } as BindingObject['spec'];
}

function targets(counts: Readonly<Record<string, number>>): readonly TargetCluster[] {
  return Object.entries(counts).map(([name, replicas]) => ({ name, replicas }));
}

export function objectOf(state: BindingState): BindingObject {
  const { notes, label, deleting, lastScheduledTime, hubTime } = state;
  return {
    metadata: {
      ...(notes && { annotations: notes }),
      ...(label !== undefined && { labels: { label } }),
      ...(deleting && { deletionTimestamp: '2026-07-01T09:00:00Z' }),
      ...(hubTime !== undefined && { managedFields: managedFieldsOf(hubTime) }),
    },
    spec: specOf(state),
    ...(lastScheduledTime !== undefined && { status: { lastScheduledTime } }),
  };
}

/** The newest is not the last, and one has no time, as one that was written before managers were timed. */
function managedFieldsOf(time: string): readonly object[] {
  return [
    { manager: 'kubectl', operation: 'Update', time },
    { manager: 'karmada-scheduler', operation: 'Update', subresource: 'status', time: '2026-07-01T08:00:00Z' },
    { manager: 'before-first-apply', operation: 'Update' },
  ];
}

/** The fields that the tables list. Empty and absent annotations and lists are equal to their readers. */
export function stateOf({ metadata, spec, status }: BindingObject) {
  const { annotations = {}, labels = {}, deletionTimestamp } = metadata;
  const { replicas, clusters = [], gracefulEvictionTasks = [], requiredBy = [], suspension } = spec;
  return {
    notes: annotations,
    label: labels.label,
    deleting: deletionTimestamp !== undefined,
    replicas,
    clusters: clusters.map(({ name, replicas: count }) => `${name}: ${count}`),
    strategy: spec.replicaReductionStrategy,
    tasks: gracefulEvictionTasks,
    requiredBy: requiredBy.map((line) => ({ ...line, clusters: line.clusters.toSorted(byName) })),
    suspended: suspension?.dispatchingOnClusters?.clusterNames ?? [],
    dispatching: suspension?.dispatching !== true,
    lastScheduledTime: status?.lastScheduledTime,
  };
}

/** The rules write them in no order. */
function byName(a: TargetCluster, b: TargetCluster): number {
  return a.name < b.name ? -1 : 1;
}
