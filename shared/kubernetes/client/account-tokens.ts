/** Tokens of ServiceAccounts, by the hub's TokenRequest API. For the function that renews them, and for the command line. */

import { Fault } from '../../core/fault.ts';
import { type Account, userOfAccount } from '../account-token.ts';
import { errorStatusFault } from './error-status.ts';
import type { ApiResponse, Transport } from './transport.ts';

export async function hasAccount(transport: Transport, account: Account): Promise<boolean> {
  const response = await transport.send({ method: 'GET', path: pathOf(account) });
  if (response.status === 404) return false;
  assertOk(response, `get ServiceAccount ${account.namespace}/${account.name}`);
  return true;
}

/** The token; whatever else the hub answers is a Fault that holds none of it but its message. */
export async function requestToken(transport: Transport, account: Account, seconds: number): Promise<string> {
  const body = {
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenRequest',
    spec: { expirationSeconds: seconds },
  };
  const response = await transport.send({ method: 'POST', path: `${pathOf(account)}/token`, body });
  assertOk(response, `a request for a token of ${userOfAccount(account)}`);
  const { token } = (response.body as { status?: { token?: unknown } }).status ?? {};
  if (typeof token === 'string' && token !== '') return token;
  throw new Fault('retryable', 'the hub answered a request for a token without one', { reason: 'NotAToken' });
}

function pathOf({ namespace, name }: Account): string {
  return `/api/v1/namespaces/${encodeURIComponent(namespace)}/serviceaccounts/${encodeURIComponent(name)}`;
}

function assertOk(response: ApiResponse, what: string): void {
  if (response.status < 200 || response.status >= 300) throw errorStatusFault('the hub', response, what);
}
