/** Follows a rebalance until the scheduler has acted on every workload, or the wait is aborted. */
import { asFault } from '../../shared/core/fault.ts';
import { type Instant, SECOND } from '../../shared/core/time.ts';
import type { PlacedBinding } from '../../shared/karmada/placed-binding.ts';
import type { Hub } from '../../shared/kubernetes/hub.ts';
import { keyText, type ObjectKey } from '../../shared/kubernetes/object-key.ts';
import { referenceKey } from '../../shared/kubernetes/object-reference.ts';
import { getBindings } from '../../shared/rebalance-policy/read-fleet.ts';
import { type ObservedWorkload, workloadRebalancers } from '../../shared/workload-rebalancer/workload-rebalancer.ts';
import {
  type Before,
  beforeOf,
  type WorkloadProgress,
  type WorkloadState,
  workloadProgress,
} from './workload-progress.ts';

export interface Followed {
  readonly name: string;
  /** Its creation time, by the hub's clock. */
  readonly since: Instant;
  /** Their state before the rebalance. */
  readonly bindings: readonly PlacedBinding[];
}

export interface Progress {
  readonly total: number;
  readonly counts: Readonly<Record<WorkloadState, number>>;
  /** By the keyText of the binding. */
  readonly progresses: ReadonlyMap<string, WorkloadProgress>;
  /** Whether the object has been deleted, by its TTL or by a user. */
  readonly gone: boolean;
  /** Why the last read of the hub failed; the other fields are from the previous read. */
  readonly unread?: string;
}

export interface Watching {
  readonly now: () => Instant;
  /** Resolves early if the wait is aborted. */
  readonly pause: (ms: number) => Promise<void>;
  readonly until: Instant;
  readonly stopped: () => boolean;
  readonly report: (progress: Progress) => void;
}

const POLL_MS = 1000;
/** Reading thousands of bindings takes long: the pause is at least three times the read. */
const READING_SHARE = 4;
/** The scheduler retries after a failure, and may succeed when other workloads have moved. */
const TIMEOUT_MS = 5 * SECOND;

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

interface RebalanceObservation {
  readonly found: ReadonlyMap<string, PlacedBinding>;
  /** By referenceKey. */
  readonly results: ReadonlyMap<string, ObservedWorkload>;
  readonly now: Instant;
}

class Watch {
  readonly #hub: Hub;
  readonly #followed: Followed;
  readonly #before: ReadonlyMap<string, Before>;
  #progresses = new Map<string, WorkloadProgress>();
  #rejectedSince = new Map<string, Instant>();
  #gone = false;

  constructor(hub: Hub, followed: Followed) {
    this.#hub = hub;
    this.#followed = followed;
    this.#before = new Map(followed.bindings.map((binding) => [keyText(binding.metadata), beforeOf(binding)]));
    for (const { metadata } of followed.bindings)
      this.#progresses.set(keyText(metadata), { state: 'waiting', reason: 'not triggered yet' });
  }

  /** Reads only unfinished workloads again. */
  async look(now: Instant): Promise<Progress> {
    const open = this.#followed.bindings.filter(({ metadata }) => !this.#isDone(metadata));
    try {
      // The object is read first: if it is gone, its results are already on the bindings.
      const rebalancer = await this.#hub.get(workloadRebalancers, { namespace: '', name: this.#followed.name });
      this.#gone ||= rebalancer === undefined;
      const found = await getBindings(this.#hub, open.map(keyOf));
      const observed = rebalancer?.status.observedWorkloads ?? [];
      const results = new Map(observed.map((one) => [referenceKey(one.workload), one]));
      for (const binding of open) this.#update(binding, { found, results, now });
      return this.#progress();
    } catch (thrown) {
      const fault = asFault(thrown);
      if (fault.retryClass === 'terminal' || fault.reason === 'Forbidden') throw fault;
      return { ...this.#progress(), unread: fault.message };
    }
  }

  isOver(now: Instant): boolean {
    return [...this.#progresses].every(
      ([key, { state, mayRecover }]) =>
        state === 'rescheduled' ||
        (state === 'failed' && (!mayRecover || now - (this.#rejectedSince.get(key) ?? now) >= TIMEOUT_MS)),
    );
  }

  #isDone(key: ObjectKey): boolean {
    return this.#progresses.get(keyText(key))?.state === 'rescheduled';
  }

  #update({ metadata, spec }: PlacedBinding, seen: RebalanceObservation): void {
    const key = keyText(metadata);
    const result = seen.results.get(referenceKey(spec.resource));
    const observation = { binding: seen.found.get(key), result, rebalancerGone: this.#gone };
    const before = this.#before.get(key) ?? { trigger: undefined, scheduled: undefined };
    const progress = workloadProgress(observation, before, this.#followed.since);
    this.#progresses.set(key, progress);
    if (!progress.mayRecover) this.#rejectedSince.delete(key);
    else if (!this.#rejectedSince.has(key)) this.#rejectedSince.set(key, seen.now);
  }

  #progress(): Progress {
    const counts = { waiting: 0, triggered: 0, rescheduled: 0, failed: 0 };
    for (const { state } of this.#progresses.values()) counts[state] += 1;
    return { total: this.#progresses.size, counts, progresses: new Map(this.#progresses), gone: this.#gone };
  }
}

function keyOf({ metadata }: PlacedBinding): ObjectKey {
  return { namespace: metadata.namespace, name: metadata.name };
}
