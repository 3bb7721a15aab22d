/** Recurring events of each hub. Infra creates a schedule per hub for each entry; the docs list the schedule as the publisher. */
import { DeschedulingDue, HubTokenCheckDue, ResyncDue } from './catalogue.ts';
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
  readonly purpose: (hub: string) => string;
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
  purpose: (hub) => `Compares hub ${hub} with its tasks`,
};

export const tokenSchedule: HubSchedule = {
  publishes: HubTokenCheckDue.type,
  event: (hub) => HubTokenCheckDue.of({ hub }),
  minutes: tokenCheckMinutes,
  every: 'eight times in `tokenHours`, and once a day at least',
  purpose: (hub) => `Renews the token of hub ${hub} in time`,
};

export const deschedulingSchedule: HubSchedule = {
  publishes: DeschedulingDue.type,
  event: (hub) => DeschedulingDue.of({ hub }),
  minutes: ({ deschedulingMinutes }) => deschedulingMinutes,
  every: 'every `deschedulingMinutes`',
  purpose: (hub) => `Searches hub ${hub} for unschedulable replicas`,
};

export const hubSchedules = [resyncSchedule, tokenSchedule, deschedulingSchedule] as const;
