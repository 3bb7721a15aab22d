/** Hubs by name, each with its connection in a secret of its own; kept for a while, and read again after that. */
import { createHash, timingSafeEqual } from 'node:crypto';
import { GetSecretValueCommand, type SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { Fault } from '../../model/fault.ts';
import { hubPaused, type Pause } from '../../model/hub-pause.ts';
import type { Instant } from '../../model/time.ts';
import type { Caller, Hub, Hubs } from '../../ports/hub.ts';
import { awsFault } from '../aws/aws-fault.ts';
import {
  assertUsableFromSecret,
  type Connection,
  type EstimatorChoice,
  parseConnection,
} from '../kubernetes/connection.ts';
import { reviewKeyOf } from './review-key.ts';

export interface SecretHubsOptions {
  /** Hub name → ARN of its secret. */
  readonly secrets: Readonly<Record<string, string>>;
  readonly keepMs: number;
  readonly now: () => Instant;
  /** `reload` reads the connection anew, for when the hub refused its credential. */
  readonly open: (name: string, connection: Connection, reload: () => Promise<Connection>) => Hub;
}

/**
 * Requests that a hub refuses one after the other, with a credential that is really gone, do not each read the secret; neither do
 * people who look at one pause together.
 */
const RELOAD_MS = 1000;

interface Kept {
  readonly connection: Connection;
  readonly text: string;
  readonly readAt: Instant;
  hub?: Hub;
}

export class SecretHubs implements Hubs {
  readonly #client: SecretsManagerClient;
  readonly #options: SecretHubsOptions;
  readonly #kept = new Map<string, Kept>();

  constructor(client: SecretsManagerClient, options: SecretHubsOptions) {
    this.#client = client;
    this.#options = options;
  }

  async names(): Promise<readonly string[]> {
    return Object.keys(this.#options.secrets);
  }

  async connect(name: string): Promise<Hub> {
    const { connection } = await this.#connection(name);
    // Read anew each time: an event that is said when the hub is resumed must not be dropped for a pause that is over.
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

  async mayRaiseEvents(name: string, { bearer, subject }: Caller): Promise<boolean> {
    if (!Object.hasOwn(this.#options.secrets, name)) return false;
    const { connection } = await this.#connection(name);
    return isOneOf(bearer, connection.hookTokens) || isOneOf(subject, connection.hookSubjects ?? []);
  }

  async holdsReviewKey(name: string, key: string): Promise<boolean> {
    if (!Object.hasOwn(this.#options.secrets, name)) return false;
    const { connection } = await this.#connection(name);
    return isOneOf(
      key,
      connection.hookTokens.map((token) => reviewKeyOf(name, token)),
    );
  }

  async accountOf(name: string): Promise<string | undefined> {
    const { connection } = await this.#connection(name);
    return connection.account;
  }

  async hasEstimator(name: string): Promise<boolean> {
    return (await this.estimatorOf(name)) !== undefined;
  }

  async estimatorOf(name: string): Promise<EstimatorChoice | undefined> {
    const { connection } = await this.#connection(name);
    return connection.estimator;
  }

  async #connection(name: string): Promise<Kept> {
    const kept = this.#kept.get(name);
    return kept && this.#isNewer(kept, this.#options.keepMs) ? kept : this.#refresh(name);
  }

  async #reload(name: string): Promise<Connection> {
    const { connection } = await this.#fresh(name);
    assertUsableFromSecret(name, connection);
    return connection;
  }

  async #fresh(name: string): Promise<Kept> {
    const kept = this.#kept.get(name);
    return kept && this.#isNewer(kept, RELOAD_MS) ? kept : this.#refresh(name);
  }

  #isNewer({ readAt }: Kept, ms: number): boolean {
    return this.#options.now() < readAt + ms;
  }

  async #refresh(name: string): Promise<Kept> {
    const text = await this.#read(name);
    const kept = this.#kept.get(name);
    const readAt = this.#options.now();
    // The same secret keeps its pool of connections; another one gets a new hub.
    const fresh: Kept =
      kept?.text === text ? { ...kept, readAt } : { connection: parseConnection(name, text), text, readAt };
    this.#kept.set(name, fresh);
    return fresh;
  }

  async #read(name: string): Promise<string> {
    const arn = Object.hasOwn(this.#options.secrets, name) ? this.#options.secrets[name] : undefined;
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

/** In constant time: the digests have one length, and every token is compared. */
export function isOneOf(token: string, tokens: readonly string[]): boolean {
  const given = digest(token);
  return tokens.map((candidate) => timingSafeEqual(digest(candidate), given)).includes(true) && token !== '';
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
