/** The kinds of an Open Cluster Management hub, ElasticWorkload of both groups among them: for the practice hub's table of kinds. */

import { elasticWorkloads } from '../../../shared/elastic-workload/elastic-workload.ts';
import {
  elasticColumns,
  elasticNames,
  elasticOpenApi,
  elasticScale,
} from '../../../shared/elastic-workload/elastic-workload-crd.ts';
import {
  elasticNameRule,
  elasticRules,
  elasticTransitions,
} from '../../../shared/elastic-workload/elastic-workload-rules.ts';
import type { CrdColumn } from '../../../shared/kubernetes/crd-parts.ts';
import { customColumns, defaultColumns } from '../api/printer-columns.ts';
import * as schemas from './cluster-management-schemas.ts';
import { type KindDefinition, wholeObject } from './kind-definition.ts';
import { kindRules } from './kind-rules.ts';
import type { StructuralSchema } from './structural-schema.ts';

const crd = { builtIn: false, nameRule: 'subdomain', shortNames: [], subresources: ['status'] } as const;
const cluster = { ...crd, group: 'cluster.open-cluster-management.io' } as const;

const columns = (...given: readonly Omit<CrdColumn, 'description'>[]) =>
  customColumns(given.map((one) => ({ ...one, description: '' })));
const age = { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' } as const;
const condition = (type: string, field: string) => `.status.conditions[?(@.type=="${type}")].${field}`;

const elasticKinds = elasticWorkloads.map(
  ({ group, version }, i): KindDefinition => ({
    ...crd,
    ...elasticNames(group),
    group,
    version,
    // The first has the plural's own name.
    ...(i > 0 && { storeName: `${elasticNames(group).plural}.${group}` }),
    namespaced: true,
    subresources: ['status', 'scale'],
    scale: elasticScale,
    schema: wholeObject(elasticOpenApi as StructuralSchema),
    rules: kindRules(
      [elasticNameRule('object'), ...elasticRules('object.spec')],
      elasticTransitions('object.spec', 'oldObject.spec'),
    ),
    columns: customColumns(elasticColumns),
    description: 'One workload, its replicas spread and balanced over the clusters of a Placement.',
  }),
);

export const clusterManagementKinds: readonly KindDefinition[] = [
  {
    ...cluster,
    version: 'v1',
    plural: 'managedclusters',
    singular: 'managedcluster',
    kind: 'ManagedCluster',
    shortNames: ['mcl', 'mcls'],
    namespaced: false,
    schema: wholeObject(schemas.managedCluster),
    columns: columns(
      { name: 'Hub Accepted', type: 'boolean', jsonPath: '.spec.hubAcceptsClient' },
      { name: 'Managed Cluster URLs', type: 'string', jsonPath: '.spec.managedClusterClientConfigs[*].url' },
      { name: 'Joined', type: 'string', jsonPath: condition('ManagedClusterJoined', 'status') },
      { name: 'Available', type: 'string', jsonPath: condition('ManagedClusterConditionAvailable', 'status') },
      age,
    ),
    description: 'A cluster that the hub manages.',
  },
  {
    ...cluster,
    version: 'v1beta2',
    plural: 'managedclustersets',
    singular: 'managedclusterset',
    kind: 'ManagedClusterSet',
    shortNames: ['mclset', 'mclsets'],
    namespaced: false,
    schema: wholeObject(schemas.managedClusterSet),
    columns: columns({ name: 'Empty', type: 'string', jsonPath: condition('ClusterSetEmpty', 'status') }, age),
    description: 'A set of clusters.',
  },
  {
    ...cluster,
    version: 'v1beta2',
    plural: 'managedclustersetbindings',
    singular: 'managedclustersetbinding',
    kind: 'ManagedClusterSetBinding',
    shortNames: ['mclsetbinding', 'mclsetbindings'],
    namespaced: true,
    schema: wholeObject(schemas.managedClusterSetBinding),
    columns: defaultColumns,
    description: 'Lets the placements of a namespace use a set of clusters.',
  },
  {
    ...cluster,
    version: 'v1beta1',
    plural: 'placements',
    singular: 'placement',
    kind: 'Placement',
    namespaced: true,
    schema: wholeObject(schemas.placement),
    columns: columns(
      { name: 'Succeeded', type: 'string', jsonPath: condition('PlacementSatisfied', 'status') },
      { name: 'Reason', type: 'string', jsonPath: condition('PlacementSatisfied', 'reason') },
      { name: 'SelectedClusters', type: 'integer', jsonPath: '.status.numberOfSelectedClusters' },
    ),
    description: 'Selects clusters.',
  },
  {
    ...cluster,
    version: 'v1beta1',
    plural: 'placementdecisions',
    singular: 'placementdecision',
    kind: 'PlacementDecision',
    namespaced: true,
    schema: wholeObject(schemas.placementDecision),
    columns: defaultColumns,
    description: 'The clusters that a Placement selects.',
  },
  {
    ...crd,
    group: 'work.open-cluster-management.io',
    version: 'v1',
    plural: 'manifestworks',
    singular: 'manifestwork',
    kind: 'ManifestWork',
    namespaced: true,
    schema: wholeObject(schemas.manifestWork),
    columns: defaultColumns,
    description: 'Objects for the cluster whose namespace it is in.',
  },
  ...elasticKinds,
];
