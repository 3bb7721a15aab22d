import { describe, expect, it } from 'vitest';
import { Pacer } from '../../../shared/adapters/kubernetes/pacing.ts';

/** A pacer on a clock of the test's, and calls that end when told to. */
function scene(max: number) {
  let now = 0;
  const waits: number[] = [];
  const cuts: number[] = [];
  const pacer = new Pacer({
    onCut: (window) => cuts.push(window),
    max,
    slowMs: 1000,
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
    pacer.run(
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
  return {
    pacer,
    call,
    end,
    waits,
    cuts,
    get most() {
      return most;
    },
    get inFlight() {
      return inFlight;
    },
  };
}

describe('pacing', () => {
  it('never has more in flight than its window', async () => {
    const s = scene(4);
    const calls = Array.from({ length: 20 }, s.call);
    for (let i = 0; i < 20; i++) await s.end();
    await Promise.all(calls);
    expect(s.most).toBe(4);
  });

  it('halves on 429, once for all the requests that were in flight together', async () => {
    const s = scene(8);
    const calls = Array.from({ length: 8 }, s.call);
    for (let i = 0; i < 8; i++) await s.end({ limited: true });
    await Promise.all(calls);
    expect(s.pacer.window).toBe(4);
  });

  it('halves on a slow answer', async () => {
    const s = scene(8);
    const call = s.call();
    await s.end({ limited: false }, 1001);
    await call;
    expect(s.pacer.window).toBe(4);
  });

  it('never goes below one, and grows back while answers are prompt', async () => {
    const s = scene(2);
    for (let i = 0; i < 5; i++) {
      const call = s.call();
      await s.end({ limited: true });
      await call;
    }
    expect(s.pacer.window).toBe(1);
    expect(s.cuts).toEqual([1]);
    const prompt = s.call();
    await s.end();
    await prompt;
    expect(s.pacer.window).toBe(2);
  });

  it('sends nothing before the time the hub asked for', async () => {
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

  it('takes a request that got no answer as a sign to slow down, and gives its room back', async () => {
    const s = scene(4);
    await expect(
      s.pacer.run(
        () => Promise.reject(new Error('reset')),
        () => ({ limited: false }),
      ),
    ).rejects.toThrow('reset');
    expect(s.pacer.window).toBe(2);
    const call = s.call();
    await s.end();
    await call;
    expect(s.inFlight).toBe(0);
  });

  it('gives up those that wait after five requests in a row without a proper answer', async () => {
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

  it('goes on for those that wait as long as some requests are answered', async () => {
    const s = scene(1);
    const calls = Array.from({ length: 20 }, s.call);
    for (let i = 0; i < 20; i++) await s.end({ limited: i % 3 !== 0 });
    expect(await Promise.all(calls)).toHaveLength(20);
  });
});
