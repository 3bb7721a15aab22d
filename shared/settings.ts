/** Every setting: unit, default, range, who reads it. Infra writes them into the functions' environment from here; they are parsed once, and all that is wrong is named at once. */
import { Fault } from './model/fault.ts';

export interface SettingDefinition {
  readonly says: string;
  readonly unit: string;
  readonly default: number;
  readonly min: number;
  readonly max: number;
  readonly readBy: readonly string[];
}

export const settingDefinitions = {
  chunkSize: {
    says: 'Workloads in one chunk: the unit of work, retry and fan-in',
    unit: 'workloads',
    default: 100,
    min: 1,
    max: 400,
    readBy: ['plan-rebalance'],
  },
  hubInFlight: {
    says: 'Requests in flight to a hub from one invocation, at most; fewer while the hub is slow or says 429',
    unit: 'requests',
    default: 16,
    min: 1,
    max: 64,
    readBy: ['every function that calls a hub'],
  },
  hubTimeoutSeconds: {
    says: 'How long one request to a hub may take',
    unit: 's',
    default: 10,
    min: 1,
    max: 30,
    readBy: ['every function that calls a hub'],
  },
  hubConnectionSeconds: {
    says: "How long a hub's connection is kept before its secret is read again; so long a pause may take to be taken up",
    unit: 's',
    default: 60,
    min: 1,
    max: 3600,
    readBy: ['every function that calls a hub', 'admit-change'],
  },
  progressReports: {
    says: 'How often the status of one rebalancer is written on the way to its finish, at most',
    unit: 'writes',
    default: 20,
    min: 1,
    max: 100,
    readBy: ['report-status'],
  },
  rescheduleCheckSeconds: {
    says: 'How long after the finish we first look whether the scheduler acted; each further look waits twice as long',
    unit: 's',
    default: 15,
    min: 1,
    max: 300,
    readBy: ['confirm-rescheduling'],
  },
  rescheduleTimeoutSeconds: {
    says: 'After this time a binding that was triggered and not scheduled is overdue',
    unit: 's',
    default: 300,
    min: 1,
    max: 86_400,
    readBy: ['confirm-rescheduling'],
  },
  tokenHours: {
    says: 'How long a token is asked for by which the functions reach a hub; it is renewed at half of its life',
    unit: 'h',
    default: 48,
    min: 1,
    max: 8760,
    readBy: ['infra', 'renew-token', 'evenkeel hub add'],
  },
  stalledSeconds: {
    says: 'How long a task may stand still before resync takes it up again',
    unit: 's',
    default: 120,
    min: 0,
    max: 3600,
    readBy: ['find-drift'],
  },
  historyDays: {
    says: 'How long a task is remembered after its last change',
    unit: 'days',
    default: 30,
    min: 1,
    max: 365,
    readBy: ['plan-rebalance'],
  },
  auditBodyKib: {
    says: 'The largest body the hook takes',
    unit: 'KiB',
    default: 5120,
    min: 16,
    max: 6000,
    readBy: ['admit-change'],
  },
  hubEventsPerSecond: {
    says: 'Events that one hub may raise in one instance of a receiver, with ten seconds of them at once; more is answered 429',
    unit: 'events/s',
    default: 500,
    min: 1,
    max: 10_000,
    readBy: ['admit-change'],
  },
  maxReceives: {
    says: 'Deliveries of a message before it goes to the dead letters; with the backoff, 10 are 9 minutes',
    unit: 'deliveries',
    default: 10,
    min: 2,
    max: 100,
    readBy: ['infra', 'every function behind a queue'],
  },
  resyncMinutes: {
    says: 'How often a hub is compared with its tasks',
    unit: 'minutes',
    default: 5,
    min: 1,
    max: 1440,
    readBy: ['infra', 'local run'],
  },
  reductionGraceSeconds: {
    says: 'How long a replica reduction waits for its replacement at most, where neither binding nor policy says',
    unit: 's',
    default: 600,
    min: 1,
    max: 604_800,
    readBy: ['release-reduction', 'find-reductions', 'evenkeel release'],
  },
  reductionTemplateRelease: {
    says: "1: a change of the workload's template ends the wait of its reductions at once; 0: it is waited for too",
    unit: 'switch',
    default: 0,
    min: 0,
    max: 1,
    readBy: ['release-reduction'],
  },
  deschedulingMinutes: {
    says: 'How often a hub with an estimator is looked through for replicas that no node takes',
    unit: 'minutes',
    default: 2,
    min: 1,
    max: 1440,
    readBy: ['infra', 'local run'],
  },
  unschedulableSeconds: {
    says: 'How long a replica must have been unschedulable before it counts',
    unit: 's',
    default: 300,
    min: 0,
    max: 86_400,
    readBy: ['deschedule-bindings'],
  },
  estimatorTimeoutSeconds: {
    says: 'How long one question to the estimator of a cluster may take',
    unit: 's',
    default: 3,
    min: 1,
    max: 30,
    readBy: ['deschedule-bindings', 'schedule-binding'],
  },
  deschedulingRunReplicas: {
    says: 'Replicas that one run of the descheduler takes out on a hub, at most',
    unit: 'replicas',
    default: 1000,
    min: 0,
    max: 1_000_000,
    readBy: ['deschedule-bindings'],
  },
  deschedulingWorkloadReplicas: {
    says: 'Replicas that one run of the descheduler takes out of one workload, at most',
    unit: 'replicas',
    default: 100,
    min: 0,
    max: 1_000_000,
    readBy: ['deschedule-bindings'],
  },
  deschedulingCooldownSeconds: {
    says: 'How long the descheduler leaves a binding alone after it took replicas out of it',
    unit: 's',
    default: 300,
    min: 0,
    max: 86_400,
    readBy: ['deschedule-bindings'],
  },
  deschedulingBeyondRoom: {
    says: "1: take out what is unschedulable though the other clusters have no room for it, as Karmada's descheduler does",
    unit: 'switches',
    default: 0,
    min: 0,
    max: 1,
    readBy: ['deschedule-bindings'],
  },
  policyLookSeconds: {
    says: 'How often a wave of a RebalancePolicy that is in flight is looked at, and one that was put off is tried again',
    unit: 's',
    default: 15,
    min: 1,
    max: 300,
    readBy: ['advance-run'],
  },
  logRetentionDays: {
    says: "How long the functions' logs are kept",
    unit: 'days',
    default: 30,
    min: 1,
    max: 3653,
    readBy: ['infra'],
  },
  archiveDays: {
    says: "How long the bus's archive keeps events for a replay",
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

/** `hubInFlight` is EVENKEEL_HUB_IN_FLIGHT in the environment. */
export function environmentName(name: string): string {
  return `EVENKEEL_${name.replace(/[A-Z]+/g, (capitals) => `_${capitals}`).toUpperCase()}`;
}

/**
 * Settings from texts or numbers by setting name; what is absent has its default.
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

/** Settings as readSettings reads them. */
export function environmentOf(settings: Partial<Settings>): Record<string, string> {
  return Object.fromEntries(Object.entries(settings).map(([name, value]) => [environmentName(name), String(value)]));
}

/** Settings from the environment. */
export function readSettings(environment: Readonly<Record<string, string | undefined>>): Settings {
  const given = settingNames.flatMap((name) => {
    const text = environment[environmentName(name)];
    return text === undefined ? [] : [[name, text] as const];
  });
  return parseSettings(Object.fromEntries(given));
}

/** Digits only: "0x10" and "1e3" are more likely slips than wishes. */
function toNumber(value: unknown): number {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : Number.NaN;
}
