/** Decides whether a hub's token is renewed, and whether the new token lasts long enough to be renewed in time. */

import { Fault } from '../../shared/core/fault.ts';
import type { Outcome } from '../../shared/core/invocation.ts';
import { type Instant, SECOND } from '../../shared/core/time.ts';
import { type AccountToken, readAccountToken } from '../../shared/kubernetes/account-token.ts';

const HOUR = 3600 * SECOND;

export interface Renewal {
  readonly renew: boolean;
  readonly reason: string;
}

/**
 * At half of its lifetime: a token of 48 h is renewed after 24 h, which leaves 24 h to fix a failing renewal.
 * An expired token is tried too: the cause may be clock skew, and otherwise the hub's rejection is logged for the operator.
 */
export function decideRenewal(token: AccountToken | undefined, now: Instant): Renewal {
  if (token === undefined) return { renew: false, reason: 'its credential is not the token of a ServiceAccount' };
  const { issuedAt, expiresAt } = token;
  if (expiresAt === undefined) return { renew: false, reason: 'its token does not expire' };
  const left = expiresAt - now;
  const life = expiresAt - issuedAt;
  if (left <= 0) return { renew: true, reason: `its token ended ${hours(-left)} ago` };
  const reason = `its token is valid for another ${hours(left)} of ${hours(life)}`;
  return { renew: left <= life / 2, reason };
}

/** The credential of a hub's connection, as `from` if it is due to be replaced. */
export function credentialToRenew(
  credential: string | undefined,
  now: Instant,
): { readonly from?: string; readonly reason: string } {
  const token = credential === undefined ? undefined : readAccountToken(credential);
  const { renew, reason } = decideRenewal(token, now);
  return renew && credential !== undefined ? { from: credential, reason } : { reason };
}

export interface TokenState {
  readonly token: AccountToken | undefined;
  readonly askedHours: number;
  readonly checkMinutes: number;
}

/** The problem of the new token, or undefined. An API server may silently shorten the lifetime of tokens. */
export function complaintAbout({ token, askedHours, checkMinutes }: TokenState): string | undefined {
  if (token === undefined) return 'the hub gave something that is not the token of a ServiceAccount';
  if (token.expiresAt === undefined) return undefined;
  const life = token.expiresAt - token.issuedAt;
  // Half of the lifetime must include a check, or the token expires between two checks.
  if (life / 2 >= checkMinutes * 60 * SECOND) return undefined;
  return (
    `the hub gave a token of ${hours(life)} where ${askedHours} h were requested, and it is checked every ` +
    `${hours(checkMinutes * 60 * SECOND)} only; set tokenHours to ${Math.max(1, Math.floor(life / HOUR))}`
  );
}

/** Throws a Fault if the new token is none: it is not stored. */
export function requireToken(given: TokenState): void {
  if (given.token === undefined) throw new Fault('retryable', complaintAbout(given) ?? '', { reason: 'NotAToken' });
}

/** Throws a Fault if the new token is too short, which the user has to fix. */
export function afterRenewal(written: 'done' | 'changed', reason: string, given: TokenState): Outcome {
  if (written === 'changed') return { reason: `${reason}; another client changed the connection concurrently` };
  const complaint = complaintAbout(given);
  if (complaint !== undefined) throw new Fault('terminal', complaint, { reason: 'TokenTooShort' });
  return { reason: `${reason}; renewed for ${given.askedHours} h` };
}

function hours(ms: number): string {
  return `${Math.floor((ms / HOUR) * 10) / 10} h`;
}
