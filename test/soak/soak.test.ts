import { describe, expect, it } from 'vitest';
import { cases } from '../depth.ts';
import { soak } from './soak.ts';

/** `npm run soak` kills a hundred times. */
const KILLS = cases({ few: 1, all: 4 });

describe('a local run that is killed again and again, while users change its hub', () => {
  it('loses nothing, does nothing twice, and deletes nothing too early or never', async () => {
    const { kills, figures, wrong } = await soak({ kills: KILLS, seed: 1, speed: 10, print: () => undefined });
    // A report of CI has the message, and of a difference its first lines only.
    expect(wrong, wrong.join('\n')).toEqual([]);
    expect(Object.values(kills).reduce((sum, count) => sum + count, 0)).toBe(KILLS);
    // Otherwise no user was active.
    expect(figures.triggers).toBeGreaterThan(10);
    expect(figures['expired by ttl']).toBeGreaterThan(0);
  });
});
