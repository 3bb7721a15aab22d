/** Decides what the first responses of a hub show: its version, the user, and the clock skew to this machine. */
import { clockText } from '../../shared/console-api/health-findings.ts';
import { toTimestamp } from '../../shared/core/time.ts';
import { clockDifference, type TimedResponse } from '../../shared/kubernetes/hub-clock.ts';
import { type Finding, ok, warn } from './finding.ts';

export function checkReachable(server: string, version: string, { sent, received }: TimedResponse): Finding {
  return ok('reached', `${version} at ${server}, in ${Math.round(received - sent)} ms`);
}

export function checkClockSkew(response: TimedResponse): Finding {
  const { serverTime } = response;
  if (serverTime === undefined)
    return warn('clock', 'the hub does not report its time', 'nothing, if its clock is synchronized by NTP');
  const difference = clockText(clockDifference(response));
  if (difference === undefined) return ok('clock', 'agrees with this machine');
  const what = `the hub's clock is ${difference} this machine's (${toTimestamp(serverTime)})`;
  return warn('clock', what, 'timedatectl set-ntp true    # on the machine whose clock is wrong');
}

export function checkIdentity(username: string, account: string): Finding {
  return ok('who', username === account ? `${username}: the account itself` : `${username}, asking about ${account}`);
}
