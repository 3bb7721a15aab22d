/** The circuit breaker of a hub, shared by all functions: while it is open, no requests are sent to the hub. */
import { Fault } from '../core/fault.ts';
import { type Instant, SECOND } from '../core/time.ts';

export interface Circuit {
  /** `Probing`: one instance sends requests, to learn whether the hub responds again. */
  readonly state: 'Open' | 'Probing' | 'Closed';
  /** `Open`: when an instance may begin to probe. `Probing`: when another may. `Closed`: since when. */
  readonly openUntil: Instant;
  /** How many times in a row it was opened. */
  readonly streak: number;
  /** How long the hub may take to respond, in ms, before it counts as silent: more than the default for a hub that is known to be slow. */
  readonly silentAfterMs: number;
}

export interface HubCircuits {
  read(hub: string): Promise<Circuit | undefined>;
  /** `changed`: another instance has written it since `before` was read. */
  write(hub: string, circuit: Circuit, before: Circuit | undefined): Promise<'done' | 'changed'>;
}

const FIRST_SECONDS = 2;
const MOST_SECONDS = 60;
/** A hub that has answered for this long after its circuit closed begins with the first pause again. */
const FORGOTTEN_MS = 120 * SECOND;
/** The time of a probe: longer than the longest request. If its instance ends meanwhile, another probes then. */
const PROBE_MS = 15 * SECOND;
/** While another instance probes, a message returns after this. */
const PROBE_RETRY_MS = 2 * SECOND;

/** Kubernetes promises one second for a request of one object, for 99 % of them. */
const SILENT_AFTER_MS = 2 * SECOND;
/** How long a hub counts as slow after a slow response to a probe. */
const SLOW_MS = 3600 * SECOND;

const REASON = 'CircuitOpen';

/** What an instance may do. */
export type CircuitDecision = 'send' | 'probe' | 'wait';

export function admissionOf(circuit: Circuit | undefined, now: Instant): CircuitDecision {
  if (circuit === undefined || circuit.state === 'Closed') return 'send';
  return now < circuit.openUntil ? 'wait' : 'probe';
}

/** Opens for 2 s, and for twice as long each further time in a row, up to a minute. */
export function opened(before: Circuit | undefined, now: Instant): Circuit {
  const inARow = before !== undefined && now < before.openUntil + FORGOTTEN_MS;
  const streak = inARow ? before.streak + 1 : 1;
  const seconds = Math.min(FIRST_SECONDS * 2 ** (streak - 1), MOST_SECONDS);
  return { state: 'Open', openUntil: now + seconds * SECOND, streak, silentAfterMs: silentAfter(before, now) };
}

/** Of the instance that writes it. */
export function probing(before: Circuit, now: Instant): Circuit {
  return { ...before, state: 'Probing', openUntil: now + PROBE_MS };
}

/** Of a slow hub, the first response on a new connection comes after two or three round trips: the handshakes of TCP and TLS. */
const SLOWER = 4;

/**
 * `tookMs`: of the response to the probe. A response may take four times as long from then on, and never less than before while the hub counts as
 * slow: the next probe may be a request that the API server answers from its cache.
 */
export function closed(before: Circuit, now: Instant, tookMs: number): Circuit {
  const silentAfterMs = Math.max(silentAfter(before, now), SLOWER * tookMs);
  return { ...before, state: 'Closed', openUntil: now, silentAfterMs };
}

/** How long the hub may take for a request of one object, in ms, if it responds to nothing else meanwhile. */
export function silentAfter(circuit: Circuit | undefined, now: Instant): number {
  return circuit === undefined || now >= circuit.openUntil + SLOW_MS ? SILENT_AFTER_MS : circuit.silentAfterMs;
}

/** The error of a request that was not sent, or was given up because the hub is silent. */
export function circuitOpen(
  hub: string,
  { state, openUntil }: Pick<Circuit, 'state' | 'openUntil'>,
  now: Instant,
): Fault {
  const left = openUntil - now;
  const retryAfterMs = Math.max(state === 'Probing' ? Math.min(left, PROBE_RETRY_MS) : left, SECOND);
  const seconds = Math.ceil(retryAfterMs / SECOND);
  return new Fault(
    'limited',
    `hub ${hub} gave no proper response to the last requests; the next is sent in ${seconds} s`,
    {
      reason: REASON,
      retryAfterMs,
    },
  );
}

export function isCircuitOpen({ reason }: Fault): boolean {
  return reason === REASON;
}
