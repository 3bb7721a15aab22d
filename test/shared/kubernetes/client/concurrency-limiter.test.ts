import { describe, expect, it } from 'vitest';
import { ConcurrencyLimiter } from '../../../../shared/kubernetes/client/concurrency-limiter.ts';
import type { Share } from '../../../../shared/kubernetes/hub-budget.ts';

/** A concurrency limiter on a manual clock, and calls that end when the test ends them. */
function scene(max: number, timeLeft?: () => number, share?: () => Promise<Share>) {
  let now = 0;
  const waits: number[] = [];
  const cuts: number[] = [];
  const limiter = new ConcurrencyLimiter({
    onCut: (window) => cuts.push(window),
    max,
    timeLeft,
    share,
    now: () => now,
    wait: async (ms) => {
      waits.push(ms);
      now += ms;
    },
  });
  const ends: ((answer: { limited: boolean; retryAfterMs?: number }) => void)[] = [];
  let inFlight = 0;
  let most = 0;
  const call = () =>
    limiter.run(
      () => {
        inFlight += 1;
        most = Math.max(most, inFlight);
        return new Promise<{ limited: boolean; retryAfterMs?: number }>((resolve) => ends.push(resolve));
      },
      (answer) => {
        inFlight -= 1;
        return answer;
      },
    );
  const end = async (answer: { limited: boolean; retryAfterMs?: number } = { limited: false }, ms = 10) => {
    for (let turn = 0; turn < 10; turn++) await Promise.resolve();
    now += ms;
    ends.shift()?.(answer);
    for (let turn = 0; turn < 10; turn++) await Promise.resolve();
  };
  const answered = async (ms: number) => {
    const call = s.call();
    await s.end({ limited: false }, ms);
    await call;
  };
  /** Responses after which the window is the maximum. */
  const started = async (ms = 10) => {
    while (limiter.window < max) await answered(ms);
    return s;
  };
  const s = {
    limiter,
    call,
    end,
    answered,
    started,
    waits,
    cuts,
    pass: (ms: number) => void (now += ms),
    get most() {
      return most;
    },
    get inFlight() {
      return inFlight;
    },
    get now() {
      return now;
    },
  };
  return s;
}

function reasonOf(call: Promise<unknown>): Promise<string> {
  return call.then(
    () => 'answered',
    (fault: { reason: string }) => fault.reason,
  );
}

describe('the concurrency limiter in an invocation whose time runs out', () => {
  it('sends nothing in its last ten seconds, and takes that for no sign of the hub', async () => {
    let left = 10_000;
    const s = await scene(16, () => left).started();
    left = 9999;
    expect(await reasonOf(s.call())).toBe('DeadlineExceeded');
    expect([s.inFlight, s.limiter.window]).toEqual([0, 16]);
  });

  it('fails waiting requests when their time is over, even if other requests are still in flight', async () => {
    let left = 60_000;
    const s = scene(2, () => left);
    const others = [s.call(), s.call()];
    left = 12_000;
    const waiting = reasonOf(s.call());
    await s.end({ limited: false }, 8000);
    expect(await waiting).toBe('DeadlineExceeded');
    await s.end();
    await Promise.all(others);
    expect(s.most).toBe(2);
  });

  it('does not wait for a Retry-After that is longer than the time left', async () => {
    const s = scene(2, () => 12_000);
    const limited = s.call();
    await s.end({ limited: true, retryAfterMs: 9000 });
    await limited;
    expect(await reasonOf(s.call())).toBe('DeadlineExceeded');
    expect(s.waits).toEqual([]);
  });

  it('passes each request its timeout: the time left minus five seconds', async () => {
    const s = scene(2, () => 13_000);
    const given = await s.limiter.run(
      async (ms) => ms,
      () => ({ limited: false }),
    );
    expect(given).toBe(8000);
  });
});

describe('the concurrency limiter', () => {
  it('never has more in flight than its window', async () => {
    const s = scene(4);
    const calls = Array.from({ length: 20 }, s.call);
    for (let i = 0; i < 20; i++) await s.end();
    await Promise.all(calls);
    expect(s.most).toBe(4);
  });

  it('begins with four in flight, and adds one per fast response', async () => {
    const s = scene(16);
    const windows = [s.limiter.window];
    for (let i = 0; i < 14; i++) {
      await s.answered(10);
      windows.push(s.limiter.window);
    }
    expect(windows).toEqual([4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 16, 16]);
    expect(scene(3).limiter.window).toBe(3);
  });

  it('adds one per window of fast responses after a cut', async () => {
    const s = await scene(16).started();
    const limited = s.call();
    await s.end({ limited: true });
    await limited;
    for (let i = 0; i < 7; i++) await s.answered(10);
    expect(s.limiter.window).toBe(8);
    await s.answered(10);
    expect(s.limiter.window).toBe(9);
  });

  it('begins again after a minute without a request, and not before, nor with more than it had', async () => {
    const s = await scene(16).started();
    s.pass(59_999);
    await s.answered(10);
    expect(s.limiter.window).toBe(16);
    s.pass(60_000);
    await s.answered(10);
    expect(s.limiter.window).toBe(5);
    for (let i = 0; i < 4; i++) {
      const limited = s.call();
      await s.end({ limited: true });
      await limited;
    }
    expect(s.limiter.window).toBe(1);
    s.pass(60_000);
    await s.answered(10);
    expect(s.limiter.window).toBe(2);
  });

  it('halves on 429, once for all the requests that were in flight together', async () => {
    const s = await scene(8).started();
    const calls = Array.from({ length: 8 }, s.call);
    for (let i = 0; i < 8; i++) await s.end({ limited: true });
    await Promise.all(calls);
    expect(s.limiter.window).toBe(4);
  });

  it('halves the limit on 429 even without a listener', async () => {
    const limiter = new ConcurrencyLimiter({ max: 4, now: () => 0, wait: async () => undefined });
    const answer = { limited: true };
    expect(
      await limiter.run(
        async () => answer,
        (each) => each,
      ),
    ).toBe(answer);
    expect(limiter.window).toBe(2);
  });

  it('halves the limit on an answer of more than a second, from a hub that was faster', async () => {
    const s = await scene(16).started();
    await s.answered(1001);
    expect(s.limiter.window).toBe(8);
  });

  it('keeps four in flight, or a quarter of the most, however slow the hub gets', async () => {
    for (const [max, floor] of [
      [3, 3],
      [16, 4],
      [64, 16],
    ] as const) {
      const s = await scene(max).started();
      await s.answered(10);
      for (let i = 0; i < 6; i++) await s.answered(1500);
      expect(s.limiter.window).toBe(floor);
    }
  });

  it('keeps the limit for a hub whose answers are all slow', async () => {
    const s = await scene(16).started(1500);
    for (let i = 0; i < 100; i++) await s.answered(i % 2 === 0 ? 1500 : 2500);
    expect(s.cuts).toEqual([]);
  });

  it('grows back for a hub that became slow and stays so', async () => {
    const s = await scene(16).started();
    for (let i = 0; i < 6; i++) await s.answered(1500);
    expect(s.limiter.window).toBe(4);
    for (let i = 0; i < 200; i++) await s.answered(1500);
    expect(s.limiter.window).toBe(16);
  });

  it('compares a response with those of the last ten seconds, and of the ten before', async () => {
    const s = await scene(16).started(10);
    const first = 10;
    const answeredAt = async (at: number) => {
      s.pass(at - 1500 - s.now);
      await s.answered(1500);
    };
    await answeredAt(first + 10_000);
    expect(s.cuts).toEqual([8]);
    await answeredAt(first + 20_000);
    expect(s.cuts).toEqual([8]);
  });

  it('still decreases the limit to one for 429s, also for a slow hub', async () => {
    const s = await scene(16).started(2500);
    for (let i = 0; i < 6; i++) {
      const call = s.call();
      await s.end({ limited: true }, 2500);
      await call;
    }
    expect(s.limiter.window).toBe(1);
  });

  it('never goes below one, and grows back while answers are prompt', async () => {
    const s = scene(2);
    for (let i = 0; i < 5; i++) {
      const call = s.call();
      await s.end({ limited: true });
      await call;
    }
    expect(s.limiter.window).toBe(1);
    expect(s.cuts).toEqual([1]);
    const prompt = s.call();
    await s.end();
    await prompt;
    expect(s.limiter.window).toBe(2);
  });

  it('sends nothing before the time in the Retry-After of the hub', async () => {
    const s = scene(2);
    const limited = s.call();
    await s.end({ limited: true, retryAfterMs: 3000 });
    await limited;
    const next = s.call();
    for (let turn = 0; turn < 5; turn++) await Promise.resolve();
    await s.end();
    await next;
    expect(s.waits).toEqual([3000]);
  });

  it('lowers the limit after a request without an answer, and frees its slot', async () => {
    const s = scene(4);
    await expect(
      s.limiter.run(
        () => Promise.reject(new Error('reset')),
        () => ({ limited: false }),
      ),
    ).rejects.toThrow('reset');
    expect(s.limiter.window).toBe(2);
    const call = s.call();
    await s.end();
    await call;
    expect(s.inFlight).toBe(0);
  });

  it('fails waiting requests after five requests in a row without a proper answer', async () => {
    const s = scene(1);
    const calls = Array.from({ length: 20 }, () =>
      s.call().then(
        () => 'answered',
        (fault: { reason: string }) => fault.reason,
      ),
    );
    for (let i = 0; i < 5; i++) await s.end({ limited: true });
    const outcomes = await Promise.all(calls);
    expect(outcomes.filter((outcome) => outcome === 'answered')).toHaveLength(5);
    expect(outcomes.filter((outcome) => outcome === 'HubOverloaded')).toHaveLength(15);
  });

  it('keeps waiting requests as long as some requests are answered', async () => {
    const s = scene(1);
    const calls = Array.from({ length: 20 }, s.call);
    for (let i = 0; i < 20; i++) await s.end({ limited: i % 3 !== 0 });
    expect(await Promise.all(calls)).toHaveLength(20);
  });
});

describe("the concurrency limiter with a share of the hub's budget", () => {
  const sharing = (...shares: readonly (Share | 'fails')[]) => {
    let asked = 0;
    const s = scene(16, undefined, async () => {
      const share = shares[asked++];
      if (share === undefined || share === 'fails') throw new Error('throttled');
      return share;
    });
    const some = async (count: number) => {
      const calls = Array.from({ length: count }, s.call);
      for (let i = 0; i < count; i++) await s.end();
      await Promise.all(calls);
    };
    return { s, some, asked: () => asked };
  };

  it('has four in flight and asks for nothing while few requests wait', async () => {
    const { s, some, asked } = sharing();
    for (let i = 0; i < 10; i++) await some(11);
    expect([s.most, asked()]).toEqual([4, 0]);
  });

  it('asks once when many wait, and grows up to its share', async () => {
    const { s, some, asked } = sharing({ most: 16, forMs: 10_000 });
    await some(100);
    expect([s.most, asked()]).toEqual([16, 1]);
  });

  it('goes on with one in flight if the others have taken all, and asks again when that period is over', async () => {
    const { s, some, asked } = sharing({ most: 1, forMs: 5000 }, { most: 16, forMs: 5000 });
    const calls = Array.from({ length: 30 }, s.call);
    for (let i = 0; i < 4; i++) await s.end();
    expect([s.inFlight, asked()]).toEqual([1, 1]);
    for (let i = 4; i < 30; i++) await s.end();
    await Promise.all(calls);
    expect(asked()).toBe(1);
    s.pass(5000);
    await some(100);
    expect([s.most, asked()]).toEqual([16, 2]);
  });

  it('has four in flight again when its period is over, until it has asked again', async () => {
    const { s, some, asked } = sharing({ most: 16, forMs: 5000 });
    await some(100);
    s.pass(5000);
    expect([s.limiter.window, asked()]).toEqual([4, 1]);
  });

  it('has four in flight if the table does not respond, and asks again after ten seconds', async () => {
    const { s, some, asked } = sharing('fails', 'fails');
    await some(100);
    expect([s.most, asked()]).toEqual([4, 1]);
    s.pass(10_000);
    await some(100);
    expect([s.most, asked()]).toEqual([4, 2]);
  });
});
