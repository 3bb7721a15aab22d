import { expect, it } from 'vitest';
import { workOf } from './work.ts';

/** A loop of its own, that no test before has run. */
function turns(count: number): number {
  let sum = 0;
  for (let turn = 0; turn < count; turn++) sum += turn;
  return sum;
}

it('counts each turn of a loop, the same every time', async () => {
  const once = await workOf(() => turns(1000));
  expect(await workOf(() => turns(2000))).toBe(once + 1000);
  expect(await workOf(() => turns(1000))).toBe(once);
});

it('counts what is waited for', async () => {
  const later = async (count: number) => {
    await Promise.resolve();
    turns(count);
  };
  expect((await workOf(() => later(5000))) - (await workOf(() => later(1000)))).toBe(4000);
});
