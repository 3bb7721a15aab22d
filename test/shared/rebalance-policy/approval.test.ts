import { describe, expect, it } from 'vitest';
import { approvalText, whyNotApproved } from '../../../shared/rebalance-policy/approval.ts';

const RUN = '2026-11-21T10:00:00Z-a1';

describe('a wave', () => {
  it.each([
    ['None', 0, undefined, true],
    ['None', 3, undefined, true],
    ['AfterFirstWave', 0, undefined, true],
    ['AfterFirstWave', 1, undefined, false],
    ['AfterFirstWave', 1, approvalText(RUN, 2), true],
    ['AfterFirstWave', 2, undefined, true],
    ['EachWave', 0, undefined, false],
    ['EachWave', 0, approvalText(RUN, 1), true],
    ['EachWave', 1, approvalText(RUN, 1), false],
    ['EachWave', 1, approvalText(RUN, 12), true],
    ['EachWave', 7, approvalText(RUN, 'All'), true],
    ['EachWave', 0, approvalText('2026-11-21T10:00:00Z-a', 'All'), false],
    ['EachWave', 0, approvalText('2026-11-21T10:00:00Z-a12', 1), false],
    ['EachWave', 0, RUN, false],
    ['EachWave', 0, `${RUN}/`, false],
    ['EachWave', 0, `${RUN}/-1`, false],
    ['EachWave', 0, `${RUN}/1e3`, false],
    ['EachWave', 0, `${RUN}/all`, false],
    ['EachWave', 0, 'All', false],
  ] as const)(
    'with approval %s and %i waves done, approved as %j, starts: %s',
    (approval, wavesDone, approved, starts) => {
      const why = whyNotApproved({ approval, approved }, { run: RUN, waves: 9, wavesDone });
      expect(why).toBe(starts ? undefined : `wave ${wavesDone + 1} of 9 waits for approval: evenkeel approve ${RUN}`);
    },
  );
});
