/** The CustomResourceDefinitions of ElasticWorkload, one per group: printed by `evenkeel hub manifests --elastic-workloads`, and served by the practice hub. */
import { type CrdColumn, crdSchema, openApiOf } from '../kubernetes/crd-parts.ts';
import type { ElasticGroup } from './elastic-groups.ts';
import { elasticWorkloads } from './elastic-workload.ts';
import { elasticNameRule, elasticRules, elasticTransitions } from './elastic-workload-rules.ts';
import { elasticObject } from './elastic-workload-schema.ts';

/** kubectl warns about a short name that two groups share, so each group has its own. */
const shortNames: Readonly<Record<ElasticGroup, string>> = {
  'workload.open-cluster-management.io': 'ew',
  'scheduling.open-cluster-management.io': 'ews',
};

export function elasticNames(group: ElasticGroup) {
  return {
    kind: 'ElasticWorkload',
    listKind: 'ElasticWorkloadList',
    plural: 'elasticworkloads',
    singular: 'elasticworkload',
    shortNames: [shortNames[group]],
    categories: ['evenkeel'],
  } as const;
}

/** Read and written by `kubectl scale` and autoscalers. */
export const elasticScale = {
  specReplicasPath: '.spec.distributionStrategy.totalReplicas',
  statusReplicasPath: '.status.replicas',
  labelSelectorPath: '.status.selector',
} as const;

const balanced = '.status.conditions[?(@.type=="Balanced")]';

/** Total replicas, ready replicas, clusters, and whether the workload is balanced. */
export const elasticColumns: readonly CrdColumn[] = [
  {
    name: 'TOTAL',
    type: 'integer',
    jsonPath: elasticScale.specReplicasPath,
    description: 'Replicas that are asked for.',
  },
  { name: 'READY', type: 'integer', jsonPath: '.status.readyReplicas', description: 'Replicas that are ready.' },
  {
    name: 'CLUSTERS',
    type: 'integer',
    jsonPath: '.status.numberOfClusters',
    description: 'Clusters that the placement selects.',
  },
  {
    name: 'BALANCED',
    type: 'string',
    jsonPath: `${balanced}.status`,
    description: 'Whether every cluster has its share, ready.',
  },
  {
    name: 'PLACEMENT',
    type: 'string',
    jsonPath: '.spec.placementRef.name',
    priority: 1,
    description: 'The Placement that selects the clusters.',
  },
  {
    name: 'TYPE',
    type: 'string',
    jsonPath: '.spec.distributionStrategy.type',
    priority: 1,
    description: 'How replicas are divided.',
  },
  {
    name: 'MESSAGE',
    type: 'string',
    jsonPath: `${balanced}.message`,
    priority: 1,
    description: 'Why the workload is balanced or not.',
  },
  {
    name: 'AGE',
    type: 'date',
    jsonPath: '.metadata.creationTimestamp',
    description: 'Age of the workload.',
  },
];

/** OpenAPI of the whole object without its metadata. */
export const elasticOpenApi = openApiOf(elasticObject);

export function elasticCrds(): readonly object[] {
  const ofSpec = [...elasticRules('self'), ...elasticTransitions('self', 'oldSelf')];
  const schema = crdSchema(elasticOpenApi, { ofSpec, ofName: elasticNameRule('self') });
  return elasticWorkloads.map(({ group, version, plural }) => ({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      names: elasticNames(group),
      scope: 'Namespaced',
      versions: [
        {
          name: version,
          served: true,
          storage: true,
          schema: { openAPIV3Schema: schema },
          subresources: { status: {}, scale: elasticScale },
          additionalPrinterColumns: elasticColumns,
        },
      ],
    },
  }));
}
