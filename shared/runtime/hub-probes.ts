/** Whether hubs answer now: a small request to each, which waits less long than the requests of the functions. */
import { setTimeout as wait } from 'node:timers/promises';
import { asFault } from '../core/fault.ts';
import { type Instant, SECOND } from '../core/time.ts';
import { resourceBindings } from '../karmada/binding.ts';
import type { Hubs } from '../kubernetes/hub.ts';
import type { TimedResponse } from '../kubernetes/hub-clock.ts';

/** As long as the circuit breaker waits for a request of one object. The page has 5 s to show that a hub does not answer. */
const TIMEOUT_MS = 2 * SECOND;

export interface HubProbe extends TimedResponse {
  /** Absent if the hub answered. */
  readonly error?: string;
}

interface ProbeContext {
  readonly hubs: Pick<Hubs, 'open'>;
  readonly now: () => Instant;
}

export class HubProbes {
  /** A request without a response is not repeated meanwhile: it would wait behind the first one. */
  readonly #pending = new Map<string, Promise<HubProbe>>();
  readonly #timeoutMs: number;

  constructor(timeoutMs = TIMEOUT_MS) {
    this.#timeoutMs = timeoutMs;
  }

  async of(name: string, context: ProbeContext): Promise<HubProbe> {
    const sent = context.now();
    const probe = this.#pending.get(name) ?? this.#begin(name, context);
    const answered = new AbortController();
    const silence = wait(this.#timeoutMs, undefined, { signal: answered.signal }).then(() => ({
      error: `no response in ${this.#timeoutMs / SECOND} s`,
      ...{ sent, received: context.now(), serverTime: undefined },
    }));
    // Aborted below, when nothing waits for it any more.
    silence.catch(() => {});
    try {
      return await Promise.race([probe, silence]);
    } finally {
      answered.abort();
    }
  }

  #begin(name: string, context: ProbeContext): Promise<HubProbe> {
    const probe = send(name, context).finally(() => this.#pending.delete(name));
    this.#pending.set(name, probe);
    return probe;
  }
}

/** Reads an object that does not exist: the cheapest request to a hub. */
async function send(name: string, { hubs, now }: ProbeContext): Promise<HubProbe> {
  let sent = now();
  try {
    const hub = await hubs.open(name);
    sent = now();
    await hub.identify(resourceBindings, { namespace: 'default', name: 'evenkeel' });
    return { sent, received: now(), serverTime: hub.serverTime };
  } catch (thrown) {
    return { sent, received: now(), serverTime: undefined, error: asFault(thrown).message };
  }
}
