/** Consumes HubTokenCheckDue; requests a new token from the hub in time, and stores it in the connection. */
import { awsConnections } from '../../shared/adapters/secrets-manager/secret-connections.ts';
import { onQueue, queueTask } from '../../shared/edge/queue-task.ts';
import { HubTokenCheckDue } from '../../shared/events/catalogue.ts';
import { tokenCheckMinutes } from '../../shared/events/schedules.ts';
import { readAccountToken } from '../../shared/model/account-token.ts';
import { Fault } from '../../shared/model/fault.ts';
import type { HubConnections } from '../../shared/ports/hub-connections.ts';
import type { InvocationContext, Outcome } from '../../shared/ports/invocation.ts';
import { complaintAbout, decideRenewal } from './renew-token.ts';

interface RenewTokenContext extends InvocationContext {
  readonly connections: HubConnections;
}

export const task = queueTask({ consumes: [HubTokenCheckDue], run });

/** Both tokens are valid, so a new token that is lost before it is stored is only unused. */
async function run({ hub }: { hub: string }, { connections, settings, now }: RenewTokenContext): Promise<Outcome> {
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
  if (written === 'changed') return { reason: `${reason}; another client changed the connection concurrently` };
  const complaint = complaintAbout(given);
  if (complaint !== undefined) throw new Fault('terminal', complaint, { reason: 'TokenTooShort' });
  return { reason: `${reason}; renewed for ${settings.tokenHours} h` };
}

export const handler = onQueue(task, { connections: awsConnections });
