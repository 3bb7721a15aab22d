/** Hubs by name, each with its connection in its own secret, which is cached. */
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { Fault } from '../../core/fault.ts';
import type { InvocationContext } from '../../core/invocation.ts';
import { ownValue } from '../../core/own-value.ts';
import type { Instant } from '../../core/time.ts';
import { connectHub } from '../../kubernetes/client/connect-hub.ts';
import {
  assertUsableFromSecret,
  type Connection,
  type EstimatorChoice,
  parseConnection,
} from '../../kubernetes/client/connection.ts';
import type { Hub, Hubs } from '../../kubernetes/hub.ts';
import { hubPaused, type Pause } from '../../kubernetes/hub-pause.ts';
import { awsFault } from '../aws-fault.ts';
import { clientConfig, type Environment, jsonEnvironment } from '../client-config.ts';
import { eksTokens } from '../eks-tokens.ts';

export interface SecretHubsOptions {
  /** Hub name → ARN of its secret. */
  readonly secrets: Readonly<Record<string, string>>;
  readonly keepMs: number;
  readonly now: () => Instant;
  /** `reload` reads the connection again after the hub rejected its credential. */
  readonly open: (name: string, connection: Connection, reload: () => Promise<Connection>) => Hub;
}

/**
 * Limits reads of the secret when a hub rejects consecutive requests with a revoked credential, and when
 * several users read the pause at once.
 */
const RELOAD_MS = 1000;

interface CachedConnection {
  readonly connection: Connection;
  readonly text: string;
  readonly readAt: Instant;
  hub?: Hub;
}

export class SecretHubs implements Hubs {
  readonly #client: SecretsManagerClient;
  readonly #options: SecretHubsOptions;
  readonly #kept = new Map<string, CachedConnection>();

  constructor(client: SecretsManagerClient, options: SecretHubsOptions) {
    this.#client = client;
    this.#options = options;
  }

  async names(): Promise<readonly string[]> {
    return Object.keys(this.#options.secrets);
  }

  async connect(name: string): Promise<Hub> {
    const { connection } = await this.#connection(name);
    // A cached pause is always verified: an event published on resume must not be dropped because of a pause that is over.
    const paused = connection.paused && (await this.#refresh(name)).connection.paused;
    if (paused !== undefined) throw hubPaused(name, paused);
    return this.open(name);
  }

  async open(name: string): Promise<Hub> {
    const kept = await this.#connection(name);
    assertUsableFromSecret(name, kept.connection);
    kept.hub ??= this.#options.open(name, kept.connection, () => this.#reload(name));
    return kept.hub;
  }

  async pauseOf(name: string): Promise<Pause | undefined> {
    const { connection } = await this.#fresh(name);
    return connection.paused;
  }

  async hasEstimator(name: string): Promise<boolean> {
    return (await this.estimatorOf(name)) !== undefined;
  }

  async estimatorOf(name: string): Promise<EstimatorChoice | undefined> {
    const { connection } = await this.#connection(name);
    return connection.estimator;
  }

  async #connection(name: string): Promise<CachedConnection> {
    const kept = this.#kept.get(name);
    return kept && this.#isNewer(kept, this.#options.keepMs) ? kept : this.#refresh(name);
  }

  async #reload(name: string): Promise<Connection> {
    const { connection } = await this.#fresh(name);
    assertUsableFromSecret(name, connection);
    return connection;
  }

  async #fresh(name: string): Promise<CachedConnection> {
    const kept = this.#kept.get(name);
    return kept && this.#isNewer(kept, RELOAD_MS) ? kept : this.#refresh(name);
  }

  #isNewer({ readAt }: CachedConnection, ms: number): boolean {
    return this.#options.now() < readAt + ms;
  }

  async #refresh(name: string): Promise<CachedConnection> {
    const text = await this.#read(name);
    const kept = this.#kept.get(name);
    const readAt = this.#options.now();
    // The same secret keeps its pool of connections; a changed one gets a new hub.
    const fresh: CachedConnection =
      kept?.text === text ? { ...kept, readAt } : { connection: parseConnection(name, text), text, readAt };
    this.#kept.set(name, fresh);
    return fresh;
  }

  async #read(name: string): Promise<string> {
    const arn = ownValue(this.#options.secrets, name);
    if (arn === undefined) {
      const known = Object.keys(this.#options.secrets).join(', ');
      throw new Fault('terminal', `there is no hub ${name} in this deployment (there are: ${known})`, {
        reason: 'UnknownHub',
      });
    }
    const answer = await this.#client.send(new GetSecretValueCommand({ SecretId: arn })).catch((thrown: unknown) => {
      throw awsFault('SecretsManager', thrown);
    });
    return answer.SecretString ?? '';
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
  const hubs = new SecretHubs(client, {
    secrets: jsonEnvironment<string>(environment, 'hubSecrets'),
    keepMs: settings.hubConnectionSeconds * 1000,
    now,
    open: (name, connection, reload) =>
      connectHub(name, connection, { ...context, eksTokens: eksTokens(client), reload }),
  });
  secretHubsOf.set(context, hubs);
  return hubs;
}
