import { describe, expect, it } from 'vitest';
import { eachAtOnce, tryEach } from '../../../shared/core/each-at-once.ts';
import { Fault } from '../../../shared/core/fault.ts';

const fault = new Fault('terminal', 'invalid', { reason: 'Invalid' });
const act = async (item: number): Promise<number> => {
  if (item === 2) throw fault;
  return item * 10;
};

describe('an action for each item', () => {
  it('fails as a whole, or only for its own item', async () => {
    await expect(eachAtOnce([1, 2, 3], 2, act)).rejects.toBe(fault);
    expect(await tryEach([1, 2, 3], 2, act)).toEqual([
      { item: 1, value: 10 },
      { item: 2, fault },
      { item: 3, value: 30 },
    ]);
  });

  it.each([1, 2, 9])('runs for at most %i items at once', async (atOnce) => {
    let [running, most] = [0, 0];
    await tryEach([1, 2, 3, 4, 5], atOnce, async () => {
      most = Math.max(most, ++running);
      await Promise.resolve();
      running--;
    });
    expect(most).toBe(Math.min(atOnce, 5));
  });
});
