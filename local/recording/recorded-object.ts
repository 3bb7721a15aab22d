/** What a recording keeps of a hub's objects: the fields that decisions on moves read, in the form of the API, and nothing that holds a secret. */
import { clusters } from '../../shared/karmada/assignment/cluster.ts';
import { clusterResourceBindings, resourceBindings } from '../../shared/karmada/binding.ts';
import { namespaces } from '../../shared/karmada/rescheduling-policy.ts';
import { priorityClasses } from '../../shared/kubernetes/priority-class.ts';
import { apiVersionOf, type Resource } from '../../shared/kubernetes/resource.ts';
import { workloadKinds } from '../../shared/kubernetes/workload-metadata.ts';

type Json = Readonly<Record<string, unknown>>;

export interface RecordedObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: Json & { readonly name: string; readonly namespace?: string };
  readonly spec?: Json;
  readonly status?: Json;
  readonly value?: unknown;
}

/** The key of an object in a recording: "ResourceBinding shop/web-deployment". */
export function recordedKey({ kind, metadata }: Pick<RecordedObject, 'kind' | 'metadata'>): string {
  return `${kind} ${metadata.namespace ?? ''}/${metadata.name}`;
}

/**
 * Annotations that policies read. All others stay out: kubectl's last-applied-configuration, for example, has the environment of each
 * container. Those of a trigger are of moves, which a backtest makes itself.
 */
const ANNOTATION = /^(evenkeel\.dev\/(?!triggered-|request)|(cluster)?propagationpolicy\.karmada\.io\/name(space)?$)/;

/** Of a Cluster: neither spec.secretRef nor the address of its API. */
function ofCluster({ spec, status }: Json): Json {
  const conditions = listOf(status, 'conditions').filter(({ type }) => type === 'Ready');
  return {
    spec: picked(spec, ['provider', 'region', 'zones', 'taints']),
    status: {
      conditions: conditions.map((condition) => picked(condition, ['type', 'status', 'lastTransitionTime'])),
      resourceSummary: picked(field(status, 'resourceSummary'), ['allocatable', 'allocated', 'allocating']),
    },
  };
}

const bindingFields = [
  ...['replicas', 'replicaRequirements', 'placement', 'clusters', 'schedulerName', 'schedulePriority', 'suspension'],
  ...['replicaReductionStrategy', 'rescheduleTriggeredAt'],
];

function ofBinding({ spec, status }: Json): Json {
  const reported = listOf(status, 'aggregatedStatus').map((item) => ({
    ...picked(item, ['clusterName', 'health']),
    status: picked(item.status, ['replicas', 'readyReplicas']),
  }));
  return {
    spec: {
      resource: picked(field(spec, 'resource'), ['apiVersion', 'kind', 'namespace', 'name', 'uid']),
      ...picked(spec, bindingFields),
    },
    status: { ...picked(status, ['lastScheduledTime', 'schedulerObservingAffinityName']), aggregatedStatus: reported },
  };
}

/** A recorded kind; `parse` reads an object as the API server sent it. Undefined for a binding without replicas, for example of a Secret. */
export type RecordedKind = Resource<RecordedObject | undefined>;

const labelled = ['labels'];

function recorded(
  resource: Resource<unknown>,
  keep: (object: Json) => Json | undefined,
  meta = labelled,
): RecordedKind {
  return {
    ...resource,
    parse: (object) => {
      const kept = keep(object as Json);
      const { metadata } = object as { metadata: Json & { name: string } };
      if (kept === undefined) return undefined;
      const annotations = Object.entries(field({ metadata }, 'metadata').annotations ?? {});
      const own = Object.fromEntries(annotations.filter(([name]) => ANNOTATION.test(name)));
      return {
        apiVersion: apiVersionOf(resource),
        kind: resource.kind,
        metadata: {
          name: metadata.name,
          ...picked(metadata, ['namespace', 'uid', 'creationTimestamp', 'deletionTimestamp', ...meta]),
          ...(Object.keys(own).length > 0 && { annotations: own }),
        },
        ...kept,
      };
    },
  };
}

function binding(resource: Resource<unknown>): RecordedKind {
  return recorded(
    resource,
    (object) => {
      const spec = field(object, 'spec');
      return (spec.replicas ?? 0) === 0 && spec.replicaRequirements == null ? undefined : ofBinding(object);
    },
    [],
  );
}

/** Clusters come first, and bindings before what describes their workloads. */
export const recordedKinds: readonly RecordedKind[] = [
  recorded(clusters, ofCluster),
  binding(resourceBindings),
  binding(clusterResourceBindings),
  ...workloadKinds.map((kind) => recorded(kind, () => ({}))),
  recorded({ ...namespaces, metadataOnly: true }, () => ({}), []),
  recorded(priorityClasses, ({ value }) => ({ value }), []),
];

/** Without them there is nothing to play. */
export const requiredKinds: readonly string[] = [clusters.kind, resourceBindings.kind];

/** The part of a Cluster that changes with every pod: a change of nothing else is written seldom. */
export function withoutUsage({ status, ...rest }: RecordedObject): object {
  return { ...rest, ready: status?.conditions, allocatable: field(status, 'resourceSummary').allocatable };
}

function picked(value: unknown, names: readonly string[]): Json {
  const from = (value ?? {}) as Json;
  return Object.fromEntries(names.flatMap((name) => (from[name] == null ? [] : [[name, from[name]] as const])));
}

function field(value: unknown, name: string): Json {
  return ((value as Json | null | undefined)?.[name] ?? {}) as Json;
}

function listOf(value: unknown, name: string): readonly Json[] {
  return ((value as Json | null | undefined)?.[name] ?? []) as readonly Json[];
}
