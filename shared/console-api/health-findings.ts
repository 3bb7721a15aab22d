/** What is wrong with a hub or a queue. The page, the command line and the alarms use these findings and limits, and classify nothing themselves. */
import { count } from '../core/count.ts';
import { type Instant, SECOND, toTimestamp } from '../core/time.ts';
import type { Pause } from '../kubernetes/hub-pause.ts';
import { type HubReach, SILENT_INTERVALS } from '../kubernetes/hub-reach.ts';
import type { HubRecord } from '../kubernetes/hub-registry.ts';

/** The period that alarms evaluate. */
export const ALARM_PERIOD_MINUTES = 5;
/** The alarm dead-letters: a single one is an event that no function handled. */
export const MOST_DEAD_LETTERS = 0;
/** No alarm: queues report no age, and the alarm old-messages is about ages. Above it, a queue is slower than its events arrive. */
const MOST_WAITING = 1000;
/** The alarm silent-estimators fires after as many periods. A single missed answer is repeated by the next run. */
export const SILENT_ESTIMATOR_PERIODS = 3;
/** TTLs, triggers and tolerations are computed in whole seconds between the hub's clock and that of the functions. */
const MOST_CLOCK_DIFFERENCE_MS = 5 * SECOND;

/** The most severe first: hubs are listed in this order. `section`: of docs/operations/runbook.md. */
const findingCodes = {
  HubUnreachable: { level: 'error', section: 'silent-resync' },
  HubNotCompared: { level: 'error', section: 'silent-resync' },
  ReductionsOverdue: { level: 'error', section: 'overdue-reductions' },
  DeadLetters: { level: 'error', section: 'dead-letters' },
  HubNeverCompared: { level: 'warning', section: 'silent-resync' },
  HubRemoving: { level: 'warning', section: 'silent-resync' },
  ClocksApart: { level: 'warning', section: 'clocks-apart' },
  EstimatorSilent: { level: 'warning', section: 'silent-estimators' },
  HubSlow: { level: 'warning', section: 'old-messages' },
  QueueDeep: { level: 'warning', section: 'old-messages' },
  // Intended, so it is the last.
  HubPaused: { level: 'warning', section: 'silent-resync' },
} as const;

export type FindingCode = keyof typeof findingCodes;

/** In the order of the table. */
export const findingCodeNames = Object.keys(findingCodes) as [FindingCode, ...FindingCode[]];
/** The runbook has a section for each. */
export const findingSections: readonly string[] = [
  ...new Set(Object.values(findingCodes).map(({ section }) => section)),
];

export interface HealthFinding {
  readonly level: 'error' | 'warning';
  readonly code: FindingCode;
  readonly text: string;
  /** A complete command, or an instruction for the operator. */
  readonly remedy: string;
  readonly section: (typeof findingCodes)[FindingCode]['section'];
}

/** The place of the most severe finding in the order of lists; no finding is the last. */
export function rankOfFindings(findings: readonly Pick<HealthFinding, 'code'>[]): number {
  return Math.min(findingCodeNames.length, ...findings.map(({ code }) => findingCodeNames.indexOf(code)));
}

function finding(code: FindingCode, text: string, remedy: string): HealthFinding {
  return { code, ...findingCodes[code], text, remedy };
}

/** "12 s behind", for a difference that is too large. */
export function clockText(differenceMs: number | undefined): string | undefined {
  if (differenceMs === undefined || !(Math.abs(differenceMs) > MOST_CLOCK_DIFFERENCE_MS)) return undefined;
  return `${Math.round(Math.abs(differenceMs) / SECOND)} s ${differenceMs < 0 ? 'behind' : 'ahead of'}`;
}

export interface HubFacts {
  readonly name: string;
  readonly state: HubRecord['state'];
  readonly pause?: Pause | undefined;
  readonly reach: HubReach;
  readonly clockDifferenceMs?: number | undefined;
}

/** Of a request made just now and of the hub's record. The most severe first. */
export function hubFindings(facts: HubFacts): readonly HealthFinding[] {
  const { name, pause } = facts;
  const clock = clockText(facts.clockDifferenceMs);
  return [
    ...reachFindings(facts),
    ...(clock === undefined
      ? []
      : [
          finding(
            'ClocksApart',
            `the hub's clock is ${clock} that of the functions`,
            'timedatectl set-ntp true    # on the hub',
          ),
        ]),
    ...(pause === undefined ? [] : [finding('HubPaused', pauseText(pause), `evenkeel resume ${name}`)]),
  ];
}

function reachFindings({ name, state, pause, reach }: HubFacts): readonly HealthFinding[] {
  if (state === 'Removing')
    return [
      finding(
        'HubRemoving',
        'it is being removed',
        `evenkeel hub remove ${name} --yes completes a removal that failed`,
      ),
    ];
  const { message = reach.state, comparedAt } = reach;
  if (reach.state === 'Unreachable') {
    const remedy = `evenkeel hub check, with its kubeconfig; evenkeel hub add ${name} writes its connection anew`;
    return [finding('HubUnreachable', message, remedy)];
  }
  // A paused hub is not compared.
  if (reach.state === 'Reachable' || pause !== undefined) return [];
  const remedy = 'docs/operations/runbook.md#silent-resync';
  return comparedAt === undefined
    ? [finding('HubNeverCompared', `${message} yet: resync does so every resyncMinutes`, remedy)]
    : [finding('HubNotCompared', `${message}, last ${toTimestamp(comparedAt)}`, remedy)];
}

function pauseText({ since, reason }: Pause): string {
  return `paused since ${toTimestamp(since)}${reason === '' ? '' : ` (${reason})`}`;
}

/** What the functions logged about a hub in the last hour. */
export interface LoggedFacts {
  readonly name: string;
  /** The last silence of each estimator. */
  readonly silentEstimators: readonly { readonly cluster: string; readonly at: Instant; readonly error: string }[];
  /** The last time that requests were limited. */
  readonly slowed?: { readonly at: Instant; readonly inFlight: number } | undefined;
  /** Of the last resync that found reductions held beyond their grace period; `since`: when the first grace period ended. */
  readonly overdue?: { readonly at: Instant; readonly count: number; readonly since: Instant } | undefined;
}

export interface FindingTime {
  readonly now: Instant;
  readonly resyncMinutes: number;
}

const MINUTE = 60 * SECOND;
/** As long as an alarm on the same fault stays on. */
const RECENT_MS = SILENT_ESTIMATOR_PERIODS * ALARM_PERIOD_MINUTES * MINUTE;

export function loggedFindings(
  { name, silentEstimators, slowed, overdue }: LoggedFacts,
  { now, resyncMinutes }: FindingTime,
): readonly HealthFinding[] {
  const isRecent = ({ at }: { readonly at: Instant }) => now - at <= RECENT_MS;
  // Each resync logs it again. Without a line of the last intervals they are released, or HubNotCompared is found.
  const isOverdue = overdue !== undefined && now - overdue.at <= SILENT_INTERVALS * resyncMinutes * MINUTE;
  return [
    ...(isOverdue ? [overdueFinding(name, overdue)] : []),
    ...silentEstimators
      .filter(isRecent)
      .map(({ cluster, error }) =>
        finding(
          'EstimatorSilent',
          `the estimator of ${cluster} has not answered: ${error}`,
          'docs/operations/runbook.md#silent-estimators',
        ),
      ),
    ...(slowed !== undefined && isRecent(slowed)
      ? [
          finding(
            'HubSlow',
            `slow since ${toTimestamp(slowed.at)}: ${count(slowed.inFlight, 'request')} at once`,
            'docs/operations/runbook.md#old-messages',
          ),
        ]
      : []),
  ];
}

function overdueFinding(name: string, overdue: NonNullable<LoggedFacts['overdue']>): HealthFinding {
  const since = toTimestamp(overdue.since);
  return finding(
    'ReductionsOverdue',
    `${count(overdue.count, 'replica reduction')} still held, the grace period of the first ended at ${since}`,
    `evenkeel release --kubeconfig FILE, with the kubeconfig of ${name}`,
  );
}

export interface QueueFacts {
  readonly name: string;
  readonly waiting: number;
  readonly deadLetters: number;
}

export function queueFindings({ name, waiting, deadLetters }: QueueFacts): readonly HealthFinding[] {
  const remedy = `evenkeel dlq list --queue ${name}; when its cause is gone, evenkeel dlq redrive --queue ${name}`;
  return [
    ...(deadLetters > MOST_DEAD_LETTERS ? [finding('DeadLetters', count(deadLetters, 'dead letter'), remedy)] : []),
    ...(waiting > MOST_WAITING
      ? [finding('QueueDeep', `${waiting} events wait`, 'docs/operations/runbook.md#old-messages')]
      : []),
  ];
}
