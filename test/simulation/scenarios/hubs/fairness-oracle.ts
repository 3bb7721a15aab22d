/**
 * No healthy hub waits longer than twice its fair share, in any queue. A message waits from its publication, plus the delay of its queue, to its first
 * delivery.
 *
 * The fair share of a message is its wait in a queue that serves hubs in turn. There, while n messages of its hub are served that were before it, each
 * other hub with messages has n + 1 turns before it. All invocations of the queue are busy while it waits. So its fair share is its wait without the time of
 * messages that other hubs had beyond their turns, divided by the concurrency of the queue. A message of a batch has the time of its invocation divided by
 * the size of the batch. A turn of a hub that does not respond lasts as long as timeouts and its circuit breaker let it.
 *
 * SQS serves messages of a group in the order of their arrival until the group has had a tenth of the recent processing time. So a tenth of the time since
 * a minute before the wait is no more than a hub's turns; and neither is an invocation that still runs, because no queue can interrupt it.
 */
import type { SQSEvent } from 'aws-lambda';
import type { Route } from '../../../../shared/bus/routes.ts';
import type { System } from '../../system/system.ts';
import type { Violations } from '../../violations.ts';

/** An invocation of a queue's function. */
interface Delivery {
  readonly from: number;
  /** Infinite while it runs. */
  until: number;
  /** The hub of each message; messages without a hub have an own name. */
  readonly hubs: readonly string[];
}

export interface LongestWait {
  readonly ms: number;
  readonly fairMs: number;
  readonly queue: string;
}

export interface FairnessFigures {
  /** First deliveries of healthy hubs. */
  waits: number;
  /** Those above SHORT_MS. */
  longWaits: number;
  /** The longest wait, and the one with the highest ratio to its fair share, of those above SHORT_MS. */
  longest: LongestWait | undefined;
  unfairest: LongestWait | undefined;
}

/** Shorter waits are not compared: SQS finds a noisy group by its processing time, so the group must have had some. */
export const SHORT_MS = 5000;
/** An event of a disturbed hub is not compared for this long, because its messages may wait for their retries. */
const DISTURBED_MS = 3_600_000;
/** The share of the processing time up to which SQS does not take a group for noisy. */
const UNNOTICED = 0.1;
const RECENT_MS = 60_000;
const MOST = 2;

export class FairnessOracle {
  readonly figures: FairnessFigures = { waits: 0, longWaits: 0, longest: undefined, unfairest: undefined };
  readonly #system: System;
  readonly #violations: Violations;
  readonly #deliveries = new Map<Route, Delivery[]>();
  /** Messages whose first delivery is over: queue and id of the event. */
  readonly #seen = new Set<string>();
  /** By hub: when an outage or a flood last began or ended. */
  readonly #disturbed = new Map<string, number>();

  constructor(system: System, violations: Violations) {
    this.#system = system;
    this.#violations = violations;
    system.onDelivery((route, event) => this.#begin(route, event));
  }

  disturbed(hub: string): void {
    this.#disturbed.set(hub, this.#system.clock.now());
  }

  #begin(route: Route, { Records }: SQSEvent): () => void {
    const now = this.#system.clock.now();
    const messages = Records.map(({ body, messageId }) => envelopeOf(body, messageId));
    for (const { id, hub, publishedAt } of messages) {
      const key = `${route.name} ${id}`;
      if (this.#seen.has(key)) continue;
      this.#seen.add(key);
      if (this.#isHealthy(hub)) this.#compare(route, hub, publishedAt);
    }
    const delivery: Delivery = { from: now, until: Number.POSITIVE_INFINITY, hubs: messages.map(({ hub }) => hub) };
    this.#deliveries.set(route, this.#deliveries.get(route) ?? []);
    this.#deliveries.get(route)?.push(delivery);
    return () => {
      delivery.until = this.#system.clock.now();
    };
  }

  #isHealthy(name: string): boolean {
    const hub = this.#system.hubs.get(name);
    const disturbed = this.#disturbed.get(name) ?? Number.NEGATIVE_INFINITY;
    const isQuiet = this.#system.clock.now() - disturbed > DISTURBED_MS;
    return hub !== undefined && hub.slowMs === 0 && hub.outage === undefined && isQuiet;
  }

  #compare(route: Route, hub: string, publishedAt: number): void {
    const { delaySeconds, batchWindowSeconds, maxConcurrency } = route.queue;
    const since = publishedAt + (delaySeconds + batchWindowSeconds) * 1000;
    const ms = this.#system.clock.now() - since;
    this.figures.waits += 1;
    if (ms <= SHORT_MS) return;
    this.figures.longWaits += 1;
    const fairMs = ms - this.#excess(route, hub, since) / maxConcurrency;
    const wait = { ms, fairMs, queue: route.name };
    const { longest, unfairest } = this.figures;
    if (longest === undefined || ms > longest.ms) this.figures.longest = wait;
    if (unfairest === undefined || ratioOf(wait) > ratioOf(unfairest)) this.figures.unfairest = wait;
    if (ratioOf(wait) > MOST)
      this.#violations.add(
        'no healthy hub waits longer than twice its fair share',
        `${hub} in ${route.name}: ${seconds(ms)} s, fair share ${seconds(fairMs)} s`,
      );
  }

  /** The time of messages that other hubs had beyond their turns since then. */
  #excess(route: Route, hub: string, since: number): number {
    const now = this.#system.clock.now();
    const deliveries = this.#deliveries.get(route) ?? [];
    const after = (time: number) => deliveries.slice(deliveries.findLastIndex(({ from }) => from < time) + 1);
    const msOf = ({ from, until }: Delivery) => Math.min(until, now) - from;
    const unnoticed = UNNOTICED * after(since - RECENT_MS).reduce((sum, delivery) => sum + msOf(delivery), 0);
    const meanwhile = after(since);
    const turns = 1 + meanwhile.flatMap(({ hubs }) => hubs).filter((each) => each === hub).length;
    const used = new Map<string, Usage>();
    for (const delivery of meanwhile.filter(({ until }) => until <= now))
      for (const each of delivery.hubs) {
        const ms = msOf(delivery) / delivery.hubs.length;
        const usage = used.get(each) ?? { messages: 0, ms: 0, inTurnMs: 0 };
        used.set(each, usage);
        usage.messages += 1;
        usage.ms += ms;
        if (usage.messages <= turns) usage.inTurnMs += ms;
      }
    used.delete(hub);
    return [...used.values()].reduce(
      (sum, { ms, inTurnMs }) => sum + Math.max(0, ms - Math.max(inTurnMs, unnoticed)),
      0,
    );
  }
}

/** What a hub had of a queue. */
interface Usage {
  messages: number;
  ms: number;
  /** Of its first messages, as many as are its turns. */
  inTurnMs: number;
}

export function ratioOf({ ms, fairMs }: LongestWait): number {
  return ms / fairMs;
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(1);
}

function envelopeOf(body: string, messageId: string) {
  try {
    const { id, time, detail } = JSON.parse(body) as {
      readonly id: string;
      readonly time: string;
      readonly detail: { readonly hub?: string };
    };
    return { id, publishedAt: Date.parse(time), hub: detail.hub ?? id };
  } catch {
    return { id: messageId, publishedAt: Number.NaN, hub: messageId };
  }
}
