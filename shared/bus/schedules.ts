/** Recurring events: those of each hub, which resync/publish-due publishes when they are due, and the one schedule that triggers it. */

import type { HubRecord } from '../kubernetes/hub-registry.ts';
import { DeschedulingDue, HubSchedulesDue, HubTokenCheckDue, ResyncDue } from './catalogue.ts';
import type { EvenkeelEvent } from './event.ts';

/** Settings of the intervals. */
export interface Rates {
  readonly resyncMinutes: number;
  readonly tokenHours: number;
  readonly deschedulingMinutes: number;
}

export interface HubSchedule {
  readonly publishes: string;
  readonly event: (hub: string) => EvenkeelEvent;
  readonly minutes: (rates: Rates) => number;
  /** The interval for the docs. */
  readonly every: string;
  /** Absent: for every hub. */
  readonly isFor?: (hub: Pick<HubRecord, 'hasEstimator'>) => boolean;
  /** Also published while the hub is paused, because it writes nothing there. */
  readonly whilePaused?: true;
}

const DAY_MINUTES = 24 * 60;
const LEAST_MINUTES = 5;
/** A token is renewed at half of its lifetime; with eight checks per lifetime, three more may fail before it ends. */
const CHECKS_PER_LIFETIME = 8;

export function tokenCheckMinutes({ tokenHours }: Pick<Rates, 'tokenHours'>): number {
  return Math.min(Math.max(Math.floor((tokenHours * 60) / CHECKS_PER_LIFETIME), LEAST_MINUTES), DAY_MINUTES);
}

export const resyncSchedule: HubSchedule = {
  publishes: ResyncDue.type,
  event: (hub) => ResyncDue.of({ hub }),
  minutes: ({ resyncMinutes }) => resyncMinutes,
  every: 'every `resyncMinutes`',
};

export const deschedulingSchedule: HubSchedule = {
  publishes: DeschedulingDue.type,
  event: (hub) => DeschedulingDue.of({ hub }),
  minutes: ({ deschedulingMinutes }) => deschedulingMinutes,
  every: 'every `deschedulingMinutes`, for a hub with an estimator',
  // A record of an earlier version does not state it; then find-candidates reads the connection.
  isFor: ({ hasEstimator }) => hasEstimator !== false,
};

const tokenSchedule: HubSchedule = {
  publishes: HubTokenCheckDue.type,
  event: (hub) => HubTokenCheckDue.of({ hub }),
  minutes: tokenCheckMinutes,
  every: 'eight times in `tokenHours`, and once a day at least',
  whilePaused: true,
};

export const hubSchedules: readonly HubSchedule[] = [resyncSchedule, deschedulingSchedule, tokenSchedule];

/** The one schedule of a deployment. An interval of a minute is the shortest that EventBridge Scheduler has. */
export const deploymentSchedule = {
  publishes: HubSchedulesDue.type,
  event: HubSchedulesDue.of({}),
  minutes: 1,
  every: 'every minute',
} as const;
