import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CircuitBreaker } from '../../../../shared/kubernetes/client/circuit-breaker.ts';
import { ConcurrencyLimiter } from '../../../../shared/kubernetes/client/concurrency-limiter.ts';
import { LimitedHubClient } from '../../../../shared/kubernetes/client/hub-client.ts';
import type { ApiResponse } from '../../../../shared/kubernetes/client/transport.ts';
import type { Circuit } from '../../../../shared/kubernetes/hub-circuit.ts';

const reset = async (): Promise<ApiResponse> => {
  throw new Error('reset');
};
const ok = async (): Promise<ApiResponse> => ({ status: 200, body: {} });

/** A response that comes when the test lets it. */
function withheld(): PromiseWithResolvers<ApiResponse> {
  return Promise.withResolvers<ApiResponse>();
}

/** The table of circuits, and instances of functions that use it for one hub. */
function scene() {
  let now = 100_000;
  let row: Circuit | undefined;
  let reads = 0;
  let writes = 0;
  let fails = false;
  let timers: { readonly at: number; readonly run: () => void }[] = [];
  const after = (ms: number, run: () => void) => {
    const timer = { at: now + ms, run };
    timers.push(timer);
    return () => {
      timers = timers.filter((each) => each !== timer);
    };
  };
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
    const breaker = new CircuitBreaker({ hub: 'karmada', circuits, now: () => now, after });
    const send = async (): Promise<ApiResponse> => {
      sent.push(now);
      return s.respond();
    };
    const transport = { send, stream: () => Promise.reject(new Error('not of this test')), close: () => undefined };
    const client = new LimitedHubClient({ transport, limiter, breaker });
    const get = (path = '/api') =>
      client.send({ method: 'GET', path }).then(
        ({ status }) => String(status),
        (thrown: { reason?: string; message: string }) => thrown.reason ?? thrown.message,
      );
    return { s, get, client };
  };
  return {
    instance,
    /** Runs the timers that are due meanwhile, in order. */
    pass: async (ms: number) => {
      const end = now + ms;
      for (;;) {
        await turns();
        const [next] = timers.filter(({ at }) => at <= end).toSorted((a, b) => a.at - b.at);
        if (next === undefined) break;
        timers = timers.filter((each) => each !== next);
        now = Math.max(now, next.at);
        next.run();
      }
      now = end;
      await turns();
    },
    timers: () => timers.length,
    counts: () => ({ reads, writes }),
    circuit: () => row,
    breakTable: () => (fails = true),
  };
}

async function turns(): Promise<void> {
  for (let turn = 0; turn < 50; turn++) await Promise.resolve();
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
    await pass(1000);
    expect(await second.get()).toBe('reset');
    // It was open for 2 s. The next failure opens it for 4 s.
    await pass(1100);
    await first.get();
    await pass(2900);
    expect([await first.get(), await second.get()]).toEqual(['CircuitOpen', 'CircuitOpen']);
  });

  it('lets one request through when its time is over: a failure opens it for twice as long, a success closes it', async () => {
    const { instance, pass, circuit } = scene();
    const { s, get } = instance();
    s.respond = reset;
    await times(5, get);
    await pass(2000);
    expect(await times(2, get)).toEqual(['reset', 'CircuitOpen']);
    expect(circuit()).toMatchObject({ state: 'Open', openUntil: 106_000, streak: 2 });
    await pass(4000);
    s.respond = ok;
    expect(await times(3, get)).toEqual(['200', '200', '200']);
    expect(circuit()).toMatchObject({ state: 'Closed', openUntil: 106_000, streak: 2 });
    s.respond = reset;
    expect(await times(6, get)).toEqual(['reset', 'reset', 'reset', 'reset', 'reset', 'CircuitOpen']);
    expect(circuit()).toMatchObject({ openUntil: 106_000 + 8000, streak: 3 });
  });

  it('is probed by one instance, and the others send again when that got a response', async () => {
    const { instance, pass, circuit } = scene();
    const [first, second, third] = [instance(), instance(), instance()];
    first.s.respond = reset;
    await times(5, first.get);
    await pass(2000);
    const probe = withheld();
    first.s.respond = () => probe.promise;
    const [waits, shares] = [first.get(), first.get()];
    await pass(0);
    expect(circuit()).toMatchObject({ state: 'Probing', openUntil: 117_000, streak: 1 });
    expect([await second.get(), await third.get()]).toEqual(['CircuitOpen', 'CircuitOpen']);
    expect([second.s.sent, third.s.sent]).toEqual([[], []]);
    await pass(3000);
    probe.resolve(await ok());
    expect([await waits, await shares]).toEqual(['200', '200']);
    await pass(2000);
    expect([await second.get(), await third.get()]).toEqual(['200', '200']);
  });

  it('is probed by one of two instances that see its end at the same time', async () => {
    const { instance, pass, circuit } = scene();
    const both = [instance(), instance()];
    const [first, second] = both as [(typeof both)[0], (typeof both)[0]];
    first.s.respond = reset;
    await times(5, first.get);
    expect(await second.get()).toBe('CircuitOpen');
    await pass(2000);
    const sent = first.s.sent.length;
    for (const { s } of both) s.respond = () => withheld().promise;
    const results: string[] = [];
    for (const { get } of both) void get().then((result) => results.push(result));
    await pass(0);
    expect(results).toEqual(['CircuitOpen']);
    expect(first.s.sent.length - sent + second.s.sent.length).toBe(1);
    expect(circuit()).toMatchObject({ state: 'Probing', openUntil: 117_000 });
  });

  it('is opened by the first failure of a probe, whichever instance probes', async () => {
    const { instance, pass, circuit } = scene();
    const [first, second] = [instance(), instance()];
    first.s.respond = reset;
    second.s.respond = reset;
    await times(5, first.get);
    await pass(2000);
    expect(await times(2, second.get)).toEqual(['reset', 'CircuitOpen']);
    expect(circuit()).toMatchObject({ state: 'Open', openUntil: 106_000, streak: 2 });
  });

  it('is probed by another instance when the first has not ended its probe in 15 s', async () => {
    const { instance, pass, circuit } = scene();
    const [first, second] = [instance(), instance()];
    first.s.respond = reset;
    await times(5, first.get);
    await pass(2000);
    const probe = withheld();
    first.s.respond = () => probe.promise;
    const lost = first.get();
    await pass(14_999);
    expect(await second.get()).toBe('CircuitOpen');
    await pass(1);
    expect(await second.get()).toBe('200');
    expect(circuit()).toMatchObject({ state: 'Closed', openUntil: 117_000 });
    probe.resolve(await ok());
    expect(await lost).toBe('200');
    expect(circuit()).toMatchObject({ state: 'Closed', openUntil: 117_000 });
  });

  describe('of a hub that is silent', () => {
    it('opens after two seconds, and the requests in flight end', async () => {
      const { instance, pass, circuit } = scene();
      const { s, get } = instance();
      s.respond = () => withheld().promise;
      const requests = Promise.all([get(), get()]);
      await pass(1999);
      expect(circuit()).toBeUndefined();
      await pass(1);
      expect(await requests).toEqual(['CircuitOpen', 'CircuitOpen']);
      expect(circuit()).toMatchObject({ state: 'Open', openUntil: 104_000, streak: 1 });
    });

    it('stays closed while the hub responds to other requests', async () => {
      const { instance, pass, circuit, timers } = scene();
      const { s, get } = instance();
      const slow = withheld();
      s.respond = () => slow.promise;
      const waits = get();
      s.respond = ok;
      for (let i = 0; i < 5; i++) {
        await pass(1500);
        await get();
      }
      expect(circuit()).toBeUndefined();
      slow.resolve(await ok());
      expect(await waits).toBe('200');
      expect(timers()).toBe(0);
    });

    it('waits for pages of lists and for members as long as their timeouts let it', async () => {
      const { instance, pass, circuit } = scene();
      const { s, get, client } = instance();
      const slow = withheld();
      s.respond = () => slow.promise;
      const waits = [get('/bindings?limit=500'), client.behind('/proxy').send({ method: 'GET', path: '/api' })];
      await pass(60_000);
      expect(circuit()).toBeUndefined();
      slow.resolve(await ok());
      expect(await Promise.all(waits)).toMatchObject(['200', { status: 200 }]);
    });

    it.each([
      ['of an object', '/api'],
      ['of a page of a list', '/api/v1/pods?limit=500'],
    ])(
      'gives a probe %s the time that a request has, and a hub that is slow four times the time of that response',
      async (_, path) => {
        const { instance, pass, circuit } = scene();
        const { s, get } = instance();
        const after = async (ms: number, of?: string) => {
          const slow = withheld();
          s.respond = () => slow.promise;
          const waits = get(of);
          await pass(ms);
          slow.resolve(await ok());
          return waits;
        };
        expect(await after(3000)).toBe('CircuitOpen');
        await pass(2000);
        expect(await after(3000, path)).toBe('200');
        expect(circuit()).toMatchObject({ state: 'Closed', silentAfterMs: 12_000 });
        expect([await after(11_999), await after(12_000)]).toEqual(['200', 'CircuitOpen']);
      },
    );

    it('closes when a response comes after all, and waits longer from then on', async () => {
      const { instance, pass, circuit } = scene();
      const { s, get } = instance();
      const slow = withheld();
      s.respond = () => slow.promise;
      const waits = get();
      await pass(2000);
      expect([await waits, circuit()?.state]).toEqual(['CircuitOpen', 'Open']);
      await pass(500);
      slow.resolve(await ok());
      await pass(0);
      expect(circuit()).toMatchObject({ state: 'Closed', silentAfterMs: 10_000 });
      s.respond = ok;
      expect(await get()).toBe('200');
    });

    it('stays open when the request fails after all', async () => {
      const { instance, pass, circuit } = scene();
      const { s, get } = instance();
      const slow = withheld();
      s.respond = () => slow.promise;
      const waits = get();
      await pass(2000);
      expect(await waits).toBe('CircuitOpen');
      slow.reject(new Error('reset'));
      await pass(0);
      expect(circuit()?.state).toBe('Open');
    });
  });

  it('is opened once by instances that fail at the same time', async () => {
    const { instance, counts, circuit } = scene();
    const instances = Array.from({ length: 100 }, instance);
    for (const { s } of instances) s.respond = reset;
    await Promise.all(instances.map(({ get }) => times(5, get)));
    expect(counts().writes).toBe(1);
    expect(circuit()).toMatchObject({ state: 'Open', openUntil: 102_000, streak: 1 });
    expect(await Promise.all(instances.map(({ get }) => get()))).toEqual(instances.map(() => 'CircuitOpen'));
  });

  it('reads the table at most once in five seconds, whatever is requested', async () => {
    const { instance, counts, pass } = scene();
    const { get } = instance();
    await Promise.all(Array.from({ length: 20 }, get));
    await pass(4999);
    await times(20, get);
    expect(counts().reads).toBe(1);
    await pass(1);
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
    await pass(2000);
    s.respond = ok;
    expect(await get()).toBe('200');
  });
});

describe('the timers of a circuit breaker in a function', () => {
  let written: Circuit[] = [];
  const write = async (_: string, circuit: Circuit) => {
    written.push(circuit);
    return 'done' as const;
  };
  const circuits = { read: async () => undefined, write };
  beforeEach(() => {
    vi.useFakeTimers();
    written = [];
  });
  afterEach(() => void vi.useRealTimers());

  it('open it after two seconds of silence', async () => {
    const breaker = new CircuitBreaker({ hub: 'karmada', circuits, now: Date.now });
    const results: unknown[] = [];
    void breaker
      .whileResponding(withheld().promise, { isOfOneObject: true })
      .catch((thrown: unknown) => results.push(thrown));
    await vi.advanceTimersByTimeAsync(1999);
    expect(results).toEqual([]);
    await vi.advanceTimersByTimeAsync(2);
    expect(results).toMatchObject([{ reason: 'CircuitOpen' }]);
  });

  it('let a response through that arrived while the process was busy, and end with it', async () => {
    const breaker = new CircuitBreaker({ hub: 'karmada', circuits, now: Date.now });
    const response = withheld();
    const waits = breaker.whileResponding(response.promise, { isOfOneObject: true });
    setTimeout(() => response.resolve({ status: 200, body: {} }), 2000);
    await vi.advanceTimersByTimeAsync(2000);
    expect(await waits).toEqual({ status: 200, body: {} });
    await vi.advanceTimersByTimeAsync(10_000);
    expect([vi.getTimerCount(), written]).toEqual([0, []]);
    await breaker.assertClosed();
  });

  it('end with a response that arrives earlier', async () => {
    const breaker = new CircuitBreaker({ hub: 'karmada', circuits, now: Date.now });
    const response = withheld();
    const waits = breaker.whileResponding(response.promise, { isOfOneObject: true });
    await vi.advanceTimersByTimeAsync(1000);
    response.resolve({ status: 200, body: {} });
    expect(await waits).toEqual({ status: 200, body: {} });
    expect(vi.getTimerCount()).toBe(0);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(written).toEqual([]);
  });
});
