import { setImmediate as turn } from 'node:timers/promises';
import type { EventBridgeClient, PutEventsRequestEntry } from '@aws-sdk/client-eventbridge';
import { describe, expect, it } from 'vitest';
import { EventBridgeBus } from '../../../shared/aws/eventbridge-bus.ts';
import { cases } from '../../depth.ts';
import { heldMemory } from '../../fakes/held-memory.ts';
import { auditEventOf, eventList, type HookScene, hookScene } from '../../fakes/hook-scene.ts';

const token = 'the-token-of-karmada';
const BURST = cases({ few: 2400, all: 20_000 });
const BATCH = 400;
/** A quarter of them concern us, each about an object of its own. */
const OURS = BURST / 4;

/** An EventBridge that rejects a share of the entries of every call, and sometimes whole calls; by a fixed series, so that failures are reproducible. */
class ThrottlingBus {
  readonly taken = new Map<string, number>();
  calls = 0;
  #state = 20_261_121;

  async send({ input: { Entries = [] } }: { readonly input: { readonly Entries?: readonly PutEventsRequestEntry[] } }) {
    this.calls += 1;
    await turn();
    if (this.calls % 97 === 0) throw Object.assign(new Error('Rate exceeded'), { name: 'ThrottlingException' });
    const answers = Entries.map(({ Detail = '' }) => {
      if (this.#random() < 0.3) return { ErrorCode: 'ThrottlingException' };
      const { name } = JSON.parse(Detail) as { name: string };
      this.taken.set(name, (this.taken.get(name) ?? 0) + 1);
      return { EventId: 'e' };
    });
    return { FailedEntryCount: answers.filter(({ ErrorCode }) => ErrorCode !== undefined).length, Entries: answers };
  }

  #random(): number {
    this.#state = (Math.imul(this.#state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return this.#state / 0x7fffffff;
  }
}

/** One batch of an API server's: reads, other kinds and changes of rebalancers, as a policy that is too wide would report them. */
function batch(number: number): string {
  const items = Array.from({ length: BATCH }, (_, i) => {
    const event = auditEventOf(`r-${(number * BATCH + i) / 4}`, { id: `${number}-${i}` });
    if (i % 4 === 0) return event;
    return i % 4 === 1 ? { ...event, verb: 'get' } : { ...event, objectRef: { resource: 'pods', name: `p-${i}` } };
  });
  return eventList(items);
}

/** Sends a batch as an API server does: again, until it gets a success response. */
async function deliver(s: HookScene, body: string): Promise<number> {
  for (let attempts = 1; attempts <= 5; attempts += 1) {
    const { status, headers } = await s.post({ body, bearer: token });
    if (status === 200) return attempts;
    s.clock.now += Number(headers?.['retry-after']) * 1000;
  }
  throw new Error('the API server gave the batch up');
}

describe(`${BURST} audit events in a burst, with the bus throttling three entries in ten`, () => {
  it('all that concern us reach the bus, and memory stays flat', async () => {
    const client = new ThrottlingBus();
    const bus = new EventBridgeBus(client as unknown as EventBridgeClient, 'evenkeel');
    const s = hookScene({ hubs: { karmada: { hookTokens: [token] } }, bus, quiet: true });
    const held: number[] = [];
    const waiting = Array.from({ length: BURST / BATCH }, (_, i) => i);
    // Two API servers, each with a batch on its way.
    const server = async () => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        await deliver(s, batch(next));
        held.push(await heldMemory());
      }
    };
    await Promise.all([server(), server()]);
    const wanted = Array.from({ length: OURS }, (_, i) => `r-${i}`);
    expect(wanted.filter((name) => !client.taken.has(name))).toEqual([]);
    expect([...client.taken.keys()].filter((name) => !/^r-\d+$/.test(name))).toEqual([]);
    const again = [...client.taken.values()].reduce((sum, times) => sum + times - 1, 0);
    const grown = Math.max(...held) - (held[4] ?? 0);
    expect(again).toBeLessThan(OURS / 2);
    expect(grown).toBeLessThan(16);
  });
});
