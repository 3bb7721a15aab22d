/** The hubs of a local run: one, whose connection is in hand. */
import type { Connection, EstimatorChoice } from '../shared/adapters/kubernetes/connection.ts';
import { reviewKeyOf } from '../shared/adapters/secrets-manager/review-key.ts';
import { isOneOf } from '../shared/adapters/secrets-manager/secret-hubs.ts';
import { Fault } from '../shared/model/fault.ts';
import { hubPaused, type Pause } from '../shared/model/hub-pause.ts';
import type { Caller, Hub, Hubs } from '../shared/ports/hub.ts';
import { PauseFile } from './pause-file.ts';

/** Of the connection: what is asked of it besides the hub itself. */
type Known = Pick<Connection, 'account' | 'estimator'>;

export class LocalHubs implements Hubs {
  readonly #name: string;
  readonly #hookTokens: readonly string[];
  readonly #paused: PauseFile;
  #hub: Hub | undefined;
  #connection: Known = {};

  constructor(name: string, hookTokens: readonly string[], paused: PauseFile = new PauseFile()) {
    this.#name = name;
    this.#hookTokens = hookTokens;
    this.#paused = paused;
  }

  /** The hook must be there before the hub that calls it, so the hub comes later. */
  opened(hub: Hub, connection: Known = {}): void {
    this.#hub = hub;
    this.#connection = connection;
  }

  async names(): Promise<readonly string[]> {
    return [this.#name];
  }

  async connect(name: string): Promise<Hub> {
    const hub = this.#connected(name);
    if (this.#paused.pause !== undefined) throw hubPaused(name, this.#paused.pause);
    return hub;
  }

  async open(name: string): Promise<Hub> {
    return this.#connected(name);
  }

  async pauseOf(name: string): Promise<Pause | undefined> {
    this.#assertKnown(name);
    return this.#paused.pause;
  }

  setPause(name: string, pause: Pause | undefined): void {
    this.#assertKnown(name);
    this.#paused.pause = pause;
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

  #connected(name: string): Hub {
    this.#assertKnown(name);
    if (this.#hub === undefined)
      throw new Fault('retryable', `hub ${name} is not connected yet`, { reason: 'HubNotConnected' });
    return this.#hub;
  }

  #assertKnown(name: string): void {
    if (name === this.#name) return;
    throw new Fault('terminal', `there is no hub ${name} here, only ${this.#name}`, { reason: 'UnknownHub' });
  }
}
