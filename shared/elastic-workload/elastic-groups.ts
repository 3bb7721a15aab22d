/** The API groups that serve ElasticWorkloads: objects of both are different, even with equal namespace and name. */

/** Of each group the prefix of its ManifestWorks' names. */
export const elasticPrefixes = {
  'workload.open-cluster-management.io': 'elasticworkload',
  'scheduling.open-cluster-management.io': 'elasticworkload-scheduling',
} as const;

export type ElasticGroup = keyof typeof elasticPrefixes;
export const elasticGroups = Object.keys(elasticPrefixes) as [ElasticGroup, ...ElasticGroup[]];
