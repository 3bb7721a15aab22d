/**
 * ElasticWorkload: what a person may write and what we report, in one schema. The CRDs of both groups, the practice hub and
 * the functions that read one are made from this.
 */
import * as z from 'zod/mini';
import { condition, labelSelector, says, text, whole } from '../crd-fields.ts';

const MOST_REPLICAS = 1_000_000;

/** As a CRD writes its scale paths: no lists, no quotes. */
const PATH = {
  spec: /^\.spec(\.[A-Za-z_][A-Za-z0-9_]{0,62}){1,8}$/,
  status: /^\.status(\.[A-Za-z_][A-Za-z0-9_]{0,62}){1,8}$/,
};
const DNS_LABEL = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;

const replicas = () => whole(0, MOST_REPLICAS);
const path = (below: keyof typeof PATH) => text(7, 253).check(z.regex(PATH[below]));

const imported = z.object({ apiVersion: text(1, 317), kind: text(1, 63), name: text(1, 253) });

const inline = z.looseObject({
  apiVersion: text(1, 317),
  kind: text(1, 63),
  metadata: z.looseObject({ name: text(1, 253) }),
});

const scale = z.object({
  resource: says('The plural name of the kind: "deployments".', text(1, 63).check(z.regex(DNS_LABEL))),
  specReplicasPath: says('Where the kind is told its replicas.', z._default(path('spec'), '.spec.replicas')),
  readyReplicasPath: says(
    'Where the kind reports its ready replicas.',
    z._default(path('status'), '.status.readyReplicas'),
  ),
});

const target = z.object({
  type: says(
    'Inline: the manifest stands here. Import: it is read from an object on the hub.',
    z.enum(['Inline', 'Import']),
  ),
  inline: says(
    'The whole manifest; its namespace becomes spokeNamespace, its replicas are set for each cluster.',
    z.optional(inline),
  ),
  import: says(
    'An object in the namespace of this one, on the hub, whose replicas are 0 and stay 0.',
    z.optional(imported),
  ),
  scale: says(
    'How the kind is scaled, where neither the built-in kinds nor a CustomResourceDefinition on the hub tell.',
    z.optional(scale),
  ),
});

const override = z.object({
  clusterName: says('The cluster it is for.', z.optional(text(1, 253))),
  clusterSelector: says('The clusters it is for, by labels of their ManagedClusters.', z.optional(labelSelector)),
  weight: replicas(),
});

const distribution = z.object({
  totalReplicas: says('Replicas over all clusters; 0 switches the workload off.', replicas()),
  type: says(
    'Even: as equal as can be. Weighted: in proportion to weights.',
    z._default(z.enum(['Even', 'Weighted']), 'Even'),
  ),
  weighted: says(
    'The weights, with type Weighted alone.',
    z.optional(
      z.object({
        defaultWeight: says('Of every cluster that no override names.', z._default(replicas(), 1)),
        overrides: says(
          'The first that names a cluster counts.',
          z.optional(z.array(override).check(z.maxLength(256))),
        ),
      }),
    ),
  ),
});

const limitRange = z.object({
  min: says('A cluster below it is the first to be lent replicas.', z._default(replicas(), 0)),
  max: says('No cluster is given more.', replicas()),
});
const classful = z.object({
  assured: says('A cluster up to this many is the first to be lent replicas.', replicas()),
  softLimit: says('A cluster up to this many is the second choice.', replicas()),
  hardLimit: says('No cluster is given more.', replicas()),
});

const balance = z.object({
  type: says(
    'None: shares stay where the distribution puts them. LimitRange, Classful: within limits, which beat distribution and total.',
    z._default(z.enum(['None', 'LimitRange', 'Classful']), 'None'),
  ),
  limitRange: says('With type LimitRange alone.', z.optional(limitRange)),
  classful: says('With type Classful alone.', z.optional(classful)),
  transfer: says(
    'Bursty: grow, wait until ready, shrink. Conservative: shrink, then grow.',
    z._default(z.enum(['Bursty', 'Conservative']), 'Bursty'),
  ),
  hesitationSeconds: says(
    'How long a cluster may stay below its share before its missing replicas are lent to others.',
    z._default(whole(1, 86_400), 300),
  ),
});

const statusCollection = z.object({
  type: says(
    'Feedback: the work agents tell of every change. PollingGet: they look at an interval.',
    z._default(z.enum(['Feedback', 'PollingGet']), 'Feedback'),
  ),
  intervalSeconds: says('How often they look, with type PollingGet.', z._default(whole(1, 3600), 60)),
});

export const elasticSpec = z.object({
  spokeNamespace: says(
    'The namespace of the workload in each cluster.',
    z._default(text(1, 63).check(z.regex(DNS_LABEL)), 'default'),
  ),
  target: says('What is to run.', target),
  placementRef: says(
    'The Placement, in the namespace of this one, that selects the clusters.',
    z.object({ name: text(1, 253) }),
  ),
  distributionStrategy: says('How many replicas, and how they are divided.', distribution),
  balanceStrategy: says('Whether and how replicas are lent from one cluster to another.', z.prefault(balance, {})),
  statusCollection: says('How replicas and readiness are read from the clusters.', z.prefault(statusCollection, {})),
});

const clusterStatus = z.object({
  name: z.string(),
  share: says('Its number by distribution and limits, with nothing lent.', z.int()),
  replicas: says('The number that was written for it.', z.int()),
  observedReplicas: says('The number that the workload asks for there.', z.optional(z.int())),
  readyReplicas: z.optional(z.int()),
  reason: z.optional(z.string()),
  message: z.optional(z.string()),
});

export const elasticStatus = z.object({
  observedGeneration: z.optional(z.int()),
  selector: says('For the scale subresource: selects the ManifestWorks.', z.optional(z.string())),
  replicas: says('On all clusters together.', z.optional(z.int())),
  readyReplicas: z.optional(z.int()),
  desiredReplicas: says('Written for all clusters together.', z.optional(z.int())),
  numberOfClusters: z.optional(z.int()),
  clusters: z.optional(z.array(clusterStatus).check(z.maxLength(5000))),
  manifestWorks: z.optional(z.array(z.object({ namespace: z.string(), name: z.string() })).check(z.maxLength(5000))),
  conditions: z.optional(z.array(condition)),
});

export const elasticObject = z.object({ spec: elasticSpec, status: z.optional(elasticStatus) });

export type ElasticSpec = z.output<typeof elasticSpec>;
export type ElasticStatus = z.output<typeof elasticStatus>;
