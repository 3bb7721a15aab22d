/** The hub of a local run, with its open connection. It has all features, because no command registers it; `failback` is an option of the run, and `budgets` needs rights that a hub may not grant. */
import { Fault } from '../shared/core/fault.ts';
import type { Connection, EstimatorChoice } from '../shared/kubernetes/client/connection.ts';
import type { Caller, HookAccess } from '../shared/kubernetes/hook-access.ts';
import { callersOf, hasCaller, hasReviewKey } from '../shared/kubernetes/hook-callers.ts';
import type { Hub, Hubs } from '../shared/kubernetes/hub.ts';
import { type HubFeature, hubFeatureNames } from '../shared/kubernetes/hub-features.ts';
import { hubPaused, type Pause } from '../shared/kubernetes/hub-pause.ts';
import type { HookCallers, HubRecord } from '../shared/kubernetes/hub-registry.ts';
import { PauseFile } from './pause-file.ts';

/** The parts of the connection besides the hub, and whether it has the features that not every hub has. Defaults: no failback, but budgets. */
type ConnectionParts = Partial<Pick<Connection, 'server' | 'account' | 'estimator'>> & {
  readonly failback?: boolean;
  readonly budgets?: boolean;
};

export class LocalHubs implements Hubs, HookAccess {
  readonly #name: string;
  readonly #hookTokens: readonly string[];
  readonly #paused: PauseFile;
  #hub: Hub | undefined;
  #connection: ConnectionParts = {};

  constructor(name: string, hookTokens: readonly string[], paused: PauseFile = new PauseFile()) {
    this.#name = name;
    this.#hookTokens = hookTokens;
    this.#paused = paused;
  }

  /** The hook must start before the hub that calls it, so the hub is set later. */
  opened(hub: Hub, connection: ConnectionParts = {}): void {
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

  async mayRaiseEvents(name: string, caller: Caller): Promise<boolean> {
    return name === this.#name && hasCaller(this.#callers(), caller);
  }

  async holdsReviewKey(name: string, key: string): Promise<boolean> {
    return name === this.#name && hasReviewKey(this.#callers(), key);
  }

  async accountOf(): Promise<string | undefined> {
    return this.#connection.account;
  }

  async hasEstimator(): Promise<boolean> {
    return (await this.estimatorOf()) !== undefined;
  }

  async uses(_name: string, feature: HubFeature): Promise<boolean> {
    return this.#has(feature);
  }

  async estimatorOf(): Promise<EstimatorChoice | undefined> {
    return this.#connection.estimator;
  }

  record(): HubRecord {
    const { server = '', account } = this.#connection;
    const [name, pause] = [this.#name, this.#paused.pause];
    const features = hubFeatureNames.filter((feature) => this.#has(feature));
    return {
      ...{ name, state: 'Active', pause, features, server, account },
      ...{ callers: this.#callers(), revision: 1 },
    };
  }

  #has(feature: HubFeature): boolean {
    const { failback = false, budgets = true } = this.#connection;
    if (feature === 'budgets') return budgets;
    return feature !== 'failback' || failback;
  }

  #callers(): HookCallers {
    return callersOf(this.#name, { hookTokens: this.#hookTokens });
  }

  #connected(name: string): Hub {
    this.#assertKnown(name);
    if (this.#hub === undefined)
      throw new Fault('retryable', `hub ${name} is not connected yet`, { reason: 'HubNotConnected' });
    return this.#hub;
  }

  #assertKnown(name: string): void {
    if (name === this.#name) return;
    throw new Fault('terminal', `hub ${name} not found; this run has only ${this.#name}`, { reason: 'UnknownHub' });
  }
}
