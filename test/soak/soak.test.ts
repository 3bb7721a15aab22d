import { describe, expect, it } from 'vitest';
import { soak } from './soak.ts';

/** As many as go into a minute or so; `npm run soak` kills a hundred times. */
const KILLS = 10;

describe('a local run that is killed again and again, while people are at work on its hub', () => {
  it('loses nothing, does nothing twice, and deletes nothing too early or never', async () => {
    const { kills, figures, wrong } = await soak({ kills: KILLS, seed: 1, speed: 10, print: () => undefined });
    expect(wrong).toEqual([]);
    expect(Object.values(kills).reduce((sum, count) => sum + count, 0)).toBe(KILLS);
    // Or nobody was at work.
    expect(figures.triggers).toBeGreaterThan(10);
    expect(figures['expired by ttl']).toBeGreaterThan(0);
  }, 600_000);
});
