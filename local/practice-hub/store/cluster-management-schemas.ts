/** Schemas of Open Cluster Management's kinds, as far as its CRDs validate the fields used here; other fields are not checked. */
import * as z from 'zod';
import { condition, int32, int64, open, text, time } from './kind-schemas.ts';
import { structuralSchema } from './structural-schema.ts';

const byKey = (...keys: readonly string[]) => ({
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': keys,
});

const conditions = z.array(condition).meta(byKey('type')).optional();
const expression = z.object({
  key: text(),
  operator: text(),
  values: z.array(text()).optional(),
});
const labelSelector = z
  .object({ matchLabels: z.record(text(), text()).optional(), matchExpressions: z.array(expression).optional() })
  .meta({ 'x-kubernetes-map-type': 'atomic' });
const claimSelector = z.object({ matchExpressions: z.array(expression).optional() });
const effect = z.enum(['NoSelect', 'PreferNoSelect', 'NoSelectIfNew']);

export const managedCluster = structuralSchema(
  z.object({
    spec: z
      .object({
        hubAcceptsClient: z.boolean().optional().describe('Whether the hub lets the cluster join.'),
        leaseDurationSeconds: int32().meta({ default: 60 }).optional(),
        managedClusterClientConfigs: z.array(z.object({ url: text(), caBundle: text().optional() })).optional(),
        taints: z
          .array(z.object({ key: text(), value: text().optional(), effect, timeAdded: time().optional() }))
          .optional()
          .describe('What keeps placements from selecting the cluster.'),
      })
      .optional()
      .describe('How the cluster stands with the hub.'),
    status: z
      .object({
        allocatable: open().optional(),
        capacity: open().optional(),
        clusterClaims: z.array(z.object({ name: text().optional(), value: text().optional() })).optional(),
        conditions,
        version: z.object({ kubernetes: text().optional() }).optional(),
        managedNamespaces: z.array(open()).optional(),
      })
      .optional()
      .describe('What its agent reports.'),
  }),
);

export const managedClusterSet = structuralSchema(
  z.object({
    spec: z
      .object({
        clusterSelector: z
          .object({
            selectorType: z
              .enum(['ExclusiveClusterSetLabel', 'LabelSelector'])
              .meta({ default: 'ExclusiveClusterSetLabel' })
              .optional(),
            labelSelector: labelSelector.optional(),
          })
          .meta({ default: { selectorType: 'ExclusiveClusterSetLabel' } })
          .optional(),
        managedNamespaces: z.array(open()).optional(),
      })
      .meta({ default: { clusterSelector: { selectorType: 'ExclusiveClusterSetLabel' } } })
      .optional()
      .describe('Which clusters are in the set.'),
    status: z.object({ conditions }).optional(),
  }),
);

export const managedClusterSetBinding = structuralSchema(
  z.object({
    spec: z.object({ clusterSet: text().optional() }).optional().describe('The set that the namespace may use.'),
    status: z.object({ conditions }).optional(),
  }),
);

const predicate = z.object({
  requiredClusterSelector: z
    .object({
      labelSelector: labelSelector.optional(),
      claimSelector: claimSelector.optional(),
      celSelector: z.object({ celExpressions: z.array(text()).optional() }).optional(),
    })
    .optional(),
});

const toleration = z.object({
  key: text().optional(),
  operator: text().meta({ default: 'Equal' }).optional(),
  value: text().optional(),
  effect: effect.optional(),
  tolerationSeconds: int64().optional(),
});

export const placement = structuralSchema(
  z.object({
    spec: z
      .object({
        clusterSets: z.array(text()).optional().describe('Of these sets only; all that are bound, where left out.'),
        numberOfClusters: int32().optional().describe('So many at most; all, where left out.'),
        predicates: z.array(predicate).optional().describe('A cluster that any of these takes may be selected.'),
        tolerations: z.array(toleration).optional().describe('Taints that do not matter to it.'),
        prioritizerPolicy: open().optional(),
        spreadPolicy: open().optional(),
        decisionStrategy: open().optional(),
      })
      .describe('Which clusters are selected.'),
    status: z
      .object({
        numberOfSelectedClusters: int32().optional(),
        decisionGroups: z.array(open()).optional(),
        conditions,
      })
      .optional(),
  }),
);

export const placementDecision = structuralSchema(
  z.object({
    status: z
      .object({ decisions: z.array(z.object({ clusterName: text(), reason: text() })) })
      .optional()
      .describe('The clusters that the placement selects, or a slice of them.'),
  }),
);

const identifier = z.object({
  group: text().optional(),
  resource: text(),
  name: text(),
  namespace: text().optional(),
});

const ignoredFields = z.object({
  condition: z.enum(['OnSpokePresent', 'OnSpokeChange']).meta({ default: 'OnSpokePresent' }).optional(),
  jsonPaths: z.array(text()).min(1),
});

const updateStrategy = z.object({
  type: z.enum(['Update', 'CreateOnly', 'ServerSideApply', 'ReadOnly']).meta({ default: 'Update' }).optional(),
  serverSideApply: z
    .object({
      fieldManager: text().meta({ default: 'work-agent', pattern: '^work-agent' }).optional(),
      force: z.boolean().optional(),
      ignoreFields: z.array(ignoredFields).meta(byKey('condition')).optional(),
    })
    .optional(),
});

const feedbackRule = z.object({
  type: z.enum(['WellKnownStatus', 'JSONPaths']),
  jsonPaths: z
    .array(z.object({ name: text(), path: text(), version: text().optional() }))
    .meta(byKey('name'))
    .optional(),
});

const fieldValue = z.object({
  type: z.enum(['Integer', 'String', 'Boolean', 'JsonRaw']),
  integer: int64().optional(),
  string: text().optional(),
  boolean: z.boolean().optional(),
  jsonRaw: text().optional(),
});

const manifestStatus = z.object({
  resourceMeta: z.object({
    ordinal: int32(),
    group: text().optional(),
    version: text().optional(),
    kind: text().optional(),
    resource: text().optional(),
    name: text().optional(),
    namespace: text().optional(),
  }),
  conditions: z.array(condition).meta(byKey('type')),
  statusFeedback: z
    .object({
      values: z
        .array(z.object({ name: text(), fieldValue }))
        .meta(byKey('name'))
        .optional(),
    })
    .optional(),
});

export const manifestWork = structuralSchema(
  z.object({
    spec: z
      .object({
        workload: z
          .object({ manifests: z.array(open()).optional() })
          .optional()
          .describe('The objects that the cluster is to have.'),
        manifestConfigs: z
          .array(
            z.object({
              resourceIdentifier: identifier,
              updateStrategy: updateStrategy.optional(),
              feedbackRules: z.array(feedbackRule).optional(),
              feedbackScrapeType: z.enum(['Poll', 'Watch']).meta({ default: 'Poll' }).optional(),
              conditionRules: z.array(open()).optional(),
            }),
          )
          .optional()
          .describe('How an object is updated, and which feedback is reported.'),
        deleteOption: z
          .looseObject({
            propagationPolicy: z
              .enum(['Foreground', 'Orphan', 'SelectivelyOrphan'])
              .meta({ default: 'Foreground' })
              .optional(),
          })
          .optional(),
        executor: open().optional(),
      })
      .optional()
      .describe('What a cluster is to run.'),
    status: z
      .object({
        conditions,
        resourceStatus: z.object({ manifests: z.array(manifestStatus).optional() }).optional(),
      })
      .optional()
      .describe('What the agent of the cluster reports.'),
  }),
);
