/** The hubs of a local run: one, whose connection is in hand. */
import { isOneOf } from '../shared/adapters/secrets-manager/secret-hubs.ts';
import { Fault } from '../shared/model/fault.ts';
import type { Hub, Hubs } from '../shared/ports/hub.ts';

export class LocalHubs implements Hubs {
  readonly #hub: Hub;
  readonly #hookTokens: readonly string[];

  constructor(hub: Hub, hookTokens: readonly string[]) {
    this.#hub = hub;
    this.#hookTokens = hookTokens;
  }

  async connect(name: string): Promise<Hub> {
    if (name !== this.#hub.name)
      throw new Fault('terminal', `there is no hub ${name} here, only ${this.#hub.name}`, { reason: 'UnknownHub' });
    return this.#hub;
  }

  async mayRaiseEvents(name: string, token: string): Promise<boolean> {
    return name === this.#hub.name && isOneOf(token, this.#hookTokens);
  }
}
