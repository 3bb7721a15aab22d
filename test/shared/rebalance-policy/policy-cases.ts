/** Specs of a RebalancePolicy and what a hub makes of them: one table for the schema, the practice hub and a real API server. */

export interface PolicyCase {
  readonly description: string;
  readonly spec: object;
}

export interface RejectedPolicy extends PolicyCase {
  /** "field: message" of every cause that a user sees, sorted. */
  readonly causes: readonly string[];
}

const strategyDefaults = {
  waves: { pause: '0s', readyWithin: '10m' },
  maxInFlight: {},
  approval: 'None',
  coolDown: '30m',
  requireGracefulReduction: false,
  ttlSecondsAfterFinished: 3600,
};

export interface TakenPolicy extends PolicyCase {
  /** As it is stored. */
  readonly stored: object;
}

const nightly = { cron: '0 3 * * *', timeZone: 'Europe/Berlin' };

export const taken: readonly TakenPolicy[] = [
  {
    description: 'only a trigger, and everything else is filled in',
    spec: { triggers: { clusterRecovered: {} } },
    stored: {
      suspend: false,
      dryRun: false,
      selector: {},
      triggers: { clusterRecovered: { stableFor: '5m' } },
      strategy: strategyDefaults,
    },
  },
  {
    description: 'parts of the strategy, and the rest of it is filled in',
    spec: {
      triggers: { clusterJoined: { stableFor: '0s' }, schedule: { cron: '*/5 *  * * *' } },
      strategy: {
        waves: { size: 20 },
        order: [
          { by: 'Priority', descending: true },
          { by: 'Label', label: 'tier' },
          { by: 'Cluster', clusters: ['canary', 'member1'] },
        ],
        windows: [nightly],
        coolDown: '168h',
      },
    },
    stored: {
      suspend: false,
      dryRun: false,
      selector: {},
      triggers: { clusterJoined: { stableFor: '0s' }, schedule: { cron: '*/5 *  * * *', timeZone: 'UTC' } },
      strategy: {
        ...strategyDefaults,
        waves: { size: 20, pause: '0s', readyWithin: '10m' },
        order: [
          { by: 'Priority', descending: true },
          { by: 'Label', label: 'tier', descending: false },
          { by: 'Cluster', clusters: ['canary', 'member1'], descending: false },
        ],
        windows: [{ ...nightly, duration: '1h' }],
        coolDown: '168h',
      },
    },
  },
  {
    description: 'pressure, and its watermarks and resources are filled in',
    spec: { triggers: { pressure: {} } },
    stored: {
      suspend: false,
      dryRun: false,
      selector: {},
      triggers: { pressure: { high: 80, low: 60, resources: ['cpu', 'memory'] } },
      strategy: strategyDefaults,
    },
  },
  {
    description: 'prices, and the least score is filled in',
    spec: { triggers: { price: { clusters: [{ name: 'spot-a', price: '0.03' }] } } },
    stored: {
      suspend: false,
      dryRun: false,
      selector: {},
      triggers: { price: { minScore: 50, clusters: [{ name: 'spot-a', price: '0.03' }] } },
      strategy: strategyDefaults,
    },
  },
  {
    description: 'every field, and it is stored as it was written',
    spec: everyField(),
    stored: everyField(),
  },
];

function everyField(): object {
  const choice = {
    kinds: [{ apiVersion: 'apps/v1', kind: 'Deployment' }],
    namespaces: ['shop'],
    names: ['web'],
    labels: {
      matchLabels: { 'app.kubernetes.io/part-of': 'shop' },
      matchExpressions: [
        { key: 'tier', operator: 'In', values: ['1', '2'] },
        { key: 'pinned', operator: 'DoesNotExist' },
      ],
    },
    policies: [{ namespace: 'shop', name: 'spread' }, { name: 'everything' }],
  };
  return {
    suspend: true,
    dryRun: true,
    selector: { ...choice, exclude: choice },
    triggers: {
      clusterRecovered: { stableFor: '1h30m' },
      clusterJoined: { stableFor: '24h' },
      capacityFreed: {},
      schedule: nightly,
      imbalance: { percent: 100 },
    },
    strategy: {
      waves: { percent: 1, pause: '24h', healthy: 'replicas > 0', readyWithin: '10s' },
      maxInFlight: { workloads: 500, replicas: 1_000_000 },
      order: [{ by: 'Replicas', descending: true }],
      windows: [{ ...nightly, duration: '168h' }],
      approval: 'EachWave',
      coolDown: '0s',
      requireGracefulReduction: true,
      ttlSecondsAfterFinished: 604_800,
    },
  };
}

const triggers = { capacityFreed: {} };
const freely = (strategy: object) => ({ triggers, strategy });
const DURATION = '^([0-9]{1,3}h)?([0-9]{1,5}m)?([0-9]{1,6}s)?$';

function outOfRange(field: string, value: string, span: string): string {
  return `${field}: Invalid value: ${field} is ${value}; write a duration from ${span}, for example 1h30m`;
}

const alone =
  'spec.triggers: Invalid value: spec.triggers: pressure and price each exclude every other trigger; write a policy of its own for each';
const watermarks =
  'spec.triggers.pressure: Invalid value: spec.triggers.pressure: low must be less than high; they are 60 and 80 unless set';

const shiftTriggers: readonly RejectedPolicy[] = [
  {
    description: 'pressure and another trigger',
    spec: { triggers: { pressure: {}, imbalance: { percent: 10 } } },
    causes: [alone],
  },
  {
    description: 'price and a request',
    spec: { triggers: { price: {}, requestedAt: '2026-11-21T10:00:00Z' } },
    causes: [alone],
  },
  { description: 'pressure and price', spec: { triggers: { pressure: {}, price: {} } }, causes: [alone] },
  { description: 'equal watermarks', spec: { triggers: { pressure: { high: 70, low: 70 } } }, causes: [watermarks] },
  {
    description: 'a high watermark below the usual low one',
    spec: { triggers: { pressure: { high: 50 } } },
    causes: [watermarks],
  },
];

export const rejected: readonly RejectedPolicy[] = [
  {
    description: 'no trigger at all',
    spec: { triggers: {} },
    causes: [
      'spec.triggers: Invalid value: spec.triggers is empty, so no run would ever start; write at least one of clusterRecovered, clusterJoined, capacityFreed, schedule, imbalance, externalEvents, requestedAt, pressure, price',
    ],
  },
  {
    description: 'an entry for events that chooses none',
    spec: { triggers: { externalEvents: [{ types: ['ZonalShift'] }, { action: 'Cordon' }] } },
    causes: [
      'spec.triggers.externalEvents: Invalid value: spec.triggers.externalEvents: an entry has neither types nor match, so it chooses no event; write types, for example [ZonalShift], or match',
    ],
  },
  {
    description: 'a limit of events that is too long',
    spec: { triggers: { externalEvents: [{ types: ['ZonalShift'], limit: '25h' }] } },
    causes: [
      'spec.triggers.externalEvents: Invalid value: spec.triggers.externalEvents: a limit is out of range; write each from 1m to 24h, for example 30m',
    ],
  },
  ...shiftTriggers,
  { description: 'no triggers', spec: {}, causes: ['spec.triggers: Required value'] },
  {
    description: 'waves by size and by percent',
    spec: freely({ waves: { size: 10, percent: 10 } }),
    causes: ['spec.strategy.waves: Invalid value: spec.strategy.waves has both size and percent; write one of them'],
  },
  ...[
    { description: 'an order by label without one', order: [{ by: 'Label' }] },
    {
      description: 'an order by priority with a label',
      order: [{ by: 'Replicas' }, { by: 'Priority', label: 'tier' }],
    },
  ].map(({ description, order }) => ({
    description,
    spec: freely({ order }),
    causes: [
      'spec.strategy.order: Invalid value: spec.strategy.order: label goes with by: Label, and only with it; write the label whose value decides, or another by',
    ],
  })),
  ...[
    { description: 'an order by cluster without clusters', order: [{ by: 'Cluster' }] },
    { description: 'an order by priority with clusters', order: [{ by: 'Priority', clusters: ['member1'] }] },
  ].map(({ description, order }) => ({
    description,
    spec: freely({ order }),
    causes: [
      'spec.strategy.order: Invalid value: spec.strategy.order: clusters goes with by: Cluster, and only with it; write the clusters whose waves come first, or another by',
    ],
  })),
  {
    description: 'every duration too long or too short',
    spec: {
      triggers: { clusterRecovered: { stableFor: '25h' }, clusterJoined: { stableFor: '24h1s' } },
      strategy: {
        waves: { pause: '1441m', readyWithin: '9s' },
        coolDown: '168h1m',
        windows: [{ ...nightly, duration: '59s' }],
      },
    },
    causes: [
      outOfRange('spec.strategy.coolDown', '168h1m', '0s to 168h'),
      outOfRange('spec.strategy.waves.pause', '1441m', '0s to 24h'),
      outOfRange('spec.strategy.waves.readyWithin', '9s', '10s to 24h'),
      'spec.strategy.windows: Invalid value: spec.strategy.windows: a duration is out of range; write each from 1m to 168h, for example 1h30m',
      outOfRange('spec.triggers.clusterJoined.stableFor', '24h1s', '0s to 24h'),
      outOfRange('spec.triggers.clusterRecovered.stableFor', '25h', '0s to 24h'),
    ],
  },
  {
    description: 'a duration that is none',
    spec: freely({ coolDown: '5 minutes' }),
    causes: [
      `spec.strategy.coolDown: Invalid value: "5 minutes": spec.strategy.coolDown in body should match '${DURATION}'`,
      outOfRange('spec.strategy.coolDown', '5 minutes', '0s to 168h'),
    ],
  },
  ...['15 13 * *', '0 15 13 * * *', ' 15 13 * * *', '15 13 * * * '].map((cron) => ({
    description: `a cron that is no five fields: "${cron}"`,
    spec: { triggers: { schedule: { cron } } },
    causes: [
      `spec.triggers.schedule.cron: Invalid value: "${cron}": spec.triggers.schedule.cron in body should match '^\\S+( +\\S+){4}$'`,
    ],
  })),
  {
    description: 'numbers out of their bounds',
    spec: {
      triggers: { imbalance: { percent: 0 } },
      strategy: {
        waves: { size: 501 },
        maxInFlight: { workloads: 0, replicas: 1_000_001 },
        ttlSecondsAfterFinished: -1,
      },
    },
    causes: [
      'spec.strategy.maxInFlight.replicas: Invalid value: 1000001: spec.strategy.maxInFlight.replicas in body should be less than or equal to 1000000',
      'spec.strategy.maxInFlight.workloads: Invalid value: 0: spec.strategy.maxInFlight.workloads in body should be greater than or equal to 1',
      'spec.strategy.ttlSecondsAfterFinished: Invalid value: -1: spec.strategy.ttlSecondsAfterFinished in body should be greater than or equal to 0',
      'spec.strategy.waves.size: Invalid value: 501: spec.strategy.waves.size in body should be less than or equal to 500',
      'spec.triggers.imbalance.percent: Invalid value: 0: spec.triggers.imbalance.percent in body should be greater than or equal to 1',
    ],
  },
  {
    description: 'texts that are empty or too long',
    spec: {
      triggers,
      selector: { names: [''], namespaces: ['x'.repeat(254)], exclude: { kinds: [{ apiVersion: 'v1', kind: '' }] } },
    },
    causes: [
      'spec.selector.exclude.kinds[0].kind: Invalid value: "": spec.selector.exclude.kinds[0].kind in body should be at least 1 chars long',
      'spec.selector.names[0]: Invalid value: "": spec.selector.names[0] in body should be at least 1 chars long',
      'spec.selector.namespaces[0]: Too long: may not be more than 253 bytes',
    ],
  },
  {
    description: 'too many of a list',
    spec: freely({ order: Array.from({ length: 9 }, () => ({ by: 'Priority' })) }),
    causes: ['spec.strategy.order: Too many: 9: must have at most 8 items'],
  },
  {
    description: 'a word that there is not, and a field that is missing',
    spec: { triggers: { imbalance: {} }, strategy: { order: [{ by: 'Size' }] } },
    causes: [
      'spec.strategy.order[0].by: Unsupported value: "Size": supported values: "Priority", "Replicas", "Label", "Cluster"',
      'spec.triggers.imbalance.percent: Required value',
    ],
  },
  {
    description: 'values of another type',
    spec: { suspend: 'yes', triggers: { imbalance: { percent: 1.5 } }, strategy: { coolDown: 30 } },
    causes: [
      'spec.strategy.coolDown: Invalid value: "integer": spec.strategy.coolDown in body must be of type string: "integer"',
      'spec.suspend: Invalid value: "string": spec.suspend in body must be of type boolean: "string"',
      'spec.triggers.imbalance.percent: Invalid value: "number": spec.triggers.imbalance.percent in body must be of type integer: "number"',
    ],
  },
];

export function policyOf(name: string, spec: object): object {
  return { apiVersion: 'evenkeel.dev/v1alpha1', kind: 'RebalancePolicy', metadata: { name }, spec };
}
