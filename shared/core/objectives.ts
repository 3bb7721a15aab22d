/** The objectives of a deployment: what counts as kept, the share that is promised, and how fast the rest may be used up. */
import type { MetricName } from './metrics.ts';
import type { TelemetryEntry } from './telemetry.ts';

interface ObjectiveDefinition {
  readonly title: string;
  /** One event of the indicator, and the condition under which it counts as kept. */
  readonly event: string;
  readonly kept: MetricName;
  readonly missed: MetricName;
  /** In percent of the events. */
  readonly target: number;
  /** Of docs/operations/runbook.md. */
  readonly section: string;
}

/** The error budget is what the target leaves of this time. */
export const OBJECTIVE_DAYS = 30;
/** A trigger, from the user's request to its write. */
export const TRIGGER_SECONDS = 60;
/** What a move may lose, for each replica of the workload that was ready before. */
export const LOST_SECONDS_PER_REPLICA = 60;

export const objectives = {
  triggers: {
    title: 'Triggers in time',
    event: `a workload of a rebalance: its trigger or its move is written within ${TRIGGER_SECONDS} s of the request. Workloads that waited for a MoveBudget do not count`,
    kept: 'TriggersInTime',
    missed: 'TriggersLate',
    target: 99,
    section: 'objective-triggers',
  },
  rescheduling: {
    title: 'Reschedulings in time',
    event: 'a trigger: the scheduler acts on it within `rescheduleTimeoutSeconds` of the end of its rebalance',
    kept: 'ReschedulingsInTime',
    missed: 'ReschedulingsLate',
    target: 99,
    section: 'objective-rescheduling',
  },
  readiness: {
    title: 'Moves without loss',
    event: `a move by Evenkeel, on a hub with the feature \`history\`: until as many replicas are ready as before, it loses at most ${LOST_SECONDS_PER_REPLICA / 60} ready-minute for each of them`,
    kept: 'MovesWithoutLoss',
    missed: 'MovesWithLoss',
    target: 95,
    section: 'objective-readiness',
  },
  holds: {
    title: 'Holds within their grace',
    event:
      'a held reduction: it is released before its grace period ends. One that is overdue counts again at each resync',
    kept: 'HoldsInTime',
    missed: 'HoldsLate',
    target: 95,
    section: 'objective-holds',
  },
  comparisons: {
    title: 'Comparisons in time',
    event: 'a hub whose resync is due: its last comparison is at most three intervals old',
    kept: 'ComparisonsInTime',
    missed: 'ComparisonsLate',
    target: 99,
    section: 'objective-comparisons',
  },
} as const satisfies Readonly<Record<string, ObjectiveDefinition>>;

type ObjectiveName = keyof typeof objectives;
export type Objective = (typeof objectives)[ObjectiveName];

export interface BurnRate {
  /** How many times faster than the target allows. */
  readonly burn: number;
  /** Both windows must have it: the long one shows that it matters, the short one that it has not ended. */
  readonly longMinutes: number;
  readonly shortMinutes: number;
}

/** The first uses 2 % of the budget of 30 days in its long window, the second 10 %. */
export const burnRates: readonly BurnRate[] = [
  { burn: 14.4, longMinutes: 60, shortMinutes: 5 },
  { burn: 3, longMinutes: 24 * 60, shortMinutes: 2 * 60 },
];

/** Fewer missed events in a long window are never an alarm: on a quiet hub one of one is 100 %. */
export const LEAST_MISSED = 3;

/** The largest share of missed events at this burn rate. */
export function missedShare({ target }: Pick<ObjectiveDefinition, 'target'>, burn: number): number {
  return Number(((burn * (100 - target)) / 100).toFixed(6));
}

/** What a function sends about events of an objective; nothing for zeros. */
export function objectiveTelemetry(
  name: ObjectiveName,
  counts: { readonly kept: number; readonly missed: number },
): readonly TelemetryEntry[] {
  const { kept, missed } = objectives[name];
  const entries = [
    { metric: kept, value: counts.kept },
    { metric: missed, value: counts.missed },
  ];
  return entries.filter(({ value }) => value > 0);
}
