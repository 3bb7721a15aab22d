/** Specs of ElasticWorkloads that a hub accepts, with the stored object, and specs that it rejects, with the errors. */

interface TakenElastic {
  readonly description: string;
  readonly spec: object;
  readonly stored: object;
}

interface RejectedElastic {
  readonly description: string;
  readonly spec: object;
  readonly causes: readonly string[];
}

export const ELASTIC_GROUPS = ['workload.open-cluster-management.io', 'scheduling.open-cluster-management.io'] as const;

export const deployment = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', labels: { app: 'web' } },
  spec: {
    selector: { matchLabels: { app: 'web' } },
    template: {
      metadata: { labels: { app: 'web' } },
      spec: { containers: [{ name: 'web', image: 'nginx', args: [] }] },
    },
  },
};

/** The smallest valid spec. */
export const plain = {
  target: { type: 'Inline', inline: deployment },
  placementRef: { name: 'all' },
  distributionStrategy: { totalReplicas: 10 },
};

const filledIn = {
  spokeNamespace: 'default',
  balanceStrategy: { type: 'None', transfer: 'Bursty', hesitationSeconds: 300 },
  statusCollection: { type: 'Feedback', intervalSeconds: 60 },
};

const imported = { apiVersion: 'example.com/v1', kind: 'Shop', name: 'shop' };

function balanced(balanceStrategy: object): object {
  return { ...plain, balanceStrategy };
}

function weighted(weights: object): object {
  return { ...plain, distributionStrategy: { totalReplicas: 10, type: 'Weighted', weighted: weights } };
}

export const taken: readonly TakenElastic[] = [
  {
    description: 'a manifest, a placement and a total',
    spec: plain,
    stored: { ...filledIn, ...plain, distributionStrategy: { totalReplicas: 10, type: 'Even' } },
  },
  {
    description: 'an object of the hub, and how its kind is scaled',
    spec: {
      ...plain,
      spokeNamespace: 'shops',
      target: { type: 'Import', import: imported, scale: { resource: 'shops' } },
    },
    stored: {
      ...filledIn,
      ...plain,
      spokeNamespace: 'shops',
      distributionStrategy: { totalReplicas: 10, type: 'Even' },
      target: {
        type: 'Import',
        import: imported,
        scale: { resource: 'shops', specReplicasPath: '.spec.replicas', readyReplicasPath: '.status.readyReplicas' },
      },
    },
  },
  {
    description: 'weights by name and by labels, within limits',
    spec: {
      ...weighted({
        overrides: [
          { clusterName: 'eu-1', weight: 2 },
          { clusterSelector: { matchExpressions: [{ key: 'tier', operator: 'In', values: ['small'] }] }, weight: 0 },
        ],
      }),
      balanceStrategy: { type: 'LimitRange', limitRange: { max: 3 }, transfer: 'Conservative' },
    },
    stored: {
      ...filledIn,
      ...plain,
      distributionStrategy: {
        totalReplicas: 10,
        type: 'Weighted',
        weighted: {
          defaultWeight: 1,
          overrides: [
            { clusterName: 'eu-1', weight: 2 },
            { clusterSelector: { matchExpressions: [{ key: 'tier', operator: 'In', values: ['small'] }] }, weight: 0 },
          ],
        },
      },
      balanceStrategy: {
        type: 'LimitRange',
        limitRange: { min: 0, max: 3 },
        transfer: 'Conservative',
        hesitationSeconds: 300,
      },
    },
  },
  {
    description: 'weights by score, besides overrides',
    spec: weighted({
      addOnScore: { resourceName: 'prices.example.com', scoreName: 'cost' },
      overrides: [{ clusterName: 'eu-1', weight: 0 }],
    }),
    stored: {
      ...filledIn,
      ...plain,
      distributionStrategy: {
        totalReplicas: 10,
        type: 'Weighted',
        weighted: {
          defaultWeight: 1,
          overrides: [{ clusterName: 'eu-1', weight: 0 }],
          addOnScore: { resourceName: 'prices.example.com', scoreName: 'cost', minChange: 10, coolDownSeconds: 300 },
        },
      },
    },
  },
  {
    description: 'everything at its bounds',
    spec: {
      ...plain,
      distributionStrategy: { totalReplicas: 1_000_000, type: 'Weighted' },
      balanceStrategy: {
        type: 'Classful',
        classful: { assured: 5, softLimit: 5, hardLimit: 5 },
        hesitationSeconds: 86_400,
      },
      statusCollection: { type: 'PollingGet', intervalSeconds: 3600 },
    },
    stored: {
      ...filledIn,
      ...plain,
      distributionStrategy: { totalReplicas: 1_000_000, type: 'Weighted' },
      balanceStrategy: {
        type: 'Classful',
        classful: { assured: 5, softLimit: 5, hardLimit: 5 },
        hesitationSeconds: 86_400,
        transfer: 'Bursty',
      },
      statusCollection: { type: 'PollingGet', intervalSeconds: 3600 },
    },
  },
];

function missing(strategy: string, type: string, block: string): string {
  const field = `spec.${strategy}.${block}`;
  return `${field}: Invalid value: ${field} is missing, and spec.${strategy}.type is ${type}; write ${block}, or another type`;
}

function extra(strategy: string, type: string, block: string): string {
  const field = `spec.${strategy}.${block}`;
  return `${field}: Invalid value: ${field} goes with type ${type} alone; leave it out, or write spec.${strategy}.type: ${type}`;
}

const outOfOrder = {
  limitRange:
    'spec.balanceStrategy.limitRange: Invalid value: spec.balanceStrategy.limitRange is out of order; write numbers with min <= max',
  classful:
    'spec.balanceStrategy.classful: Invalid value: spec.balanceStrategy.classful is out of order; write numbers with assured <= softLimit <= hardLimit',
};
const oneWay =
  'spec.distributionStrategy.weighted.overrides: Invalid value: spec.distributionStrategy.weighted.overrides: each names its clusters in one way; write either clusterName or clusterSelector in every one';
const belowZero = (field: string) =>
  `${field}: Invalid value: -1: ${field} in body should be greater than or equal to 0`;

export const rejected: readonly RejectedElastic[] = [
  {
    description: 'type Inline and no manifest',
    spec: { ...plain, target: { type: 'Inline' } },
    causes: [missing('target', 'Inline', 'inline')],
  },
  {
    description: 'type Import and a manifest instead',
    spec: { ...plain, target: { type: 'Import', inline: deployment } },
    causes: [missing('target', 'Import', 'import'), extra('target', 'Inline', 'inline')],
  },
  {
    description: 'a manifest and an object of the hub',
    spec: { ...plain, target: { type: 'Inline', inline: deployment, import: imported } },
    causes: [extra('target', 'Import', 'import')],
  },
  {
    description: 'a manifest without kind and name',
    spec: { ...plain, target: { type: 'Inline', inline: { apiVersion: 'apps/v1', metadata: {} } } },
    causes: ['spec.target.inline.kind: Required value', 'spec.target.inline.metadata.name: Required value'],
  },
  {
    description: 'weights with an even distribution',
    spec: { ...plain, distributionStrategy: { totalReplicas: 10, weighted: {} } },
    causes: [extra('distributionStrategy', 'Weighted', 'weighted')],
  },
  {
    description: 'weights below 0',
    spec: weighted({ defaultWeight: -1, overrides: [{ clusterName: 'eu-1', weight: -1 }] }),
    causes: [
      belowZero('spec.distributionStrategy.weighted.defaultWeight'),
      belowZero('spec.distributionStrategy.weighted.overrides[0].weight'),
    ],
  },
  {
    description: 'scores with an even distribution',
    spec: {
      ...plain,
      distributionStrategy: {
        totalReplicas: 10,
        weighted: { addOnScore: { resourceName: 'prices', scoreName: 'cost' } },
      },
    },
    causes: [extra('distributionStrategy', 'Weighted', 'weighted')],
  },
  {
    description: 'scores without a name, or with limits that cannot hold',
    spec: weighted({ addOnScore: { resourceName: 'a,b', minChange: 0, coolDownSeconds: 0 } }),
    causes: [
      'spec.distributionStrategy.weighted.addOnScore.coolDownSeconds: Invalid value: 0: spec.distributionStrategy.weighted.addOnScore.coolDownSeconds in body should be greater than or equal to 1',
      'spec.distributionStrategy.weighted.addOnScore.minChange: Invalid value: 0: spec.distributionStrategy.weighted.addOnScore.minChange in body should be greater than or equal to 1',
      'spec.distributionStrategy.weighted.addOnScore.resourceName: Invalid value: "a,b": spec.distributionStrategy.weighted.addOnScore.resourceName in body should match \'^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$\'',
      'spec.distributionStrategy.weighted.addOnScore.scoreName: Required value',
    ],
  },
  { description: 'an override of no cluster', spec: weighted({ overrides: [{ weight: 1 }] }), causes: [oneWay] },
  {
    description: 'an override in two ways',
    spec: weighted({ overrides: [{ clusterName: 'eu-1', clusterSelector: {}, weight: 1 }] }),
    causes: [oneWay],
  },
  {
    description: 'type LimitRange and no limits',
    spec: balanced({ type: 'LimitRange' }),
    causes: [missing('balanceStrategy', 'LimitRange', 'limitRange')],
  },
  {
    description: 'type Classful and the limits of the other type',
    spec: balanced({ type: 'Classful', limitRange: { max: 3 } }),
    causes: [missing('balanceStrategy', 'Classful', 'classful'), extra('balanceStrategy', 'LimitRange', 'limitRange')],
  },
  {
    description: 'limits and no balancing',
    spec: balanced({ classful: { assured: 1, softLimit: 2, hardLimit: 3 } }),
    causes: [extra('balanceStrategy', 'Classful', 'classful')],
  },
  {
    description: 'min above max',
    spec: balanced({ type: 'LimitRange', limitRange: { min: 4, max: 3 } }),
    causes: [outOfOrder.limitRange],
  },
  ...[
    { assured: 3, softLimit: 2, hardLimit: 4 },
    { assured: 1, softLimit: 5, hardLimit: 4 },
  ].map((classful) => ({
    description: `classes ${Object.values(classful).join(', ')}`,
    spec: balanced({ type: 'Classful', classful }),
    causes: [outOfOrder.classful],
  })),
  {
    description: 'more replicas than are counted with, and no time to hesitate',
    spec: {
      ...plain,
      distributionStrategy: { totalReplicas: 1_000_001 },
      balanceStrategy: { hesitationSeconds: 0 },
      statusCollection: { intervalSeconds: 3601 },
    },
    causes: [
      'spec.balanceStrategy.hesitationSeconds: Invalid value: 0: spec.balanceStrategy.hesitationSeconds in body should be greater than or equal to 1',
      'spec.distributionStrategy.totalReplicas: Invalid value: 1000001: spec.distributionStrategy.totalReplicas in body should be less than or equal to 1000000',
      'spec.statusCollection.intervalSeconds: Invalid value: 3601: spec.statusCollection.intervalSeconds in body should be less than or equal to 3600',
    ],
  },
  {
    description: 'limits below 0',
    spec: balanced({ type: 'LimitRange', limitRange: { min: -1, max: 3 } }),
    causes: [belowZero('spec.balanceStrategy.limitRange.min')],
  },
  {
    description: 'half a replica',
    spec: balanced({ type: 'LimitRange', limitRange: { max: 1.5 } }),
    causes: [
      'spec.balanceStrategy.limitRange.max: Invalid value: "number": spec.balanceStrategy.limitRange.max in body must be of type integer: "number"',
    ],
  },
  {
    description: 'paths that lead through lists, or to the wrong side',
    spec: {
      ...plain,
      target: {
        ...plain.target,
        scale: { resource: 'shops', specReplicasPath: '.spec.tiers[0].replicas', readyReplicasPath: '.spec.ready' },
      },
    },
    causes: [
      'spec.target.scale.readyReplicasPath: Invalid value: ".spec.ready": spec.target.scale.readyReplicasPath in body should match \'^\\.status(\\.[A-Za-z_][A-Za-z0-9_]{0,62}){1,8}$\'',
      'spec.target.scale.specReplicasPath: Invalid value: ".spec.tiers[0].replicas": spec.target.scale.specReplicasPath in body should match \'^\\.spec(\\.[A-Za-z_][A-Za-z0-9_]{0,62}){1,8}$\'',
    ],
  },
  {
    description: 'words that there are not',
    spec: {
      ...plain,
      distributionStrategy: { totalReplicas: 10, type: 'Random' },
      balanceStrategy: { transfer: 'Sudden' },
      statusCollection: { type: 'Watch' },
    },
    causes: [
      'spec.balanceStrategy.transfer: Unsupported value: "Sudden": supported values: "Bursty", "Conservative"',
      'spec.distributionStrategy.type: Unsupported value: "Random": supported values: "Even", "Weighted"',
      'spec.statusCollection.type: Unsupported value: "Watch": supported values: "Feedback", "PollingGet"',
    ],
  },
  {
    description: 'nothing of what is needed',
    spec: {},
    causes: [
      'spec.distributionStrategy: Required value',
      'spec.placementRef: Required value',
      'spec.target: Required value',
    ],
  },
  {
    description: 'too many overrides',
    spec: weighted({ overrides: Array.from({ length: 257 }, (_, i) => ({ clusterName: `c${i}`, weight: 1 })) }),
    causes: ['spec.distributionStrategy.weighted.overrides: Too many: 257: must have at most 256 items'],
  },
  {
    description: 'a namespace that is none',
    spec: { ...plain, spokeNamespace: 'My_Shop' },
    causes: [
      'spec.spokeNamespace: Invalid value: "My_Shop": spec.spokeNamespace in body should match \'^[a-z0-9]([-a-z0-9]*[a-z0-9])?$\'',
    ],
  },
];

export function elasticOf(name: string, spec: object, group: string = ELASTIC_GROUPS[0]): object {
  return { apiVersion: `${group}/v1`, kind: 'ElasticWorkload', metadata: { name, namespace: 'default' }, spec };
}
