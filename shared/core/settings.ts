/** Every setting: unit, default, range, readers. Infra sets them in the functions' environment; they are parsed once, and all errors are reported at once. */

import { Fault } from './fault.ts';

export interface SettingDefinition {
  readonly description: string;
  readonly unit: string;
  readonly default: number;
  readonly min: number;
  readonly max: number;
  readonly readBy: readonly string[];
}

/** Default grace period of the admission rules, in seconds, which can't read settings. The functions write their own setting to the entry. */
export const DEFAULT_GRACE_SECONDS = 600;

export const settingDefinitions = {
  chunkSize: {
    description: 'Workloads in one chunk: the unit of processing, retry and fan-in',
    unit: 'workloads',
    default: 100,
    min: 1,
    max: 400,
    readBy: ['plan-rebalance'],
  },
  hubInFlight: {
    description:
      'Requests in flight to a hub from one invocation, at most; fewer while the hub gets slower or answers 429',
    unit: 'requests',
    default: 16,
    min: 1,
    max: 64,
    readBy: [
      'every function that calls a hub',
      'confirm-rescheduling',
      'deschedule-bindings',
      'plan-rebalance',
      'schedule-binding',
      'trigger-bindings',
    ],
  },
  hubTimeoutSeconds: {
    description: 'How long one request to a hub may take; less at the end of an invocation',
    unit: 's',
    default: 10,
    min: 1,
    max: 30,
    readBy: ['every function that calls a hub'],
  },
  hubConnectionSeconds: {
    description:
      "How long a hub's connection is kept before its secret is read again; after evenkeel hub add it is read again within five seconds",
    unit: 's',
    default: 60,
    min: 1,
    max: 3600,
    readBy: ['every function that calls a hub'],
  },
  progressReports: {
    description:
      'Maximum number of status writes of one rebalancer before its finish, without reports of partly completed chunks',
    unit: 'writes',
    default: 20,
    min: 1,
    max: 100,
    readBy: ['report-status'],
  },
  rescheduleCheckSeconds: {
    description:
      'Delay after the finish before the first check whether the scheduler acted; it doubles for each further check',
    unit: 's',
    default: 15,
    min: 1,
    max: 300,
    readBy: ['confirm-rescheduling'],
  },
  rescheduleTimeoutSeconds: {
    description: 'Time after which a triggered and unscheduled binding is overdue',
    unit: 's',
    default: 300,
    min: 1,
    max: 86_400,
    readBy: ['confirm-rescheduling'],
  },
  tokenHours: {
    description: 'Requested lifetime of the token of the functions for a hub; it is renewed at half of its lifetime',
    unit: 'h',
    default: 48,
    min: 1,
    max: 8760,
    readBy: ['publish-due', 'renew-token', 'evenkeel hub add'],
  },
  stalledSeconds: {
    description: 'How long a task may stall before resync resumes it',
    unit: 's',
    default: 120,
    min: 0,
    max: 3600,
    readBy: ['find-drift'],
  },
  historyDays: {
    description: 'How long a task is kept after its last change',
    unit: 'days',
    default: 30,
    min: 1,
    max: 365,
    readBy: ['plan-rebalance', 'deschedule-bindings', 'evaluate-policies', 'advance-run', 'balance-replicas'],
  },
  placementHistoryDays: {
    description: 'How long a recorded placement is kept, of hubs with the feature history; 0: none is recorded',
    unit: 'days',
    default: 30,
    min: 0,
    max: 365,
    readBy: ['record-placements', 'run-query'],
  },
  auditBodyKib: {
    description: 'The largest body that the hook accepts',
    unit: 'KiB',
    default: 5120,
    min: 16,
    max: 6000,
    readBy: ['admit-change'],
  },
  hubEventsPerSecond: {
    description: 'Event rate limit per hub and receiver instance, with a burst of ten seconds; more is answered 429',
    unit: 'events/s',
    default: 500,
    min: 1,
    max: 10_000,
    readBy: ['admit-change', 'read-audit-log'],
  },
  maxReceives: {
    description: 'Deliveries of a message before it goes to the dead letters; with the backoff, 10 are 9 minutes',
    unit: 'deliveries',
    default: 10,
    min: 2,
    max: 100,
    readBy: ['infra', 'every function behind a queue'],
  },
  resyncMinutes: {
    description: 'How often a hub is compared with its tasks',
    unit: 'minutes',
    default: 5,
    min: 1,
    max: 1440,
    readBy: ['infra', 'local run', 'publish-due', 'run-query'],
  },
  reductionGraceSeconds: {
    description:
      'Maximum time that a replica reduction waits for its replacement, if neither binding nor policy sets one',
    unit: 's',
    default: DEFAULT_GRACE_SECONDS,
    min: 1,
    max: 604_800,
    readBy: ['release-reduction', 'find-reductions', 'run-query', 'evenkeel release'],
  },
  reductionTemplateRelease: {
    description:
      "1: a change of the workload's template ends the wait of its reductions immediately; 0: its rollout is waited for too",
    unit: 'switch',
    default: 0,
    min: 0,
    max: 1,
    readBy: ['release-reduction'],
  },
  deschedulingMinutes: {
    description: 'How often a hub with an estimator is searched for unschedulable replicas',
    unit: 'minutes',
    default: 2,
    min: 1,
    max: 1440,
    readBy: ['local run', 'publish-due'],
  },
  unschedulableSeconds: {
    description: 'How long a replica must have been unschedulable before it counts',
    unit: 's',
    default: 300,
    min: 0,
    max: 86_400,
    readBy: ['deschedule-bindings', 'plan-rebalance', 'trigger-bindings'],
  },
  estimatorTimeoutSeconds: {
    description: 'Timeout of one query to the estimator of a cluster',
    unit: 's',
    default: 3,
    min: 1,
    max: 30,
    readBy: ['every function that calls estimators'],
  },
  deschedulingRunReplicas: {
    description: 'Maximum replicas that one run of the descheduler removes on a hub',
    unit: 'replicas',
    default: 1000,
    min: 0,
    max: 1_000_000,
    readBy: ['deschedule-bindings'],
  },
  deschedulingWorkloadReplicas: {
    description: 'Maximum replicas that one run of the descheduler removes from one workload',
    unit: 'replicas',
    default: 100,
    min: 0,
    max: 1_000_000,
    readBy: ['deschedule-bindings'],
  },
  deschedulingCooldownSeconds: {
    description: 'How long the descheduler skips a binding after it removed replicas from it',
    unit: 's',
    default: 300,
    min: 0,
    max: 86_400,
    readBy: ['deschedule-bindings'],
  },
  deschedulingBeyondCapacity: {
    description:
      "1: remove unschedulable replicas although the other clusters have no capacity for them, as Karmada's descheduler does",
    unit: 'switches',
    default: 0,
    min: 0,
    max: 1,
    readBy: ['deschedule-bindings'],
  },
  deschedulingWithoutForecast: {
    description:
      "0: keep unschedulable replicas if the binding's placement has a field that only its scheduler implements, so that their new cluster can't be forecast; 1: remove them, as Karmada's descheduler does",
    unit: 'switches',
    default: 1,
    min: 0,
    max: 1,
    readBy: ['deschedule-bindings'],
  },
  policyLookSeconds: {
    description: 'How often the wave in flight of a RebalancePolicy is observed, and a postponed one retried',
    unit: 's',
    default: 15,
    min: 1,
    max: 300,
    readBy: ['advance-run'],
  },
  logRetentionDays: {
    description: "How long the functions' logs are kept",
    unit: 'days',
    default: 30,
    min: 1,
    max: 3653,
    readBy: ['infra'],
  },
  archiveDays: {
    description: "How long the bus's archive keeps events for a replay",
    unit: 'days',
    default: 7,
    min: 1,
    max: 365,
    readBy: ['infra'],
  },
} as const satisfies Record<string, SettingDefinition>;

export type SettingName = keyof typeof settingDefinitions;
export type Settings = Readonly<Record<SettingName, number>>;
export const settingNames = Object.keys(settingDefinitions) as SettingName[];

/** Example: `hubInFlight` is EVENKEEL_HUB_IN_FLIGHT in the environment. */
export function environmentName(name: string): string {
  return `EVENKEEL_${name.replace(/[A-Z]+/g, (capitals) => `_${capitals}`).toUpperCase()}`;
}

/**
 * Parses settings from strings or numbers by name; absent settings have their defaults.
 * Throws one terminal Fault that lists every unknown name and every value out of range.
 */
export function parseSettings(given: Readonly<Record<string, unknown>>): Settings {
  const wrong = Object.keys(given)
    .filter((name) => !(name in settingDefinitions))
    .map((name) => `${name}: there is no such setting (there are: ${settingNames.join(', ')})`);
  const settings = {} as Record<SettingName, number>;
  for (const name of settingNames) {
    const { default: fallback, min, max, unit } = settingDefinitions[name];
    const text = given[name];
    const value = text === undefined ? fallback : toNumber(text);
    if (!Number.isInteger(value) || value < min || value > max) {
      wrong.push(
        `${name}: ${JSON.stringify(text)} is not a whole number of ${unit} from ${min} to ${max}; the default is ${fallback}`,
      );
    }
    settings[name] = value;
  }
  if (wrong.length > 0)
    throw new Fault('terminal', `settings are wrong: ${wrong.join('; ')}`, { reason: 'InvalidSettings' });
  return settings;
}

/** Settings in the format that readSettings parses. */
export function environmentOf(settings: Partial<Settings>): Record<string, string> {
  return Object.fromEntries(Object.entries(settings).map(([name, value]) => [environmentName(name), String(value)]));
}

/** Reads settings from the environment. */
export function readSettings(environment: Readonly<Record<string, string | undefined>>): Settings {
  const given = settingNames.flatMap((name) => {
    const text = environment[environmentName(name)];
    return text === undefined ? [] : [[name, text] as const];
  });
  return parseSettings(Object.fromEntries(given));
}

/** Digits only: "0x10" and "1e3" are probably mistakes. */
function toNumber(value: unknown): number {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : Number.NaN;
}
