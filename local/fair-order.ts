/**
 * The order in which a queue delivers messages of several groups, as SQS documents it for fair queues: those of quiet groups first, the oldest first;
 * then those of noisy groups, of the group with the fewest messages in flight first.
 */
import { groupBy } from '../shared/core/group-by.ts';
import type { Instant } from '../shared/core/time.ts';

interface GroupedMessage {
  /** A message without a group is in a group of its own. */
  readonly group: string | undefined;
}

/** A group is noisy with more than this share of the recent processing time, or of the messages in flight if they are MANY. */
const NOISY = 0.1;
const MANY = 30;
/** How recent is not documented: the weight of processing time falls to a third within this time. */
const RECENT_MS = 60_000;

/** A sum whose older parts weigh less. */
class RecentSum {
  #sum = 0;
  #at: Instant = 0;

  at(now: Instant): number {
    return this.#sum * Math.exp((this.#at - now) / RECENT_MS);
  }

  add(value: number, now: Instant): void {
    this.#sum = this.at(now) + value;
    this.#at = now;
  }
}

export class FairOrder {
  readonly #inFlight = new Map<string, number>();
  #allInFlight = 0;
  readonly #processing = new Map<string, RecentSum>();
  readonly #allProcessing = new RecentSum();

  /** The next `count` of the messages, which are in the order of their arrival. */
  next<M extends GroupedMessage>(messages: readonly M[], count: number, now: Instant): readonly M[] {
    if (messages.length <= count) return messages;
    const groups = new Set(messages.map(({ group }) => group));
    const noisy = new Set([...groups].filter((group) => group !== undefined && this.#isNoisy(group, now)));
    const quiet = messages.filter(({ group }) => !noisy.has(group)).slice(0, count);
    if (quiet.length === count) return quiet;
    return [
      ...quiet,
      ...this.#balanced(
        messages.filter(({ group }) => noisy.has(group)),
        count - quiet.length,
      ),
    ];
  }

  /** Each of the group with the fewest messages in flight, counting those taken before it. */
  #balanced<M extends GroupedMessage>(messages: readonly M[], count: number): readonly M[] {
    const waiting = [...groupBy(messages, ({ group = '' }) => group)].map(([group, ofGroup]) => ({
      inFlight: this.#inFlightOf(group),
      messages: ofGroup,
      taken: 0,
    }));
    return Array.from({ length: Math.min(count, messages.length) }, () => {
      const next = waiting
        .filter((each) => each.taken < each.messages.length)
        .reduce((a, b) => (b.inFlight + b.taken < a.inFlight + a.taken ? b : a));
      next.taken += 1;
      return next.messages[next.taken - 1] as M;
    });
  }

  begin({ group }: GroupedMessage): void {
    this.#allInFlight += 1;
    if (group !== undefined) this.#inFlight.set(group, this.#inFlightOf(group) + 1);
  }

  end({ group }: GroupedMessage, ms: number, now: Instant): void {
    this.#allInFlight -= 1;
    this.#allProcessing.add(ms, now);
    if (group === undefined) return;
    this.#inFlight.set(group, this.#inFlightOf(group) - 1);
    const processing = this.#processing.get(group) ?? new RecentSum();
    processing.add(ms, now);
    this.#processing.set(group, processing);
  }

  #isNoisy(group: string, now: Instant): boolean {
    const inFlight = this.#inFlightOf(group);
    if (inFlight >= MANY && inFlight > NOISY * this.#allInFlight) return true;
    return (this.#processing.get(group)?.at(now) ?? 0) > NOISY * this.#allProcessing.at(now);
  }

  #inFlightOf(group: string): number {
    return this.#inFlight.get(group) ?? 0;
  }
}
