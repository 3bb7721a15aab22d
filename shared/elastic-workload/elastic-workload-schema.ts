/**
 * ElasticWorkload: the fields that users write and that we report, in one schema. The CRDs of both groups, the practice hub and
 * the functions that read an ElasticWorkload derive from it.
 */
import * as z from 'zod/mini';
import { conditions, describe, labelSelector, text, whole } from '../kubernetes/crd-fields.ts';

const MOST_REPLICAS = 1_000_000;

/** Same format as the scale paths of a CRD: no lists, no quotes. */
const PATH = {
  spec: /^\.spec(\.[A-Za-z_][A-Za-z0-9_]{0,62}){1,8}$/,
  status: /^\.status(\.[A-Za-z_][A-Za-z0-9_]{0,62}){1,8}$/,
};
const DNS_SUBDOMAIN = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
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
  resource: describe('The plural name of the kind: "deployments".', text(1, 63).check(z.regex(DNS_LABEL))),
  specReplicasPath: describe('The path of the desired replicas.', z._default(path('spec'), '.spec.replicas')),
  readyReplicasPath: describe('The path of the ready replicas.', z._default(path('status'), '.status.readyReplicas')),
});

const target = z.object({
  type: describe(
    'Inline: the manifest is in spec.target.inline. Import: it is read from an object on the hub.',
    z.enum(['Inline', 'Import']),
  ),
  inline: describe(
    'The whole manifest; its namespace becomes spokeNamespace, its replicas are set for each cluster.',
    z.optional(inline),
  ),
  import: describe(
    'An object in the namespace of this one, on the hub, whose replicas are 0 and stay 0.',
    z.optional(imported),
  ),
  scale: describe(
    'How the kind is scaled, if it is no built-in kind and no CustomResourceDefinition on the hub states it.',
    z.optional(scale),
  ),
});

const override = z.object({
  clusterName: describe('The cluster that the weight applies to.', z.optional(text(1, 253))),
  clusterSelector: describe(
    'The clusters that the weight applies to, by labels of their ManagedClusters.',
    z.optional(labelSelector),
  ),
  weight: replicas(),
});

const addOnScore = z.object({
  resourceName: describe(
    'The name of the AddOnPlacementScores, one in the namespace of each cluster.',
    text(1, 253).check(z.regex(DNS_SUBDOMAIN)),
  ),
  scoreName: describe('The name of the score in them.', text(1, 253)),
  minChange: describe('A score that differs by less from the one in use is ignored.', z._default(whole(1, 200), 10)),
  coolDownSeconds: describe(
    'How long scores are kept in use after a change before other scores replace them.',
    z._default(whole(1, 86_400), 300),
  ),
});

const distribution = z.object({
  totalReplicas: describe('Replicas over all clusters; 0 switches the workload off.', replicas()),
  type: describe(
    'Even: as equal as possible. Weighted: in proportion to weights.',
    z._default(z.enum(['Even', 'Weighted']), 'Even'),
  ),
  weighted: describe(
    'The weights, with type Weighted alone.',
    z.optional(
      z.object({
        defaultWeight: describe(
          'The weight of every cluster that no override matches, without addOnScore.',
          z._default(replicas(), 1),
        ),
        overrides: describe(
          'The first override that matches a cluster applies.',
          z.optional(z.array(override).check(z.maxLength(256))),
        ),
        addOnScore: describe(
          'The weight of a cluster that no override matches is 100 plus its score: from 0 for -100 to 200 for 100.',
          z.optional(addOnScore),
        ),
      }),
    ),
  ),
});

const limitRange = z.object({
  min: describe('A cluster below it is the first to borrow replicas.', z._default(replicas(), 0)),
  max: describe('No cluster is given more.', replicas()),
});
const classful = z.object({
  assured: describe('A cluster up to this many is the first to borrow replicas.', replicas()),
  softLimit: describe('A cluster up to this many is the second choice.', replicas()),
  hardLimit: describe('No cluster is given more.', replicas()),
});

const balance = z.object({
  type: describe(
    'None: shares stay where the distribution puts them. LimitRange, Classful: within limits, which beat distribution and total.',
    z._default(z.enum(['None', 'LimitRange', 'Classful']), 'None'),
  ),
  limitRange: describe('With type LimitRange alone.', z.optional(limitRange)),
  classful: describe('With type Classful alone.', z.optional(classful)),
  transfer: describe(
    'Bursty: grow, wait until ready, shrink. Conservative: shrink, then grow.',
    z._default(z.enum(['Bursty', 'Conservative']), 'Bursty'),
  ),
  hesitationSeconds: describe(
    'How long a cluster may stay below its share before other clusters borrow its missing replicas.',
    z._default(whole(1, 86_400), 300),
  ),
});

const statusCollection = z.object({
  type: describe(
    'Feedback: the work agents report every change. PollingGet: they poll at an interval.',
    z._default(z.enum(['Feedback', 'PollingGet']), 'Feedback'),
  ),
  intervalSeconds: describe('The polling interval, with type PollingGet.', z._default(whole(1, 3600), 60)),
});

export const elasticSpec = z.object({
  spokeNamespace: describe(
    'The namespace of the workload in each cluster.',
    z._default(text(1, 63).check(z.regex(DNS_LABEL)), 'default'),
  ),
  target: describe('The workload to run.', target),
  placementRef: describe(
    'The Placement, in the namespace of this one, that selects the clusters.',
    z.object({ name: text(1, 253) }),
  ),
  distributionStrategy: describe('How many replicas, and how they are divided.', distribution),
  balanceStrategy: describe('Whether and how clusters borrow replicas of other clusters.', z.prefault(balance, {})),
  statusCollection: describe(
    'How replicas and readiness are read from the clusters.',
    z.prefault(statusCollection, {}),
  ),
});

const clusterStatus = z.object({
  name: z.string(),
  share: describe('Its replicas by distribution and limits, without borrowed replicas.', z.int()),
  score: describe('The score in use, if its weight is a score.', z.optional(z.int())),
  replicas: describe('The replicas written to its ManifestWork.', z.int()),
  observedReplicas: describe('The desired replicas of the workload on the cluster.', z.optional(z.int())),
  readyReplicas: z.optional(z.int()),
  reason: z.optional(z.string()),
  message: z.optional(z.string()),
});

export const elasticStatus = z.object({
  observedGeneration: z.optional(z.int()),
  selector: describe('For the scale subresource: selects the ManifestWorks.', z.optional(z.string())),
  replicas: describe('On all clusters together.', z.optional(z.int())),
  readyReplicas: z.optional(z.int()),
  desiredReplicas: describe('Written for all clusters together.', z.optional(z.int())),
  numberOfClusters: z.optional(z.int()),
  clusters: z.optional(z.array(clusterStatus).check(z.maxLength(5000))),
  manifestWorks: z.optional(z.array(z.object({ namespace: z.string(), name: z.string() })).check(z.maxLength(5000))),
  conditions,
});

export const elasticObject = z.object({ spec: elasticSpec, status: z.optional(elasticStatus) });

export type ElasticSpec = z.output<typeof elasticSpec>;
export type ElasticStatus = z.output<typeof elasticStatus>;
