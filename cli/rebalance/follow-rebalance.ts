/** Follows a rebalance until the scheduler has acted on every workload of it, or nobody waits any more. */
import { getBindings } from '../../shared/edge/read-fleet.ts';
import { asFault } from '../../shared/model/fault.ts';
import { keyText, type ObjectKey } from '../../shared/model/object-key.ts';
import { referenceKey } from '../../shared/model/object-reference.ts';
import type { PlacedBinding } from '../../shared/model/placed-binding.ts';
import { type Instant, SECOND } from '../../shared/model/time.ts';
import { type ObservedWorkload, workloadRebalancers } from '../../shared/model/workload-rebalancer.ts';
import type { Hub } from '../../shared/ports/hub.ts';
import { type Before, beforeOf, type Judgement, judgeWorkload, type WorkloadState } from './judge-workload.ts';

export interface Followed {
  readonly name: string;
  /** Its creation by the hub's clock. */
  readonly since: Instant;
  /** As they were before it. */
  readonly bindings: readonly PlacedBinding[];
}

export interface Progress {
  readonly total: number;
  readonly counts: Readonly<Record<WorkloadState, number>>;
  /** By the keyText of the binding. */
  readonly judgements: ReadonlyMap<string, Judgement>;
  /** Whether the object has been deleted meanwhile, by its ttl or by somebody. */
  readonly gone: boolean;
  /** Why the hub could not be read this time; what is said is from before. */
  readonly unread?: string;
}

export interface Watching {
  readonly now: () => Instant;
  /** Resolves early where nobody waits any more. */
  readonly pause: (ms: number) => Promise<void>;
  readonly until: Instant;
  readonly stopped: () => boolean;
  readonly report: (progress: Progress) => void;
}

const POLL_MS = 1000;
/** A rebalance of thousands reads for long: three quarters of the time the hub is left alone. */
const READING_SHARE = 4;
/** A scheduler that found no place tries again, and may find one when others have moved. */
const PATIENCE_MS = 5 * SECOND;

export async function followRebalance(hub: Hub, followed: Followed, watching: Watching): Promise<Progress> {
  const watch = new Watch(hub, followed);
  for (;;) {
    const began = watching.now();
    const progress = await watch.look(began);
    watching.report(progress);
    const now = watching.now();
    if (watch.isOver(now) || now >= watching.until || watching.stopped()) return progress;
    const pause = Math.max(POLL_MS, (now - began) * (READING_SHARE - 1));
    await watching.pause(Math.min(pause, watching.until - now));
    if (watching.stopped()) return progress;
  }
}

interface Seen {
  readonly found: ReadonlyMap<string, PlacedBinding>;
  /** By referenceKey. */
  readonly results: ReadonlyMap<string, ObservedWorkload>;
  readonly now: Instant;
}

class Watch {
  readonly #hub: Hub;
  readonly #followed: Followed;
  readonly #before: ReadonlyMap<string, Before>;
  #judgements = new Map<string, Judgement>();
  #refusedSince = new Map<string, Instant>();
  #gone = false;

  constructor(hub: Hub, followed: Followed) {
    this.#hub = hub;
    this.#followed = followed;
    this.#before = new Map(followed.bindings.map((binding) => [keyText(binding.metadata), beforeOf(binding)]));
    for (const { metadata } of followed.bindings)
      this.#judgements.set(keyText(metadata), { state: 'waiting', reason: 'it is not triggered yet' });
  }

  /** Only those that are not done yet are read again. */
  async look(now: Instant): Promise<Progress> {
    const open = this.#followed.bindings.filter(({ metadata }) => !this.#isDone(metadata));
    try {
      // The object first: where it is gone, what its functions wrote is on the bindings already.
      const rebalancer = await this.#hub.get(workloadRebalancers, { namespace: '', name: this.#followed.name });
      this.#gone ||= rebalancer === undefined;
      const found = await getBindings(this.#hub, open.map(keyOf));
      const observed = rebalancer?.status.observedWorkloads ?? [];
      const results = new Map(observed.map((one) => [referenceKey(one.workload), one]));
      for (const binding of open) this.#judge(binding, { found, results, now });
      return this.#progress();
    } catch (thrown) {
      const fault = asFault(thrown);
      if (fault.verdict === 'terminal' || fault.reason === 'Forbidden') throw fault;
      return { ...this.#progress(), unread: fault.message };
    }
  }

  isOver(now: Instant): boolean {
    return [...this.#judgements].every(
      ([key, { state, mayRecover }]) =>
        state === 'rescheduled' ||
        (state === 'failed' && (!mayRecover || now - (this.#refusedSince.get(key) ?? now) >= PATIENCE_MS)),
    );
  }

  #isDone(key: ObjectKey): boolean {
    return this.#judgements.get(keyText(key))?.state === 'rescheduled';
  }

  #judge({ metadata, spec }: PlacedBinding, seen: Seen): void {
    const key = keyText(metadata);
    const result = seen.results.get(referenceKey(spec.resource));
    const sight = { binding: seen.found.get(key), result, rebalancerGone: this.#gone };
    const before = this.#before.get(key) ?? { trigger: undefined, scheduled: undefined };
    const judgement = judgeWorkload(sight, before, this.#followed.since);
    this.#judgements.set(key, judgement);
    if (!judgement.mayRecover) this.#refusedSince.delete(key);
    else if (!this.#refusedSince.has(key)) this.#refusedSince.set(key, seen.now);
  }

  #progress(): Progress {
    const counts = { waiting: 0, triggered: 0, rescheduled: 0, failed: 0 };
    for (const { state } of this.#judgements.values()) counts[state] += 1;
    return { total: this.#judgements.size, counts, judgements: new Map(this.#judgements), gone: this.#gone };
  }
}

function keyOf({ metadata }: PlacedBinding): ObjectKey {
  return { namespace: metadata.namespace, name: metadata.name };
}
