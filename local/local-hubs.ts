/** The hubs of a local run: one, whose connection is in hand. */
import type { Connection, EstimatorChoice } from '../shared/adapters/kubernetes/connection.ts';
import { reviewKeyOf } from '../shared/adapters/secrets-manager/review-key.ts';
import { isOneOf } from '../shared/adapters/secrets-manager/secret-hubs.ts';
import { Fault } from '../shared/model/fault.ts';
import type { Caller, Hub, Hubs } from '../shared/ports/hub.ts';

/** Of the connection: what is asked of it besides the hub itself. */
type Known = Pick<Connection, 'account' | 'estimator'>;

export class LocalHubs implements Hubs {
  readonly #name: string;
  readonly #hookTokens: readonly string[];
  #hub: Hub | undefined;
  #connection: Known = {};

  constructor(name: string, hookTokens: readonly string[]) {
    this.#name = name;
    this.#hookTokens = hookTokens;
  }

  /** The hook must be there before the hub that calls it, so the hub comes later. */
  opened(hub: Hub, connection: Known = {}): void {
    this.#hub = hub;
    this.#connection = connection;
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
    return this.#connection.account;
  }

  async hasEstimator(): Promise<boolean> {
    return (await this.estimatorOf()) !== undefined;
  }

  async estimatorOf(): Promise<EstimatorChoice | undefined> {
    return this.#connection.estimator;
  }
}
