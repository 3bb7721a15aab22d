/** The connections of hubs in their secrets, for the function that renews the tokens in them. */

import type { Account } from '../../model/account-token.ts';
import { readAccountToken } from '../../model/account-token.ts';
import { Fault } from '../../model/fault.ts';
import type { HubConnections } from '../../ports/hub-connections.ts';
import { requestToken } from '../kubernetes/account-tokens.ts';
import { type Connection, parseConnection } from '../kubernetes/connection.ts';
import { createTransport } from '../kubernetes/transport.ts';
import type { ConnectionSecrets } from './connection-secrets.ts';

export interface SecretConnectionsOptions {
  /** Hub name → ARN of its secret. */
  readonly secrets: Readonly<Record<string, string>>;
  readonly store: ConnectionSecrets;
  readonly timeoutMs: number;
}

interface Held {
  readonly connection: Connection;
  readonly text: string;
  readonly version: string;
}

export class SecretConnections implements HubConnections {
  readonly #options: SecretConnectionsOptions;

  constructor(options: SecretConnectionsOptions) {
    this.#options = options;
  }

  async readToken(hub: string): Promise<string | undefined> {
    const { connection } = await this.#read(hub);
    return connection.token;
  }

  async requestToken(hub: string, seconds: number): Promise<string> {
    const { connection } = await this.#read(hub);
    const transport = createTransport(connection, { maxSockets: 1, timeoutMs: this.#options.timeoutMs });
    try {
      return await requestToken(transport, accountOf(hub, connection), seconds);
    } finally {
      transport.close();
    }
  }

  /** All else in the connection stays as it is written, what this version of ours does not know included. */
  async replaceToken(hub: string, { from, to }: { from: string; to: string }): Promise<'done' | 'changed'> {
    const { connection, text, version } = await this.#read(hub);
    if (connection.token !== from) return 'changed';
    const next = { ...(JSON.parse(text) as object), token: to };
    return this.#options.store.write(this.#arnOf(hub), JSON.stringify(next), version);
  }

  async #read(hub: string): Promise<Held> {
    const value = await this.#options.store.read(this.#arnOf(hub));
    if (value === undefined)
      throw new Fault('terminal', `the secret of hub ${hub} is empty; evenkeel hub add fills it`, {
        reason: 'InvalidConnection',
      });
    return { connection: parseConnection(hub, value.text), ...value };
  }

  #arnOf(hub: string): string {
    const { secrets } = this.#options;
    const arn = Object.hasOwn(secrets, hub) ? secrets[hub] : undefined;
    if (arn !== undefined) return arn;
    const known = Object.keys(secrets).join(', ');
    throw new Fault('terminal', `there is no hub ${hub} in this deployment (there are: ${known})`, {
      reason: 'UnknownHub',
    });
  }
}

function accountOf(hub: string, { token = '' }: Connection): Account {
  const read = readAccountToken(token);
  if (read === undefined)
    throw new Fault('terminal', `the token for hub ${hub} is not that of a ServiceAccount`, { reason: 'NotAToken' });
  return read.account;
}
