/** Decides what the first answers of a hub tell: its version, who asks, and whether its clock agrees with ours. */
import type { Instant } from '../../shared/model/time.ts';
import { SECOND, toTimestamp } from '../../shared/model/time.ts';
import { type Finding, ok, warn } from './finding.ts';

/** TTLs, triggers and tolerations are reckoned in seconds between the hub's clock and ours. */
const MOST_SKEW_MS = 5 * SECOND;

export interface Answered {
  /** Ours, when it was sent and when it was there. */
  readonly sent: Instant;
  readonly received: Instant;
  /** The hub's, in whole seconds: up to a second is cut off. */
  readonly serverTime: Instant | undefined;
}

export function judgeReached(server: string, version: string, { sent, received }: Answered): Finding {
  return ok('reached', `${version} at ${server}, in ${Math.round(received - sent)} ms`);
}

export function judgeClock({ sent, received, serverTime }: Answered): Finding {
  if (serverTime === undefined)
    return warn('clock', 'the hub does not say what time it is', 'nothing, if its clock is kept by NTP');
  // Whatever second it is there, it was some time while the answer was under way.
  const late = Math.max(0, sent - (serverTime + SECOND));
  const early = Math.max(0, serverTime - received);
  if (late <= MOST_SKEW_MS && early <= MOST_SKEW_MS) return ok('clock', 'agrees with this machine');
  const by = Math.round((late || early) / SECOND);
  const what = `the hub's clock is ${by} s ${late > 0 ? 'behind' : 'ahead of'} this machine's (${toTimestamp(serverTime)})`;
  return warn('clock', what, 'timedatectl set-ntp true    # on whichever of the two is wrong');
}

export function judgeWho(username: string, account: string): Finding {
  return ok('who', username === account ? `${username}: the account itself` : `${username}, asking about ${account}`);
}
