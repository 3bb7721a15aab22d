/** The CustomResourceDefinitions of ElasticWorkload, one a group: what `evenkeel hub manifests --elastic-workloads` prints for a hub, and what the practice hub serves. */
import { type CrdColumn, crdSchema, openApiOf } from '../crd-parts.ts';
import { type ElasticGroup, elasticWorkloads } from './elastic-workload.ts';
import { elasticNameRule, elasticRules } from './elastic-workload-rules.ts';
import { elasticObject } from './elastic-workload-schema.ts';

/** A short name of two groups is told with a warning each time, so each has its own. */
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

/** What `kubectl scale` and every autoscaler read and write. */
export const elasticScale = {
  specReplicasPath: '.spec.distributionStrategy.totalReplicas',
  statusReplicasPath: '.status.replicas',
  labelSelectorPath: '.status.selector',
} as const;

const balanced = '.status.conditions[?(@.type=="Balanced")]';

/** How many there are to be, how many are ready and on how many clusters, and whether all is as it is to be. */
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
    description: 'What selects the clusters.',
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
    description: 'Why it is balanced or is not.',
  },
  {
    name: 'AGE',
    type: 'date',
    jsonPath: '.metadata.creationTimestamp',
    description: 'Since when there is the workload.',
  },
];

/** Of the whole object but its metadata. */
export const elasticOpenApi = openApiOf(elasticObject);

export function elasticCrds(): readonly object[] {
  const schema = crdSchema(elasticOpenApi, { ofSpec: elasticRules('self'), ofName: elasticNameRule('self') });
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
