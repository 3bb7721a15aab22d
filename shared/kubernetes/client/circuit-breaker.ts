/** The circuit breaker of one hub in one instance: it follows the shared state, and opens it for all instances. */
import { type Instant, SECOND } from '../../core/time.ts';
import { type Circuit, circuitOpen, type HubCircuits, isOpen, opened } from '../hub-circuit.ts';

/** Age up to which the shared state counts as current: upper bound on how long another instance goes on after a trip. */
const CURRENT_MS = 5 * SECOND;

export interface CircuitBreakerOptions {
  readonly hub: string;
  readonly circuits: HubCircuits;
  readonly now: () => Instant;
}

export class CircuitBreaker {
  readonly #options: CircuitBreakerOptions;
  #circuit: Circuit | undefined;
  #readAt = Number.NEGATIVE_INFINITY;
  #reading: Promise<void> | undefined;

  constructor(options: CircuitBreakerOptions) {
    this.#options = options;
  }

  /** Throws a Fault `CircuitOpen` while no request may be sent. */
  async assertClosed(): Promise<void> {
    const { hub, now } = this.#options;
    if (now() >= this.#readAt + CURRENT_MS) await (this.#reading ??= this.#read());
    if (isOpen(this.#circuit, now())) throw circuitOpen(hub, this.#circuit, now());
  }

  /** Several instances that trip at once open it once. */
  async trip(): Promise<void> {
    const { hub, circuits, now } = this.#options;
    const before = this.#circuit;
    if (isOpen(before, now())) return;
    const next = opened(before, now());
    this.#circuit = next;
    // If the table does not respond, the circuit is open in this instance only.
    const written = await circuits.write(hub, next, before).catch(() => 'done' as const);
    if (written === 'changed') await this.#read();
  }

  /** A table that does not respond must not stop requests to the hub: the state that was read before is used. */
  async #read(): Promise<void> {
    const { hub, circuits, now } = this.#options;
    try {
      this.#circuit = (await circuits.read(hub)) ?? this.#circuit;
    } catch {
      // Read again after CURRENT_MS.
    }
    this.#readAt = now();
    this.#reading = undefined;
  }
}
