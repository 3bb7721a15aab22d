/**
 * The circuit breaker of one hub in one instance: it follows the shared state, opens it for all instances when the hub does not respond, and lets
 * one instance probe before it closes.
 */
import { type Instant, SECOND } from '../../core/time.ts';
import {
  admissionOf,
  type Circuit,
  circuitOpen,
  closed,
  type HubCircuits,
  opened,
  probing,
  silentAfter,
} from '../hub-circuit.ts';

/** Age up to which the shared state counts as current: upper bound on how long another instance goes on after a trip. */
const CURRENT_MS = 5 * SECOND;
/** While it is not closed: upper bound on how long another instance waits after a successful probe. */
const CURRENT_OPEN_MS = SECOND;

export interface CircuitBreakerOptions {
  readonly hub: string;
  readonly circuits: HubCircuits;
  readonly now: () => Instant;
  /** Calls `run` after `ms`, unless the returned function was called before. */
  readonly after?: (ms: number, run: () => void) => () => void;
}

export class CircuitBreaker {
  readonly #options: Required<CircuitBreakerOptions>;
  #circuit: Circuit | undefined;
  #readAt = Number.NEGATIVE_INFINITY;
  #respondedAt = Number.NEGATIVE_INFINITY;
  /** Of the last response that was waited for. */
  #tookMs = 0;
  /** The circuit that this instance wrote to probe. */
  #probe: Circuit | undefined;
  #reading: Promise<void> | undefined;
  #beginning: Promise<void> | undefined;

  constructor(options: CircuitBreakerOptions) {
    this.#options = { after: realTimer, ...options };
  }

  /** Whether one more request without a proper response opens it. */
  get isProbing(): boolean {
    return this.#probe !== undefined && this.#probe === this.#circuit;
  }

  /** Throws a Fault `CircuitOpen` while this instance may not send requests. */
  async assertClosed(): Promise<void> {
    const { hub, now } = this.#options;
    const current = admissionOf(this.#circuit, now()) === 'send' ? CURRENT_MS : CURRENT_OPEN_MS;
    if (now() >= this.#readAt + current) await (this.#reading ??= this.#read());
    if (admissionOf(this.#circuit, now()) === 'probe') await (this.#beginning ??= this.#beginProbe());
    if (this.#circuit === undefined || this.isProbing || admissionOf(this.#circuit, now()) === 'send') return;
    throw circuitOpen(hub, this.#circuit, now());
  }

  /**
   * Waits for a response. If it is to a request of one object, the circuit opens and a Fault `CircuitOpen` is thrown if the hub responds neither to it
   * nor to another request for too long. The request itself ends by its own timeout. A probe has all of that time.
   */
  async whileResponding<T>(response: Promise<T>, { isOfOneObject }: { readonly isOfOneObject: boolean }): Promise<T> {
    const begin = this.#options.now();
    const silence = this.isProbing || !isOfOneObject ? undefined : this.#silence(begin);
    try {
      return await (silence === undefined ? response : Promise.race([response, silence.begins]));
    } catch (thrown) {
      if (silence !== undefined) void response.then(() => this.#respondedLate(begin)).catch(() => undefined);
      throw thrown;
    } finally {
      silence?.cancel();
      this.#tookMs = this.#options.now() - begin;
    }
  }

  /** A response that was given up shows that the hub is slow and not silent, and how slow: the circuit closes. */
  async #respondedLate(begin: Instant): Promise<void> {
    const { now } = this.#options;
    const circuit = this.#circuit;
    if (circuit?.state === 'Open') await this.#write(closed(circuit, now(), now() - begin), circuit);
  }

  /** Called for each proper response. */
  async responded(): Promise<void> {
    const { now } = this.#options;
    this.#respondedAt = now();
    const probe = this.#probe;
    if (probe === undefined || !this.isProbing) return;
    this.#probe = undefined;
    await this.#write(closed(probe, now(), this.#tookMs), probe);
  }

  /** Several instances that trip at once open it once. */
  async trip(): Promise<void> {
    const { now } = this.#options;
    const before = this.#circuit;
    if (!this.isProbing && admissionOf(before, now()) === 'wait') return;
    this.#probe = undefined;
    await this.#write(opened(before, now()), before);
  }

  /** `begins` rejects when the hub has responded to nothing since `begin` for longer than it may take. */
  #silence(begin: Instant): { readonly begins: Promise<never>; cancel(): void } {
    const { now, after } = this.#options;
    let cancel: () => void = () => undefined;
    const begins = new Promise<never>((_, reject) => {
      const look = () => {
        const left = Math.max(begin, this.#respondedAt) + silentAfter(this.#circuit, now()) - now();
        if (left > 0) cancel = after(left, look);
        else this.#becameSilent().then(reject, reject);
      };
      look();
    });
    return { begins, cancel: () => cancel() };
  }

  async #becameSilent(): Promise<Error> {
    const { hub, now } = this.#options;
    await this.trip();
    return circuitOpen(hub, this.#circuit ?? opened(undefined, now()), now());
  }

  async #beginProbe(): Promise<void> {
    const { now } = this.#options;
    const before = this.#circuit;
    if (before !== undefined) {
      const probe = probing(before, now());
      this.#probe = probe;
      await this.#write(probe, before);
    }
    this.#beginning = undefined;
  }

  /** If the table does not respond, the circuit is as written in this instance only. */
  async #write(circuit: Circuit, before: Circuit | undefined): Promise<void> {
    const { hub, circuits } = this.#options;
    this.#circuit = circuit;
    const written = await circuits.write(hub, circuit, before).catch(() => 'done' as const);
    if (written !== 'changed') return;
    this.#circuit = before;
    await this.#read();
  }

  /** A table that does not respond must not stop requests to the hub: the state that was read before is used. */
  async #read(): Promise<void> {
    const { hub, circuits, now } = this.#options;
    try {
      const read = await circuits.read(hub);
      // Otherwise it is the circuit that is known, also by its identity: an own probe.
      if (read !== undefined && read.openUntil !== this.#circuit?.openUntil) this.#circuit = read;
    } catch {
      // Read again after CURRENT_MS.
    }
    this.#readAt = now();
    this.#reading = undefined;
  }
}

/** After a blocked event loop, timers run before responses that have arrived: those get their turn first. */
function realTimer(ms: number, run: () => void): () => void {
  let isCancelled = false;
  const timer = setTimeout(() => setImmediate(() => !isCancelled && run()), ms);
  return () => {
    isCancelled = true;
    clearTimeout(timer);
  };
}
