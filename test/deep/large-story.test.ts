import { expect, it } from 'vitest';
import { play } from '../stories/play.ts';

it('npm start plays large: 5,000 workloads with replicas, each binding patched exactly once and rescheduled, 50 chunks done', async () => {
  const { lines, cameTrue } = await play('large');
  expect(lines).toContain('  now: member1 5000, member2 5000, member3 0 (10000 of 10000 ready)');
  expect(lines.join('\n')).toMatch(
    /5000 of 5000 were rescheduled and ready within .*\n {2}now: .* \(10000 of 10000 ready\)/,
  );
  expect(lines).toContain('5000 of 5000 bindings were patched exactly once');
  expect(lines).toContain('the table shows 50 of 50 chunks done, state Finished');
  expect(cameTrue).toBe(true);
});
