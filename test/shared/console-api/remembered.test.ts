import { describe, expect, it } from 'vitest';
import { Remembered } from '../../../shared/console-api/remembered.ts';

function scene(readMs = 0) {
  let now = 1_000_000;
  let reads = 0;
  const remembered = new Remembered<number>();
  const read = async () => {
    now += readMs;
    reads += 1;
    return reads;
  };
  return { ask: (key = 'a') => remembered.of(key, () => now, read), pass: (ms: number) => (now += ms) };
}

describe('what is remembered', () => {
  it('is good for a second', async () => {
    const { ask, pass } = scene();
    expect([await ask(), await ask()]).toEqual([1, 1]);
    pass(999);
    expect(await ask()).toBe(1);
    pass(1);
    expect(await ask()).toBe(2);
  });

  it('is good for five times as long as it took to read', async () => {
    const { ask, pass } = scene(2000);
    expect(await ask()).toBe(1);
    pass(9999);
    expect(await ask()).toBe(1);
    pass(1);
    expect(await ask()).toBe(2);
  });

  it('is cached by key, for a few keys only', async () => {
    const { ask } = scene();
    expect([await ask('a'), await ask('b'), await ask('a')]).toEqual([1, 2, 1]);
    for (let i = 0; i < 40; i++) await ask(`other-${i}`);
    expect(await ask('a')).toBe(43);
  });

  it('is forgotten at once where reading failed', async () => {
    const remembered = new Remembered<string>();
    const failing = remembered.of(
      'a',
      () => 0,
      () => Promise.reject(new Error('away')),
    );
    await expect(failing).rejects.toThrow('away');
    expect(
      await remembered.of(
        'a',
        () => 0,
        async () => 'there',
      ),
    ).toBe('there');
  });
});
