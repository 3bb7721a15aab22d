/** Leader election among the bridges of a hub: only the holder of the Lease works. */
import { asFault } from '../shared/core/fault.ts';
import type { Telemetry } from '../shared/core/telemetry.ts';
import type { Instant } from '../shared/core/time.ts';
import { type BridgeLease, decideLease, type LeaseObservation, observeLease } from './decide-lease.ts';

/** The Lease on the hub. Writes are conditional on the version that was read. */
export interface LeaseStore {
  read(signal: AbortSignal): Promise<BridgeLease | undefined>;
  /** False if another bridge wrote first. */
  write(lease: LeaseWrite, signal: AbortSignal): Promise<boolean>;
}

export interface LeaseWrite {
  readonly holder: string;
  readonly durationSeconds: number;
  readonly transitions: number;
  /** From the replaced lease; absent for a new one. */
  readonly resourceVersion?: string;
}

export interface Leading {
  readonly me: string;
  readonly hub: string;
  readonly store: LeaseStore;
  readonly telemetry: Telemetry;
  readonly now: () => Instant;
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
}

const DURATION_SECONDS = 15;
const RENEW_MS = 3000;
/** A leader that could not renew for this long stops: five seconds before another bridge may take over. */
const GIVE_UP_MS = 10_000;

/** Runs `work` whenever this bridge leads, until the signal aborts; then releases the lease. */
export async function leadWhile(
  leading: Leading,
  work: (term: AbortSignal) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const election = new Election(leading);
  while (!signal.aborted) {
    if ((await election.hold(signal)) === 'Ours') await serve(election, work, signal);
    else await leading.wait(RENEW_MS, signal);
  }
  await election.letGo();
}

async function serve(
  election: Election,
  work: (term: AbortSignal) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const term = new AbortController();
  const both = AbortSignal.any([signal, term.signal]);
  const renewing = election.renew(both).finally(() => term.abort());
  try {
    await work(both);
  } finally {
    term.abort();
    await renewing;
  }
}

/** Unknown: the hub did not respond, or another bridge wrote in between. */
type Hold = 'Ours' | 'Anothers' | 'Unknown';

class Election {
  readonly #leading: Leading;
  #observation: LeaseObservation | undefined;
  #renewedAt: Instant = 0;

  constructor(leading: Leading) {
    this.#leading = leading;
  }

  /** Takes or renews the lease. */
  async hold(signal: AbortSignal): Promise<Hold> {
    const { store, me, hub, telemetry, now } = this.#leading;
    try {
      this.#observation = observeLease(this.#observation, await store.read(signal), now());
      const { step, reason } = decideLease(this.#observation, me, now());
      if (step === 'Wait') return 'Anothers';
      const { transitions = 0, resourceVersion } = this.#observation?.lease ?? {};
      const write = {
        holder: me,
        durationSeconds: DURATION_SECONDS,
        transitions: step === 'Take' ? transitions + 1 : transitions,
        ...(resourceVersion !== undefined && { resourceVersion }),
      };
      const began = now();
      if (!(await store.write(write, signal))) return 'Unknown';
      if (step !== 'Renew') telemetry.outcome('EK403', { hub, reason, leader: me });
      this.#renewedAt = began;
      return 'Ours';
    } catch (thrown) {
      if (!signal.aborted)
        telemetry.outcome('EK402', { hub, reason: asFault(thrown).reason, error: asFault(thrown).message });
      return 'Unknown';
    }
  }

  /** Resolves when the lease is lost, or may be lost because it could not be renewed for too long. */
  async renew(signal: AbortSignal): Promise<void> {
    const { wait, now, hub, telemetry } = this.#leading;
    while (!signal.aborted) {
      await wait(RENEW_MS, signal);
      const hold = signal.aborted ? 'Ours' : await this.#holdInTime(signal);
      const mayBeLost = hold === 'Unknown' && now() - this.#renewedAt >= GIVE_UP_MS;
      if (hold !== 'Anothers' && !mayBeLost) continue;
      const reason = hold === 'Anothers' ? 'another bridge holds it' : 'it could not be renewed';
      telemetry.outcome('EK403', { hub, reason, leader: '' });
      return;
    }
  }

  /** Renews the lease; Unknown when it was not renewed for too long, although a request may still be in progress. */
  async #holdInTime(signal: AbortSignal): Promise<Hold> {
    const { wait, now } = this.#leading;
    const answered = new AbortController();
    const tooLate = wait(this.#renewedAt + GIVE_UP_MS - now(), AbortSignal.any([signal, answered.signal]));
    try {
      return await Promise.race([this.hold(signal), tooLate.then(() => 'Unknown' as const)]);
    } finally {
      answered.abort();
    }
  }

  /** Releases the lease, so that the next bridge need not wait for its expiry. */
  async letGo(): Promise<void> {
    const { store, me, now } = this.#leading;
    const ending = AbortSignal.timeout(2000);
    try {
      this.#observation = observeLease(this.#observation, await store.read(ending), now());
      const lease = this.#observation?.lease;
      if (lease?.holder !== me) return;
      await store.write({ ...lease, holder: '' }, ending);
    } catch {
      // The lease expires by itself.
    }
  }
}
