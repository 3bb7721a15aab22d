/** Consumes HubTokenCheckDue; requests a new token from the hub in time, and stores it in the connection. */
import { awsConnections } from '../../shared/aws/secrets-manager/secret-connections.ts';
import { HubTokenCheckDue } from '../../shared/bus/catalogue.ts';
import { tokenCheckMinutes } from '../../shared/bus/schedules.ts';
import type { Outcome } from '../../shared/core/invocation.ts';
import { readAccountToken } from '../../shared/kubernetes/account-token.ts';
import type { ContextOf } from '../../shared/runtime/moment.ts';
import { onQueue, queueTask } from '../../shared/runtime/queue-task.ts';
import { afterRenewal, credentialToRenew, requireToken } from './renew-token.ts';

const factories = { connections: awsConnections };
type RenewTokenContext = ContextOf<typeof factories>;

export const task = queueTask({ consumes: [HubTokenCheckDue], run });

/** Both tokens are valid, so a new token that is lost before it is stored is only unused. */
async function run({ hub }: { hub: string }, { connections, settings, now }: RenewTokenContext): Promise<Outcome> {
  const { from, reason } = credentialToRenew(await connections.readToken(hub), now());
  if (from === undefined) return { reason };
  const { tokenHours: askedHours } = settings;
  const to = await connections.requestToken(hub, askedHours * 3600);
  const given = { token: readAccountToken(to), askedHours, checkMinutes: tokenCheckMinutes(settings) };
  requireToken(given);
  return afterRenewal(await connections.replaceToken(hub, { from, to }), reason, given);
}

export const handler = onQueue(task, factories);
