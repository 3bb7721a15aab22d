/** The CustomResourceDefinition of ClusterDrain: printed by `evenkeel hub manifests`, and served by the practice hub. */
import { type CrdColumn, crdSchema, openApiOf } from '../kubernetes/crd-parts.ts';
import { clusterDrains } from './cluster-drain.ts';
import { drainObject, drainRules, drainTransitions } from './drain-schema.ts';
import { policyColumns, policyNameRule } from './policy-crd.ts';

const { group, version, kind, plural } = clusterDrains;

const [STATE, ...others] = policyColumns;
const columns: readonly CrdColumn[] = [
  { name: 'CLUSTER', type: 'string', jsonPath: '.spec.cluster', description: 'The cluster that is drained.' },
  ...(STATE ? [{ ...STATE, description: 'What the drain is doing.' }] : []),
  {
    name: 'DRAINED',
    type: 'string',
    jsonPath: ".status.conditions[?(@.type=='Drained')].status",
    description: 'Whether no workload has replicas on the cluster that can move.',
  },
  ...others.filter(({ name }) => name !== 'NEXT'),
];

export function drainCrd(): object {
  const ofSpec = [...drainRules('self'), ...drainTransitions('self', 'oldSelf')];
  const schema = crdSchema(openApiOf(drainObject), { ofSpec, ofName: policyNameRule('self') });
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      names: {
        kind,
        listKind: `${kind}List`,
        plural,
        singular: kind.toLowerCase(),
        shortNames: ['drain'],
        categories: ['evenkeel'],
      },
      scope: 'Cluster',
      versions: [
        {
          name: version,
          served: true,
          storage: true,
          schema: { openAPIV3Schema: schema },
          subresources: { status: {} },
          additionalPrinterColumns: columns,
        },
      ],
    },
  };
}
