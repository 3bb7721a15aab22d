/** The circuit breaker of a hub, shared by all functions: while it is open, no requests are sent to the hub. */
import { Fault } from '../core/fault.ts';
import { type Instant, SECOND } from '../core/time.ts';

export interface Circuit {
  /** Requests are sent again from then on. */
  readonly openUntil: Instant;
  /** How many times in a row it was opened. */
  readonly streak: number;
}

export interface HubCircuits {
  read(hub: string): Promise<Circuit | undefined>;
  /** `changed`: another instance has opened it since `before` was read. */
  write(hub: string, circuit: Circuit, before: Circuit | undefined): Promise<'done' | 'changed'>;
}

const FIRST_SECONDS = 2;
const MOST_SECONDS = 60;
/** A hub that has answered for this long after its circuit closed begins with the first pause again. */
const FORGOTTEN_MS = 120 * SECOND;

const REASON = 'CircuitOpen';

/** Opens for 2 s, and for twice as long each further time in a row, up to a minute. */
export function opened(before: Circuit | undefined, now: Instant): Circuit {
  const inARow = before !== undefined && now < before.openUntil + FORGOTTEN_MS;
  const streak = inARow ? before.streak + 1 : 1;
  const seconds = Math.min(FIRST_SECONDS * 2 ** (streak - 1), MOST_SECONDS);
  return { openUntil: now + seconds * SECOND, streak };
}

export function isOpen(circuit: Circuit | undefined, now: Instant): circuit is Circuit {
  return circuit !== undefined && now < circuit.openUntil;
}

/** The error of a request that was not sent. */
export function circuitOpen(hub: string, { openUntil }: Circuit, now: Instant): Fault {
  const retryAfterMs = Math.max(openUntil - now, SECOND);
  const seconds = Math.ceil(retryAfterMs / SECOND);
  return new Fault(
    'limited',
    `hub ${hub} gave no proper response to several requests in a row; the next is sent in ${seconds} s`,
    { reason: REASON, retryAfterMs },
  );
}

export function isCircuitOpen({ reason }: Fault): boolean {
  return reason === REASON;
}
