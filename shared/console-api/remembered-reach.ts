/** Whether hubs answer now, shared by all pages that ask: for a second, or longer for a list of many hubs. */
import type { InvocationContext } from '../core/invocation.ts';
import type { Instant } from '../core/time.ts';
import type { Hubs } from '../kubernetes/hub.ts';
import { clockDifference } from '../kubernetes/hub-clock.ts';
import { reachOf } from '../kubernetes/hub-reach.ts';
import type { HubRecord } from '../kubernetes/hub-registry.ts';
import { HubProbes } from '../runtime/hub-probes.ts';
import type { HubFacts } from './health-findings.ts';
import { Remembered } from './remembered.ts';

/** A page asks every second, and has 5 s to show that a hub does not answer. */
const FEW_MS = 1000;
/** Of 1,000 hubs, which are then sent 200 requests a second. */
const MANY_MS = 5000;
const FEW_HUBS = 200;
/** Of one hub each, a few hundred bytes. */
const MOST_KEPT = 2000;

type ReachedHub = Pick<HubFacts, 'reach' | 'clockDifferenceMs'>;

interface ReachContext extends Pick<InvocationContext, 'settings' | 'now'> {
  readonly hubs: Hubs;
  /** The last successful resync of a hub. */
  readonly comparedAt: (hub: string) => Promise<Instant | undefined>;
}

export class RememberedReach {
  readonly #probes = new HubProbes();
  readonly #few = new Remembered<ReachedHub>(FEW_MS, MOST_KEPT, 0);
  readonly #many = new Remembered<ReachedHub>(MANY_MS, MOST_KEPT);

  /** `listed`: the number of hubs in the list that asks. */
  of(record: HubRecord, context: ReachContext, listed = 1): Promise<ReachedHub> {
    const kept = listed > FEW_HUBS ? this.#many : this.#few;
    return kept.of(record.name, context.now, () => this.#read(record, context));
  }

  async #read({ name, state }: HubRecord, context: ReachContext): Promise<ReachedHub> {
    const { settings, now } = context;
    const [probe, compared] = await Promise.all([
      state === 'Removing' ? undefined : this.#probes.of(name, context),
      context.comparedAt(name),
    ]);
    const error = probe === undefined ? 'it is being removed' : probe.error;
    const reach = reachOf({ error, comparedAt: compared, resyncMinutes: settings.resyncMinutes, now: now() });
    return { reach, clockDifferenceMs: probe && clockDifference(probe) };
  }
}
