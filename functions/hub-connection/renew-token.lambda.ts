/** Hears that a hub's token is to be looked at; has the hub make another one in time, and keeps that in the connection. */
import { awsConnections } from '../../shared/edge/aws-ports.ts';
import { onQueue, queueTask } from '../../shared/edge/queue-task.ts';
import { HubTokenCheckDue } from '../../shared/events/catalogue/hub-token-check-due.ts';
import { tokenCheckMinutes } from '../../shared/events/clocks.ts';
import { readAccountToken } from '../../shared/model/account-token.ts';
import { Fault } from '../../shared/model/fault.ts';
import type { Outcome, Ports, Surroundings } from '../../shared/ports/ports.ts';
import { complaintAbout, decideRenewal } from './renew-token.ts';

type Uses = Pick<Ports, 'connections'> & Surroundings;

export const task = queueTask({ hears: [HubTokenCheckDue], run });

/** Old and new are both valid: a token that is lost on the way to the connection is only wasted. */
async function run({ hub }: { hub: string }, { connections, settings, now }: Uses): Promise<Outcome> {
  const from = await connections.readToken(hub);
  const { renew, reason } = decideRenewal(from === undefined ? undefined : readAccountToken(from), now());
  if (from === undefined || !renew) return { reason };
  const to = await connections.requestToken(hub, settings.tokenHours * 3600);
  const given = {
    token: readAccountToken(to),
    askedHours: settings.tokenHours,
    checkMinutes: tokenCheckMinutes(settings),
  };
  if (given.token === undefined) throw new Fault('retryable', complaintAbout(given) ?? '', { reason: 'NotAToken' });
  const written = await connections.replaceToken(hub, { from, to });
  if (written === 'changed') return { reason: `${reason}; somebody else has written the connection meanwhile` };
  const complaint = complaintAbout(given);
  if (complaint !== undefined) throw new Fault('terminal', complaint, { reason: 'TokenTooShort' });
  return { reason: `${reason}; renewed for ${settings.tokenHours} h` };
}

export const handler = onQueue(task, { connections: awsConnections });
