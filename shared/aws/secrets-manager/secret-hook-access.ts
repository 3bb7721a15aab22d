/** The access lists of hubs, each in a secret of its own; kept for a while, and read again after that. */
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import type { InvocationContext } from '../../core/invocation.ts';
import { ownValue } from '../../core/own-value.ts';
import type { Instant } from '../../core/time.ts';
import type { Caller, HookAccess } from '../../kubernetes/hook-access.ts';
import { clientConfig, type Environment, jsonEnvironment } from '../client-config.ts';
import { type AccessList, hasCaller, hasReviewKey, parseAccessList } from './access-list.ts';
import { ConnectionSecrets } from './connection-secrets.ts';

export interface SecretHookAccessOptions {
  /** Hub name → ARN of the secret with its access list. */
  readonly secrets: Readonly<Record<string, string>>;
  readonly store: Pick<ConnectionSecrets, 'read'>;
  readonly keepMs: number;
  readonly now: () => Instant;
}

interface CachedAccessList {
  readonly list: AccessList;
  readonly readAt: Instant;
}

export class SecretHookAccess implements HookAccess {
  readonly #options: SecretHookAccessOptions;
  readonly #kept = new Map<string, CachedAccessList>();

  constructor(options: SecretHookAccessOptions) {
    this.#options = options;
  }

  async mayRaiseEvents(hub: string, caller: Caller): Promise<boolean> {
    const list = await this.#list(hub);
    return list !== undefined && hasCaller(list, caller);
  }

  async holdsReviewKey(hub: string, key: string): Promise<boolean> {
    const list = await this.#list(hub);
    return list !== undefined && hasReviewKey(list, key);
  }

  async accountOf(hub: string): Promise<string | undefined> {
    return (await this.#list(hub))?.account;
  }

  /** Undefined for a hub that is not configured. */
  async #list(hub: string): Promise<AccessList | undefined> {
    const { secrets, store, keepMs, now } = this.#options;
    const arn = ownValue(secrets, hub);
    if (arn === undefined) return undefined;
    const kept = this.#kept.get(hub);
    if (kept !== undefined && now() < kept.readAt + keepMs) return kept.list;
    const list = parseAccessList(hub, (await store.read(arn))?.text);
    this.#kept.set(hub, { list, readAt: now() });
    return list;
  }
}

export function awsHookAccess({ settings, now }: InvocationContext, environment: Environment): HookAccess {
  return new SecretHookAccess({
    secrets: jsonEnvironment<string>(environment, 'hookAccess'),
    store: new ConnectionSecrets(new SecretsManagerClient(clientConfig)),
    keepMs: settings.hubConnectionSeconds * 1000,
    now,
  });
}
