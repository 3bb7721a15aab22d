/** The connections of hubs in their secrets, for the functions that renew tokens and pause hubs. */
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { Fault } from '../../core/fault.ts';
import type { InvocationContext } from '../../core/invocation.ts';
import { ownValue } from '../../core/own-value.ts';
import { type Account, readAccountToken } from '../../kubernetes/account-token.ts';
import { requestToken } from '../../kubernetes/client/account-tokens.ts';
import { type Connection, parseConnection, pauseText } from '../../kubernetes/client/connection.ts';
import { createTransport } from '../../kubernetes/client/transport.ts';
import type { HubConnections } from '../../kubernetes/hub-connections.ts';
import type { Pause } from '../../kubernetes/hub-pause.ts';
import { clientConfig, type Environment, jsonEnvironment } from '../client-config.ts';
import { ConnectionSecrets } from './connection-secrets.ts';

export interface SecretConnectionsOptions {
  /** Hub name → ARN of its secret. */
  readonly secrets: Readonly<Record<string, string>>;
  readonly store: ConnectionSecrets;
  readonly timeoutMs: number;
}

/** A secret has few writers: operators, the renewal function, and the pause operation. */
const ATTEMPTS = 5;

interface CurrentConnection {
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

  async replaceToken(hub: string, { from, to }: { from: string; to: string }): Promise<'done' | 'changed'> {
    const { token } = await this.#change(hub, (connection) => (connection.token === from ? { token: to } : undefined));
    return token === from ? 'done' : 'changed';
  }

  async pause(hub: string, pause: Pause): Promise<Pause> {
    const { paused } = await this.#change(hub, (connection) =>
      connection.paused === undefined ? { paused: pauseText(pause) } : undefined,
    );
    return paused ?? pause;
  }

  async resume(hub: string): Promise<Pause | undefined> {
    const { paused } = await this.#change(hub, (connection) =>
      connection.paused === undefined ? undefined : { paused: undefined },
    );
    return paused;
  }

  /**
   * Returns the previous connection. Other fields, including those unknown to this version, are preserved. If another client writes
   * between our read and write, the change is retried.
   */
  async #change(hub: string, changeOf: (connection: Connection) => object | undefined): Promise<Connection> {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      const { connection, text, version } = await this.#read(hub);
      const change = changeOf(connection);
      if (change === undefined) return connection;
      const next = JSON.stringify({ ...(JSON.parse(text) as object), ...change });
      if ((await this.#options.store.write(this.#arnOf(hub), next, version)) === 'done') return connection;
    }
    throw new Fault('retryable', `the connection of hub ${hub} is being written by other clients; try again`, {
      reason: 'Conflict',
    });
  }

  async #read(hub: string): Promise<CurrentConnection> {
    const value = await this.#options.store.read(this.#arnOf(hub));
    if (value === undefined)
      throw new Fault('terminal', `the secret of hub ${hub} is empty; evenkeel hub add fills it`, {
        reason: 'InvalidConnection',
      });
    return { connection: parseConnection(hub, value.text), ...value };
  }

  #arnOf(hub: string): string {
    const { secrets } = this.#options;
    const arn = ownValue(secrets, hub);
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

export function awsConnections({ settings }: InvocationContext, environment: Environment): HubConnections {
  return new SecretConnections({
    secrets: jsonEnvironment<string>(environment, 'hubSecrets'),
    store: new ConnectionSecrets(new SecretsManagerClient(clientConfig)),
    timeoutMs: settings.hubTimeoutSeconds * 1000,
  });
}
