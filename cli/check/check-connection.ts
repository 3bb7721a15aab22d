/** Decides what the first responses of a hub show: its version, the user, and the clock skew to this machine. */
import type { Instant } from '../../shared/core/time.ts';
import { SECOND, toTimestamp } from '../../shared/core/time.ts';
import { type Finding, ok, warn } from './finding.ts';

/** TTLs, triggers and tolerations are computed in seconds between the hub's clock and this machine's. */
const MOST_SKEW_MS = 5 * SECOND;

export interface TimedResponse {
  /** Local time when the request was sent and when the response arrived. */
  readonly sent: Instant;
  readonly received: Instant;
  /** The hub's time in whole seconds: up to a second is truncated. */
  readonly serverTime: Instant | undefined;
}

export function checkReachable(server: string, version: string, { sent, received }: TimedResponse): Finding {
  return ok('reached', `${version} at ${server}, in ${Math.round(received - sent)} ms`);
}

export function checkClockSkew({ sent, received, serverTime }: TimedResponse): Finding {
  if (serverTime === undefined)
    return warn('clock', 'the hub does not report its time', 'nothing, if its clock is synchronized by NTP');
  // The hub took the time at some moment between the request and the response.
  const late = Math.max(0, sent - (serverTime + SECOND));
  const early = Math.max(0, serverTime - received);
  if (late <= MOST_SKEW_MS && early <= MOST_SKEW_MS) return ok('clock', 'agrees with this machine');
  const by = Math.round((late || early) / SECOND);
  const what = `the hub's clock is ${by} s ${late > 0 ? 'behind' : 'ahead of'} this machine's (${toTimestamp(serverTime)})`;
  return warn('clock', what, 'timedatectl set-ntp true    # on the machine whose clock is wrong');
}

export function checkIdentity(username: string, account: string): Finding {
  return ok('who', username === account ? `${username}: the account itself` : `${username}, asking about ${account}`);
}
