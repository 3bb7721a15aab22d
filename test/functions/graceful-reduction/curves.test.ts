/** How many replicas are ready while a workload moves, with the strategy and without it: measured here, and drawn for the documentation. */
import { expect, it } from 'vitest';
import { drawCurves } from './draw-curves.ts';
import { GracefulWorld, workload } from './scene.ts';

const BEFORE_SECONDS = 2;
const AFTER_SECONDS = 33;

/** From 6 and 6 on two members to 4 on each of three, whose new pods take 20 s. */
async function rebalanced(words?: Readonly<Record<string, string>>): Promise<readonly number[]> {
  const world = new GracefulWorld(words && { words });
  await world.begin();
  await world.away();
  const before = await world.curve(BEFORE_SECONDS);
  world.create('bring-back', [workload]);
  return [...before, ...(await world.curve(AFTER_SECONDS))];
}

it('docs/images/graceful-reduction.svg shows a move that is held and one that is not, as they were measured', async () => {
  const [held, atOnce] = [await rebalanced(), await rebalanced({})];
  expect([Math.min(...held), Math.min(...atOnce)]).toEqual([12, 8]);
  const drawing = drawCurves({
    title: '12 replicas move from 6 and 6 to 4, 4 and 4; a new pod takes 20 s',
    floor: 12,
    curves: [
      { label: 'DelayWorkDeletion', color: '#0b6e4f', seen: held },
      { label: 'without it', color: '#c2410c', seen: atOnce },
    ],
  });
  await expect(drawing).toMatchFileSnapshot('../../../docs/images/graceful-reduction.svg');
});
