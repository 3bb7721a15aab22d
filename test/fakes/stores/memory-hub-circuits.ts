/** The circuit breakers of hubs in memory, for simulation and tests; the same contract as on DynamoDB. */
import type { Circuit, HubCircuits } from '../../../shared/kubernetes/hub-circuit.ts';

export class MemoryHubCircuits implements HubCircuits {
  readonly #circuits = new Map<string, Circuit>();

  async read(hub: string): Promise<Circuit | undefined> {
    return this.#circuits.get(hub);
  }

  async write(hub: string, circuit: Circuit, before: Circuit | undefined): Promise<'done' | 'changed'> {
    if (this.#circuits.get(hub)?.openUntil !== before?.openUntil) return 'changed';
    this.#circuits.set(hub, circuit);
    return 'done';
  }
}
