/**
 * RebalancePolicy (evenkeel.dev/v1alpha1): the fields that users write and that we report, in one schema. The CRD of a
 * hub, the practice hub and the functions that read a policy derive from it.
 */
import * as z from 'zod/mini';
import {
  conditions,
  describe,
  describeTime,
  type KindRule,
  labelSelector,
  text,
  whole,
} from '../kubernetes/crd-fields.ts';
import { eventRules, externalEvents } from './event-schema.ts';
import { duration, durationWithin, texts } from './policy-fields.ts';
import { pressure, price, shiftRules } from './shift-schema.ts';

/** Five fields. The functions check the values and time zones, and report errors in the condition Accepted. */
const CRON = /^\S+( +\S+){4}$/;

export const calendar = {
  cron: describe('Minute, hour, day of month, month, day of week: "0 3 * * *".', text(9, 120).check(z.regex(CRON))),
  timeZone: describe('A name of the IANA time zone database: "Europe/Berlin".', z._default(text(1, 60), 'UTC')),
};

const kind = z.object({
  apiVersion: text(1, 253),
  kind: text(1, 63),
});
const policyName = z.object({
  namespace: describe(
    'The namespace of a PropagationPolicy; leave it out for a ClusterPropagationPolicy.',
    z.optional(z.string().check(z.maxLength(63))),
  ),
  name: text(1, 253),
});

const choice = {
  kinds: describe('Kinds of workloads.', z.optional(z.array(kind).check(z.maxLength(64)))),
  namespaces: texts('Namespaces of workloads.'),
  names: texts('Names of workloads.'),
  labels: describe('Labels of workloads, as a label selector.', z.optional(labelSelector)),
  policies: describe('Policies that placed the workloads.', z.optional(z.array(policyName).check(z.maxLength(256)))),
};

export const selector = z.prefault(
  z.object({
    ...choice,
    exclude: describe('Excludes every workload that any of these lists matches.', z.optional(z.object(choice))),
  }),
  {},
);

const stableFor = duration('How long a cluster must have been ready and untainted without a break: 0s to 24h.', '5m');
const triggers = z.object({
  clusterRecovered: describe(
    'A cluster that was not ready, or tainted, is healthy again.',
    z.optional(z.object({ stableFor })),
  ),
  clusterJoined: describe('A cluster has joined since the policy was created.', z.optional(z.object({ stableFor }))),
  capacityFreed: describe(
    'An Aggregated workload would now fit in fewer clusters, or a divided one could be spread over more.',
    z.optional(z.object({})),
  ),
  schedule: describe('At these times.', z.optional(z.object(calendar))),
  imbalance: describe(
    "A new assignment would move at least this percentage of a workload's replicas.",
    z.optional(z.object({ percent: whole(1, 100) })),
  ),
  externalEvents,
  pressure: describe(
    'Clusters above the high watermark give replicas to clusters below the low one. Excludes every other trigger.',
    z.optional(pressure),
  ),
  price: describe(
    'Replicas move to cheaper clusters where the savings are worth the disruption. Excludes every other trigger.',
    z.optional(price),
  ),
  requestedAt: describeTime(
    'One run at this time, or at once if it is past. A later time requests another run; a time before the policy was created requests none.',
  ),
});

const waves = z.object({
  size: describe('Workloads in a wave; 50 unless size or percent is set.', z.optional(whole(1, 500))),
  percent: describe("Workloads in a wave, in percent of the run's.", z.optional(whole(1, 100))),
  pause: duration('How long to wait after a wave is ready before the next: 0s to 24h.', '0s'),
  healthy: describe(
    "CEL that is true when a moved workload is healthy, besides that its replicas are ready. Variables: clusters, the binding's status.aggregatedStatus; replicas; workload (apiVersion, kind, namespace, name).",
    z.optional(text(1, 512)),
  ),
  readyWithin: duration('How long a wave may take to be ready, or the run is stopped: 10s to 24h.', '10m'),
});
const maxInFlight = z.object({
  workloads: describe('Workloads that are being moved at once, at most.', z.optional(whole(1, 500))),
  replicas: describe('Replicas that are being moved at once, at most.', z.optional(whole(1, 1_000_000))),
});
const order = z.object({
  by: z.enum(['Priority', 'Replicas', 'Label', 'Cluster']),
  label: describe('The label to sort by, with by: Label; numeric values sort as numbers.', z.optional(text(1, 317))),
  clusters: texts(
    'With by: Cluster: a workload has the place of the first of these clusters whose replicas change, the last place if none of them changes. Workloads of different places are in different waves.',
  ),
  descending: z._default(z.boolean(), false),
});
const window = z.object({ ...calendar, duration: duration('How long it stays open: 1m to 168h.', '1h') });

export const waveStrategy = z.object({
  waves: z.prefault(waves, {}),
  maxInFlight: z.prefault(maxInFlight, {}),
  order: describe(
    'The order of workloads; later entries break ties, then the name.',
    z.optional(z.array(order).check(z.maxLength(8))),
  ),
  windows: describe(
    'When a wave may start; at any time if there are none.',
    z.optional(z.array(window).check(z.maxLength(16))),
  ),
  approval: describe(
    'Which waves wait until a user approves them, for example with `evenkeel approve`: none, all after the first, which are approved together, or each.',
    z._default(z.enum(['None', 'AfterFirstWave', 'EachWave']), 'None'),
  ),
  coolDown: duration('How long a workload is not moved again after a move: 0s to 168h.', '30m'),
  requireGracefulReduction: describe(
    'Moves only workloads that request DelayWorkDeletion.',
    z._default(z.boolean(), false),
  ),
  ttlSecondsAfterFinished: describe(
    "How long a wave's WorkloadRebalancer is kept after it finished.",
    z._default(whole(0, 604_800), 3600),
  ),
});

export const suspend = describe(
  'Starts no more waves while it is true; a wave in flight completes.',
  z._default(z.boolean(), false),
);
export const dryRun = describe('Records what it would do, and moves nothing.', z._default(z.boolean(), false));

export const policySpec = z.object({
  suspend,
  dryRun,
  selector: describe('The workloads that it applies to; by default all with divisible replicas.', selector),
  triggers: describe('What triggers a run.', triggers),
  strategy: describe('How workloads are moved.', z.prefault(waveStrategy, {})),
});

const lastRun = z.object({
  name: z.string(),
  triggers: z.array(z.string()),
  state: z.string(),
  message: z.optional(z.string()),
  startedAt: z.string(),
  finishedAt: z.optional(z.string()),
  waves: z.int(),
  wavesDone: z.int(),
  workloads: z.int(),
  moved: describe('Replicas that were moved so far.', z.int()),
  skipped: z.int(),
});

export const policyStatus = z.object({
  observedGeneration: z.optional(z.int()),
  state: describe(
    'Idle, Running, Waiting, Suspended, Stopped or Invalid; of a ClusterDrain also Over.',
    z.optional(z.string()),
  ),
  message: describe('Why it is in this state.', z.optional(z.string())),
  conditions,
  lastRun: z.optional(lastRun),
  nextScheduleTime: z.optional(z.string()),
});

export const policyObject = z.object({ spec: policySpec, status: z.optional(policyStatus) });

interface DurationRange {
  readonly path: string;
  readonly least: string;
  readonly most: string;
}

const spans: readonly DurationRange[] = [
  { path: 'triggers.clusterRecovered.stableFor', least: '0s', most: '24h' },
  { path: 'triggers.clusterJoined.stableFor', least: '0s', most: '24h' },
  { path: 'strategy.coolDown', least: '0s', most: '168h' },
];
const waveSpans: readonly DurationRange[] = [
  { path: 'strategy.waves.pause', least: '0s', most: '24h' },
  { path: 'strategy.waves.readyWithin', least: '10s', most: '24h' },
];

/** Rules over several fields, as CEL over the spec. `spec` is its name in CEL: "self" in a CRD's spec, "object.spec" in an admission policy. */
export function policyRules(spec: string): readonly KindRule[] {
  const others = [
    ...['clusterRecovered', 'clusterJoined', 'capacityFreed', 'schedule', 'imbalance'],
    ...['externalEvents', 'requestedAt'],
  ];
  const kinds = [...others, 'pressure', 'price'];
  return [
    {
      field: 'spec.triggers',
      expression: kinds.map((name) => `has(${spec}.triggers.${name})`).join(' || '),
      message: `'spec.triggers is empty, so no run would ever start; write at least one of ${kinds.join(', ')}'`,
    },
    ...eventRules(spec),
    ...shiftRules(spec, others),
    ...strategyRules(spec),
    ...durationRules(spec, spans),
  ];
}

/** Rules over a strategy of waves, as far as each kind that has one has its fields. */
export function strategyRules(spec: string): readonly KindRule[] {
  const waves = `${spec}.strategy.waves`;
  const windows = `${spec}.strategy.windows`;
  const has = (path: string) => present(spec, path);
  return [
    {
      field: 'spec.strategy.waves',
      expression: `!(${has('strategy.waves')}) || !has(${waves}.size) || !has(${waves}.percent)`,
      // The message omits the two numbers: an API server estimates the string of a number at its maximum length, and rejects the rule for its cost.
      message: `'spec.strategy.waves has both size and percent; write one of them'`,
    },
    {
      field: 'spec.strategy.order',
      expression: `!(${has('strategy.order')}) || ${spec}.strategy.order.all(o, (o.by == 'Label') == has(o.label))`,
      message: `'spec.strategy.order: label goes with by: Label, and only with it; write the label whose value decides, or another by'`,
    },
    {
      field: 'spec.strategy.order',
      expression: `!(${has('strategy.order')}) || ${spec}.strategy.order.all(o, (o.by == 'Cluster') == has(o.clusters))`,
      message: `'spec.strategy.order: clusters goes with by: Cluster, and only with it; write the clusters whose waves come first, or another by'`,
    },
    ...durationRules(spec, waveSpans),
    {
      field: 'spec.strategy.windows',
      expression: `!(${has('strategy.windows')}) || ${windows}.all(w, ${durationWithin('w.duration', '1m', '168h')})`,
      message: `'spec.strategy.windows: a duration is out of range; write each from 1m to 168h, for example 1h30m'`,
    },
  ];
}

function durationRules(spec: string, ranges: readonly DurationRange[]): readonly KindRule[] {
  return ranges.map(({ path, least, most }) => {
    const field = `${spec}.${path}`;
    return {
      field: `spec.${path}`,
      expression: `!(${present(spec, path)}) || (${durationWithin(field, least, most)})`,
      message: `'spec.${path} is ' + ${field} + '; write a duration from ${least} to ${most}, for example 1h30m'`,
    };
  });
}

/** Whether a field has a value, and each of those that it is in. */
function present(spec: string, path: string): string {
  return chain(spec, path)
    .map((step) => `has(${step})`)
    .join(' && ');
}

/** "a", "a.b", "a.b.c" of "a.b.c", below `root`. */
function chain(root: string, path: string): readonly string[] {
  const steps = path.split('.');
  return steps.map((_, i) => `${root}.${steps.slice(0, i + 1).join('.')}`);
}
