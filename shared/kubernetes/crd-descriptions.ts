/** Descriptions of fields that many kinds share, and the type of each list: a CustomResourceDefinition leaves neither out. */

interface SchemaNode {
  readonly type?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly items?: SchemaNode;
}

/** By the end of the path of a field, without list items; the longest that matches is used. */
const descriptions: Readonly<Record<string, string>> = {
  apiVersion: 'The group and version of the schema.',
  kind: 'The kind of the object.',
  'metadata.name': 'The name of the object.',
  spec: 'The desired behaviour.',
  status: 'The observed state. Written by the functions.',
  'kinds.apiVersion': 'The group and version of the workloads, such as apps/v1.',
  'kinds.kind': 'The kind of the workloads, such as Deployment.',
  'policies.name': 'The name of the policy.',
  matchLabels: 'Labels with the value that each must have. All must match.',
  matchExpressions: 'Requirements on labels. All must match.',
  'matchExpressions.key': 'The label that the requirement is about.',
  'matchExpressions.operator': 'The relation between the label and the values.',
  'matchExpressions.values': 'The values for In and NotIn; empty for Exists and DoesNotExist.',
  'imbalance.percent': "The least share of a workload's replicas that would move, in percent.",
  'price.clusters.name': 'The name of the cluster.',
  'strategy.waves': 'How a run is divided into waves.',
  'strategy.maxInFlight': 'What may be moved at once.',
  'order.by': 'What the workloads are ordered by.',
  'order.descending': 'Whether the order is reversed.',
  'status.observedGeneration': 'The generation of the spec that the status is about.',
  'status.conditions': 'The latest observations, by type.',
  'conditions.type': 'The type of the condition.',
  'conditions.status': 'Whether the condition holds.',
  'conditions.reason': 'The reason for the last change, in one word.',
  'conditions.message': 'The reason for the last change, for users.',
  'conditions.lastTransitionTime': 'When the status last changed.',
  'conditions.observedGeneration': 'The generation of the spec that the condition is about.',
  'status.lastRun': 'The current run, or the last one.',
  'lastRun.name': 'The name of the run, which its rebalancers have as a label.',
  'lastRun.triggers': 'The triggers that started the run.',
  'lastRun.state': 'The state of the run.',
  'lastRun.message': 'Why the run is in this state.',
  'lastRun.startedAt': 'When the run started.',
  'lastRun.finishedAt': 'When the run ended.',
  'lastRun.waves': 'The number of waves.',
  'lastRun.wavesDone': 'The number of waves whose workloads are ready again.',
  'lastRun.workloads': 'The number of workloads in the run.',
  'lastRun.skipped': 'The number of workloads that were left alone.',
  'status.nextScheduleTime': 'When the schedule is next due.',
  'inline.apiVersion': 'The group and version of the workload, such as apps/v1.',
  'inline.kind': 'The kind of the workload, such as Deployment.',
  'inline.metadata': 'The metadata of the workload on the managed clusters.',
  'inline.metadata.name': 'The name of the workload on the managed clusters.',
  'import.apiVersion': 'The group and version of the workload, such as apps/v1.',
  'import.kind': 'The kind of the workload, such as Deployment.',
  'import.name': 'The name of the workload.',
  'placementRef.name': "The name of a Placement in the ElasticWorkload's namespace.",
  'overrides.weight': 'The weight of the clusters; 0 for no replicas.',
  readyReplicas: 'The number of ready replicas.',
  'status.numberOfClusters': 'The number of clusters that the Placement selects.',
  'status.clusters': 'The state of each cluster.',
  'status.clusters.name': 'The name of the cluster.',
  'status.clusters.reason': 'Why the cluster has no ready share, in one word.',
  'status.clusters.message': 'Why the cluster has no ready share, for users.',
  'status.manifestWorks': 'The ManifestWorks that carry the workload.',
  'manifestWorks.namespace': 'The namespace of the ManifestWork, which has the name of the cluster.',
  'manifestWorks.name': 'The name of the ManifestWork.',
};

function descriptionOf(path: readonly string[]): string | undefined {
  for (let from = 0; from < path.length; from += 1) {
    const found = descriptions[path.slice(from).join('.')];
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The schema with a description of each field and a list type of each list. A field's own description comes first. */
export function described(schema: object, path: readonly string[] = []): object {
  const { description, properties, items, ...rest }: SchemaNode = schema;
  const text = description ?? descriptionOf(path);
  return {
    ...(text !== undefined && { description: text }),
    // As the API server treats a list without a type; written down, so that a reader sees it.
    ...(rest.type === 'array' && { 'x-kubernetes-list-type': 'atomic' }),
    ...rest,
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, field]) => [name, described(field, [...path, name])]),
      ),
    }),
    ...(items && { items: describedItems(items, path) }),
  };
}

/** Items have the path of their list, and no description: the list has it. */
function describedItems(items: object, path: readonly string[]): object {
  const own = 'description' in items ? items.description : undefined;
  const { description: _, ...rest } = described(items, path) as SchemaNode;
  return { ...(own !== undefined && { description: own }), ...rest };
}
