/** The hubs of a local run: one, whose connection is in hand. */
import { reviewKeyOf } from '../shared/adapters/secrets-manager/review-key.ts';
import { isOneOf } from '../shared/adapters/secrets-manager/secret-hubs.ts';
import { Fault } from '../shared/model/fault.ts';
import type { Caller, Hub, Hubs } from '../shared/ports/hub.ts';

export class LocalHubs implements Hubs {
  readonly #name: string;
  readonly #hookTokens: readonly string[];
  #hub: Hub | undefined;
  #account: string | undefined;

  constructor(name: string, hookTokens: readonly string[]) {
    this.#name = name;
    this.#hookTokens = hookTokens;
  }

  /** The hook must be there before the hub that calls it, so the hub comes later. */
  opened(hub: Hub, account?: string): void {
    this.#hub = hub;
    this.#account = account;
  }

  async connect(name: string): Promise<Hub> {
    if (name !== this.#name)
      throw new Fault('terminal', `there is no hub ${name} here, only ${this.#name}`, { reason: 'UnknownHub' });
    if (this.#hub === undefined)
      throw new Fault('retryable', `hub ${name} is not connected yet`, { reason: 'HubNotConnected' });
    return this.#hub;
  }

  async mayRaiseEvents(name: string, { bearer }: Caller): Promise<boolean> {
    return name === this.#name && isOneOf(bearer, this.#hookTokens);
  }

  async holdsReviewKey(name: string, key: string): Promise<boolean> {
    if (name !== this.#name) return false;
    return isOneOf(
      key,
      this.#hookTokens.map((token) => reviewKeyOf(name, token)),
    );
  }

  async accountOf(): Promise<string | undefined> {
    return this.#account;
  }
}
