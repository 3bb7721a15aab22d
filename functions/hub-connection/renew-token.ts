/** Decides whether the token by which we reach a hub is to be renewed, and whether the hub gave one that lasts long enough to be renewed in time. */
import type { AccountToken } from '../../shared/model/account-token.ts';
import { type Instant, SECOND } from '../../shared/model/time.ts';

const HOUR = 3600 * SECOND;

export interface Renewal {
  readonly renew: boolean;
  readonly reason: string;
}

/**
 * At half of its life: a token of 48 h is renewed after 24 h, and 24 h are left to mend what keeps it from being renewed.
 * One that has ended is tried all the same: it may be the clocks that differ, and if not, the hub's refusal says so to people.
 */
export function decideRenewal(token: AccountToken | undefined, now: Instant): Renewal {
  if (token === undefined) return { renew: false, reason: 'its credential is not the token of a ServiceAccount' };
  const { issuedAt, expiresAt } = token;
  if (expiresAt === undefined) return { renew: false, reason: 'its token does not expire' };
  const left = expiresAt - now;
  const life = expiresAt - issuedAt;
  if (left <= 0) return { renew: true, reason: `its token ended ${hours(-left)} ago` };
  const said = `its token is valid for another ${hours(left)} of ${hours(life)}`;
  return { renew: left <= life / 2, reason: said };
}

export interface Given {
  readonly token: AccountToken | undefined;
  readonly askedHours: number;
  readonly checkMinutes: number;
}

/** What is wrong with the new token, or undefined. An API server may cap the life of tokens without a word. */
export function complaintAbout({ token, askedHours, checkMinutes }: Given): string | undefined {
  if (token === undefined) return 'the hub gave something that is not the token of a ServiceAccount';
  if (token.expiresAt === undefined) return undefined;
  const life = token.expiresAt - token.issuedAt;
  // Half of it must hold a look, or it ends between two of them.
  if (life / 2 >= checkMinutes * 60 * SECOND) return undefined;
  return (
    `the hub gave a token of ${hours(life)} where ${askedHours} h were asked for, and it is looked at every ` +
    `${hours(checkMinutes * 60 * SECOND)} only; set tokenHours to ${Math.max(1, Math.floor(life / HOUR))}`
  );
}

function hours(ms: number): string {
  return `${Math.floor((ms / HOUR) * 10) / 10} h`;
}
