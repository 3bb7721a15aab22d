/** Hubs by name: those of the registry, each with its connection in its own secret, which is cached. */
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { connectionSecretName, readEnvironment } from '../../core/environment.ts';
import type { InvocationContext } from '../../core/invocation.ts';
import { RecentlyUsed } from '../../core/recently-used.ts';
import type { Instant } from '../../core/time.ts';
import { CircuitBreaker } from '../../kubernetes/client/circuit-breaker.ts';
import { type HubHandle, openHub } from '../../kubernetes/client/connect-hub.ts';
import {
  assertUsableFromSecret,
  type Connection,
  type EstimatorChoice,
  parseConnection,
} from '../../kubernetes/client/connection.ts';
import type { Hub, Hubs } from '../../kubernetes/hub.ts';
import { takeShare } from '../../kubernetes/hub-budget.ts';
import type { HubFeature } from '../../kubernetes/hub-features.ts';
import { hubPaused, type Pause } from '../../kubernetes/hub-pause.ts';
import { isActive, unknownHub } from '../../kubernetes/hub-record.ts';
import type { HubRecord } from '../../kubernetes/hub-registry.ts';
import { clientConfig, type Environment } from '../client-config.ts';
import { awsBudgets } from '../dynamodb/dynamodb-hub-budgets.ts';
import { awsCircuits } from '../dynamodb/dynamodb-hub-circuits.ts';
import { eksTokens } from '../eks-tokens.ts';
import { type HubRecords, hubRecords } from '../hub-records.ts';
import { ConnectionSecrets } from './connection-secrets.ts';
import { readConnectionSecret } from './read-connection-secret.ts';

export interface SecretHubsOptions {
  readonly deployment: string;
  readonly records: HubRecords;
  readonly secrets: Pick<ConnectionSecrets, 'read'>;
  readonly keepMs: number;
  readonly now: () => Instant;
  /** `reload` reads the connection again after the hub rejected its credential. */
  readonly open: (name: string, connection: Connection, reload: () => Promise<Connection>) => HubHandle;
}

/**
 * Limits reads of the secret when a hub rejects consecutive requests with a revoked credential, and reads of the record when
 * several users read the pause at once.
 */
const RELOAD_MS = 1000;

/** An instance that has served 1,000 hubs keeps the connections, and so the open sockets, of this many. */
const MOST_CLIENTS = 100;

interface CachedConnection {
  connection: Connection;
  text: string;
  /** Of the record at the time of the read. */
  revision: number;
  readAt: Instant;
  handle?: HubHandle;
}

export class SecretHubs implements Hubs {
  readonly #options: SecretHubsOptions;
  readonly #kept = new RecentlyUsed<CachedConnection>({
    most: MOST_CLIENTS,
    isIdle: ({ handle }) => handle === undefined || handle.isIdle(),
    drop: ({ handle }) => handle?.close(),
  });

  constructor(options: SecretHubsOptions) {
    this.#options = options;
  }

  /** As old as a pause may be: a list of hubs with their pauses reads the registry once. */
  async names(): Promise<readonly string[]> {
    return (await this.#options.records.active(RELOAD_MS)).map(({ name }) => name);
  }

  async connect(name: string): Promise<Hub> {
    const record = await this.#record(name);
    // A cached pause is always verified: an event published on resume must not be dropped because of a pause that is over.
    const pause = record.pause && (await this.#verified(name)).pause;
    if (pause !== undefined) throw hubPaused(name, pause);
    return this.open(name);
  }

  async open(name: string): Promise<Hub> {
    const kept = await this.#connection(name);
    assertUsableFromSecret(name, kept.connection);
    kept.handle ??= this.#options.open(name, kept.connection, () => this.#reload(name));
    return kept.handle.hub;
  }

  async pauseOf(name: string): Promise<Pause | undefined> {
    return (await this.#record(name, RELOAD_MS)).pause;
  }

  async hasEstimator(name: string): Promise<boolean> {
    return (await this.estimatorOf(name)) !== undefined;
  }

  async uses(name: string, feature: HubFeature): Promise<boolean> {
    return (await this.#record(name)).features.includes(feature);
  }

  async estimatorOf(name: string): Promise<EstimatorChoice | undefined> {
    const { connection } = await this.#connection(name);
    return connection.estimator;
  }

  /** A cached record that is missing is verified too: the first events of a hub follow its registration at once. */
  async #record(name: string, ms?: number): Promise<HubRecord> {
    const record = await this.#options.records.of(name, ms);
    return isActive(record) ? record : this.#verified(name);
  }

  async #verified(name: string): Promise<HubRecord> {
    const record = await this.#options.records.verified(name);
    if (!isActive(record)) {
      this.#kept.delete(name);
      throw unknownHub(name);
    }
    return record;
  }

  /**
   * A changed record means a changed connection, possibly: `evenkeel hub add` writes both. `ofClient`: for a client that replaces its
   * connection itself; otherwise a changed connection gets a new client.
   */
  async #connection(name: string, { ms = this.#options.keepMs, ofClient = false } = {}): Promise<CachedConnection> {
    const { revision } = await this.#record(name);
    const cached = this.#kept.get(name);
    if (cached?.revision === revision && this.#options.now() < cached.readAt + ms) return cached;
    const read = await this.#read(name, revision);
    const kept = this.#kept.get(name);
    if (kept !== undefined && (ofClient || kept.text === read.text)) return Object.assign(kept, read);
    this.#kept.set(name, read);
    return read;
  }

  async #reload(name: string): Promise<Connection> {
    const { connection } = await this.#connection(name, { ms: RELOAD_MS, ofClient: true });
    assertUsableFromSecret(name, connection);
    return connection;
  }

  async #read(name: string, revision: number): Promise<CachedConnection> {
    const { deployment, secrets, now } = this.#options;
    const secret = connectionSecretName(deployment, name);
    const { text } = await readConnectionSecret(secrets, { hub: name, secret }).catch(async (thrown: unknown) => {
      // A removal deletes the secret of a hub whose record is still cached: its events are dropped as those of an unknown hub.
      await this.#verified(name);
      throw thrown;
    });
    return { connection: parseConnection(name, text), text, readAt: now(), revision };
  }
}

export function awsHubs(context: InvocationContext, environment: Environment): Hubs {
  return secretHubs(context, environment);
}

/** One per function: its clients of the API and of the estimators read a hub's secret once. */
const secretHubsOf = new WeakMap<InvocationContext, SecretHubs>();

export function secretHubs(context: InvocationContext, environment: Environment): SecretHubs {
  const made = secretHubsOf.get(context);
  if (made !== undefined) return made;
  const { settings, now } = context;
  const client = new SecretsManagerClient(clientConfig);
  const circuits = awsCircuits(context, environment);
  const budgets = awsBudgets(context, environment);
  const { hubInFlight } = settings;
  const hubs = new SecretHubs({
    deployment: readEnvironment(environment, 'deployment'),
    records: hubRecords(context, environment),
    secrets: new ConnectionSecrets(client),
    keepMs: settings.hubConnectionSeconds * 1000,
    now,
    open: (name, connection, reload) => {
      const breaker = new CircuitBreaker({ hub: name, circuits, now });
      const share = () => takeShare({ hub: name, budgets, hubInFlight, now });
      return openHub(name, connection, { ...context, eksTokens: eksTokens(client), breaker, share, reload });
    },
  });
  secretHubsOf.set(context, hubs);
  return hubs;
}
