import { describe, expect, it } from 'vitest';
import { CircuitBreaker } from '../../../../shared/kubernetes/client/circuit-breaker.ts';
import { ConcurrencyLimiter } from '../../../../shared/kubernetes/client/concurrency-limiter.ts';
import { LimitedHubClient } from '../../../../shared/kubernetes/client/hub-client.ts';
import type { ApiRequest, ApiResponse } from '../../../../shared/kubernetes/client/transport.ts';
import type { Circuit } from '../../../../shared/kubernetes/hub-circuit.ts';

const request: ApiRequest = { method: 'GET', path: '/api' };
const reset = async (): Promise<ApiResponse> => {
  throw new Error('reset');
};
const ok = async (): Promise<ApiResponse> => ({ status: 200, body: {} });

/** The table of circuits, and instances of functions that use it for one hub. */
function scene() {
  let now = 100_000;
  let row: Circuit | undefined;
  let reads = 0;
  let writes = 0;
  let fails = false;
  const circuits = {
    read: async () => {
      reads += 1;
      if (fails) throw new Error('throttled');
      return row;
    },
    write: async (_: string, circuit: Circuit, before: Circuit | undefined) => {
      if (fails) throw new Error('throttled');
      if (row?.openUntil !== before?.openUntil) return 'changed' as const;
      writes += 1;
      row = circuit;
      return 'done' as const;
    },
  };
  const instance = () => {
    const sent: number[] = [];
    const s = { respond: ok, sent };
    const limiter = new ConcurrencyLimiter({ max: 4, now: () => now, wait: async () => undefined });
    const breaker = new CircuitBreaker({ hub: 'karmada', circuits, now: () => now });
    const send = async (): Promise<ApiResponse> => {
      sent.push(now);
      return s.respond();
    };
    const transport = { send, stream: () => Promise.reject(new Error('not of this test')), close: () => undefined };
    const client = new LimitedHubClient({ transport, limiter, breaker });
    const get = () =>
      client.send(request).then(
        ({ status }) => String(status),
        (thrown: { reason?: string; message: string }) => thrown.reason ?? thrown.message,
      );
    return { s, get };
  };
  return {
    instance,
    pass: (ms: number) => (now += ms),
    counts: () => ({ reads, writes }),
    circuit: () => row,
    breakTable: () => (fails = true),
  };
}

async function times(count: number, get: () => Promise<string>): Promise<readonly string[]> {
  const results: string[] = [];
  for (let i = 0; i < count; i++) results.push(await get());
  return results;
}

describe('the circuit breaker of a hub', () => {
  it('opens after five requests in a row without a proper response, and then no request is sent', async () => {
    const { instance } = scene();
    const { s, get } = instance();
    s.respond = reset;
    expect(await times(7, get)).toEqual(['reset', 'reset', 'reset', 'reset', 'reset', 'CircuitOpen', 'CircuitOpen']);
    expect(s.sent).toHaveLength(5);
  });

  it('stays closed as long as some requests are answered', async () => {
    const { instance, circuit } = scene();
    const { s, get } = instance();
    for (let i = 0; i < 12; i++) {
      s.respond = i % 5 === 4 ? ok : reset;
      await get();
    }
    expect(circuit()).toBeUndefined();
  });

  it('stops the other instances within five seconds', async () => {
    const { instance, pass } = scene();
    const [first, second] = [instance(), instance()];
    await second.get();
    first.s.respond = reset;
    second.s.respond = reset;
    await times(5, first.get);
    pass(1000);
    expect(await second.get()).toBe('reset');
    // It was open for 2 s. The next failure opens it for 4 s.
    pass(1100);
    await first.get();
    pass(2900);
    expect([await first.get(), await second.get()]).toEqual(['CircuitOpen', 'CircuitOpen']);
  });

  it('lets requests through when its time is over: one failure opens it for twice as long, one success keeps it closed', async () => {
    const { instance, pass, circuit } = scene();
    const { s, get } = instance();
    s.respond = reset;
    await times(5, get);
    pass(2000);
    expect(await times(2, get)).toEqual(['reset', 'CircuitOpen']);
    expect(circuit()).toEqual({ openUntil: 106_000, streak: 2 });
    pass(4000);
    s.respond = ok;
    expect(await times(3, get)).toEqual(['200', '200', '200']);
    s.respond = reset;
    expect(await times(4, get)).toEqual(['reset', 'reset', 'reset', 'reset']);
  });

  it('is opened once by instances that fail at the same time', async () => {
    const { instance, counts, circuit } = scene();
    const instances = Array.from({ length: 100 }, instance);
    for (const { s } of instances) s.respond = reset;
    await Promise.all(instances.map(({ get }) => times(5, get)));
    expect(counts().writes).toBe(1);
    expect(circuit()).toEqual({ openUntil: 102_000, streak: 1 });
    expect(await Promise.all(instances.map(({ get }) => get()))).toEqual(instances.map(() => 'CircuitOpen'));
  });

  it('reads the table at most once in five seconds, whatever is requested', async () => {
    const { instance, counts, pass } = scene();
    const { get } = instance();
    await Promise.all(Array.from({ length: 20 }, get));
    pass(4999);
    await times(20, get);
    expect(counts().reads).toBe(1);
    pass(1);
    await get();
    expect(counts().reads).toBe(2);
  });

  it('works in its own instance while the table does not respond', async () => {
    const { instance, breakTable, pass } = scene();
    breakTable();
    const { s, get } = instance();
    expect(await get()).toBe('200');
    s.respond = reset;
    expect((await times(6, get)).at(-1)).toBe('CircuitOpen');
    pass(2000);
    s.respond = ok;
    expect(await get()).toBe('200');
  });
});
