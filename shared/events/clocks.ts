/** What is said of each hub by the clock. Infra makes a schedule for each hub from every line; the docs name the clock as the sayer. */
import { DeschedulingDue } from './catalogue/descheduling-due.ts';
import { HubTokenCheckDue } from './catalogue/hub-token-check-due.ts';
import { ResyncDue } from './catalogue/resync-due.ts';
import type { EvenkeelEvent } from './event.ts';

/** The settings that say how often. */
export interface Rates {
  readonly resyncMinutes: number;
  readonly tokenHours: number;
  readonly deschedulingMinutes: number;
}

export interface HubClock {
  readonly says: string;
  readonly event: (hub: string) => EvenkeelEvent;
  readonly minutes: (rates: Rates) => number;
  /** The same for people. */
  readonly every: string;
  readonly purpose: (hub: string) => string;
}

const DAY_MINUTES = 24 * 60;
const LEAST_MINUTES = 5;
/** A token is renewed at half its life; at eight looks a life, three more may fail before it ends. */
const LOOKS_A_LIFE = 8;

export function tokenCheckMinutes({ tokenHours }: Pick<Rates, 'tokenHours'>): number {
  return Math.min(Math.max(Math.floor((tokenHours * 60) / LOOKS_A_LIFE), LEAST_MINUTES), DAY_MINUTES);
}

export const resyncClock: HubClock = {
  says: ResyncDue.type,
  event: (hub) => ResyncDue.of({ hub }),
  minutes: ({ resyncMinutes }) => resyncMinutes,
  every: 'every `resyncMinutes`',
  purpose: (hub) => `Has hub ${hub} compared with its tasks`,
};

export const tokenClock: HubClock = {
  says: HubTokenCheckDue.type,
  event: (hub) => HubTokenCheckDue.of({ hub }),
  minutes: tokenCheckMinutes,
  every: 'eight times in `tokenHours`, and once a day at least',
  purpose: (hub) => `Has the token for hub ${hub} renewed in time`,
};

export const deschedulingClock: HubClock = {
  says: DeschedulingDue.type,
  event: (hub) => DeschedulingDue.of({ hub }),
  minutes: ({ deschedulingMinutes }) => deschedulingMinutes,
  every: 'every `deschedulingMinutes`',
  purpose: (hub) => `Has hub ${hub} looked through for replicas that no node takes`,
};

export const hubClocks = [resyncClock, tokenClock, deschedulingClock] as const;
