/** Hubs by name, each with its connection in a secret of its own; kept for a while, and read again after that. */
import { createHash, timingSafeEqual } from 'node:crypto';
import { GetSecretValueCommand, type SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { Fault } from '../../model/fault.ts';
import type { Instant } from '../../model/time.ts';
import type { Hub, Hubs } from '../../ports/hub.ts';
import { awsFault } from '../aws/aws-fault.ts';
import { type Connection, parseConnection } from '../kubernetes/connection.ts';

export interface SecretHubsOptions {
  /** Hub name → ARN of its secret. */
  readonly secrets: Readonly<Record<string, string>>;
  readonly keepMs: number;
  readonly now: () => Instant;
  readonly open: (name: string, connection: Connection) => Hub;
}

interface Kept {
  readonly connection: Connection;
  readonly text: string;
  readonly until: Instant;
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

  async connect(name: string): Promise<Hub> {
    const kept = await this.#connection(name);
    kept.hub ??= this.#options.open(name, kept.connection);
    return kept.hub;
  }

  async mayRaiseEvents(name: string, token: string): Promise<boolean> {
    if (!Object.hasOwn(this.#options.secrets, name)) return false;
    const { connection } = await this.#connection(name);
    return isOneOf(token, connection.hookTokens);
  }

  async #connection(name: string): Promise<Kept> {
    const kept = this.#kept.get(name);
    if (kept && this.#options.now() < kept.until) return kept;
    const text = await this.#read(name);
    const until = this.#options.now() + this.#options.keepMs;
    // The same secret keeps its pool of connections; another one gets a new hub.
    const fresh: Kept =
      kept?.text === text ? { ...kept, until } : { connection: parseConnection(name, text), text, until };
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
