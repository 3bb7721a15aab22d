/** The connections of hubs in their secrets, and their pauses in the registry, for the functions that renew tokens and pause hubs. */
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { connectionSecretName, readEnvironment } from '../../core/environment.ts';
import { Fault } from '../../core/fault.ts';
import type { InvocationContext } from '../../core/invocation.ts';
import { type Account, readAccountToken } from '../../kubernetes/account-token.ts';
import { requestToken } from '../../kubernetes/client/account-tokens.ts';
import { type Connection, parseConnection } from '../../kubernetes/client/connection.ts';
import { createTransport } from '../../kubernetes/client/transport.ts';
import type { HubConnections } from '../../kubernetes/hub-connections.ts';
import type { Pause } from '../../kubernetes/hub-pause.ts';
import { isActive, paused, resumed, unknownHub } from '../../kubernetes/hub-record.ts';
import type { HubRecord, HubRegistry, NewHubRecord } from '../../kubernetes/hub-registry.ts';
import { changeHubRecord } from '../../kubernetes/write-hub-record.ts';
import { clientConfig, type Environment } from '../client-config.ts';
import { awsRegistry } from '../dynamodb/dynamodb-hub-registry.ts';
import { ConnectionSecrets } from './connection-secrets.ts';
import { readConnectionSecret } from './read-connection-secret.ts';

export interface SecretConnectionsOptions {
  readonly deployment: string;
  readonly registry: Pick<HubRegistry, 'read' | 'write'>;
  readonly store: Pick<ConnectionSecrets, 'read' | 'write'>;
  readonly timeoutMs: number;
}

/** A secret has few writers: operators, and the renewal function. */
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

  /**
   * Other fields, including those unknown to this version, are preserved. If another client writes
   * between our read and write, the change is retried.
   */
  async replaceToken(hub: string, { from, to }: { from: string; to: string }): Promise<'done' | 'changed'> {
    const { store } = this.#options;
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      const { connection, text, version } = await this.#read(hub);
      if (connection.token !== from) return 'changed';
      const next = JSON.stringify({ ...(JSON.parse(text) as object), token: to });
      if ((await store.write(this.#secretOf(hub), next, version)) === 'done') return 'done';
    }
    throw new Fault('retryable', `the connection of hub ${hub} is being written by other clients; try again`, {
      reason: 'Conflict',
    });
  }

  async pause(hub: string, pause: Pause): Promise<Pause> {
    const { pause: kept } = await this.#change(hub, (record) =>
      record.pause === undefined ? paused(record, pause) : undefined,
    );
    return kept ?? pause;
  }

  async resume(hub: string): Promise<Pause | undefined> {
    const { pause } = await this.#change(hub, (record) => (record.pause === undefined ? undefined : resumed(record)));
    return pause;
  }

  /** Returns the previous record. */
  async #change(hub: string, changeOf: (record: HubRecord) => NewHubRecord | undefined): Promise<HubRecord> {
    const { before } = await changeHubRecord(this.#options.registry, hub, (record) => {
      if (!isActive(record)) throw unknownHub(hub);
      return changeOf(record);
    });
    if (before === undefined) throw unknownHub(hub);
    return before;
  }

  async #record(hub: string): Promise<HubRecord> {
    const record = await this.#options.registry.read(hub);
    if (!isActive(record)) throw unknownHub(hub);
    return record;
  }

  async #read(hub: string): Promise<CurrentConnection> {
    await this.#record(hub);
    const value = await readConnectionSecret(this.#options.store, { hub, secret: this.#secretOf(hub) });
    return { connection: parseConnection(hub, value.text), ...value };
  }

  #secretOf(hub: string): string {
    return connectionSecretName(this.#options.deployment, hub);
  }
}

function accountOf(hub: string, { token = '' }: Connection): Account {
  const read = readAccountToken(token);
  if (read === undefined)
    throw new Fault('terminal', `the token for hub ${hub} is not that of a ServiceAccount`, { reason: 'NotAToken' });
  return read.account;
}

export function awsConnections(context: InvocationContext, environment: Environment): HubConnections {
  return new SecretConnections({
    deployment: readEnvironment(environment, 'deployment'),
    registry: awsRegistry(context, environment),
    store: new ConnectionSecrets(new SecretsManagerClient(clientConfig)),
    timeoutMs: context.settings.hubTimeoutSeconds * 1000,
  });
}
