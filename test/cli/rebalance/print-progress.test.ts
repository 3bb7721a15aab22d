import { describe, expect, it } from 'vitest';
import type { Progress } from '../../../cli/rebalance/follow-rebalance.ts';
import { progressLine, progressText } from '../../../cli/rebalance/print-progress.ts';

const plain = (text: string) => text;
const colours = { bold: plain, dim: plain, red: plain, yellow: plain, green: plain };

function progress(rescheduled: number, triggered: number, waiting: number, failed: number): Progress {
  const counts = { rescheduled, triggered, waiting, failed };
  return { total: rescheduled + triggered + waiting + failed, counts, progresses: new Map(), gone: false };
}

const line = (seen: Progress, width: number) => progressLine(seen, { width, ms: 4200, colours });

describe('the progress of a rebalance', () => {
  it('shows the counts that are not zero', () => {
    expect(progressText(progress(12, 20, 6, 2))).toBe('12 of 40 rescheduled, 20 triggered, 6 waiting, 2 failed');
    expect(progressText(progress(40, 0, 0, 0))).toBe('40 of 40 rescheduled');
  });

  it('shows the last counts if the hub does not answer', () => {
    expect(progressText({ ...progress(1, 1, 0, 0), unread: 'no answer in time' })).toBe(
      '1 of 2 rescheduled, 1 triggered (the hub does not answer)',
    );
  });

  it('is a bar of the states on a terminal', () => {
    expect(line(progress(16, 8, 6, 2), 100)).toBe(
      '████████████████▒▒▒▒▒▒▒▒××······  16 of 32 rescheduled, 8 triggered, 6 waiting, 2 failed  4 s',
    );
  });

  it('shows one failure among thousands', () => {
    expect(line(progress(4999, 0, 0, 1), 100)).toBe(`${'█'.repeat(31)}×  4999 of 5000 rescheduled, 1 failed  4 s`);
  });

  it('fits every terminal, and leaves the last column free', () => {
    for (const seen of [progress(16, 8, 6, 2), progress(0, 0, 1, 0), progress(1, 1, 1, 4997)])
      for (let width = 5; width < 120; width += 1) expect(line(seen, width).length).toBeLessThan(width);
  });

  it('has no bar on a terminal that is too narrow', () => {
    expect(line(progress(2, 0, 0, 0), 33)).toBe('2 of 2 rescheduled  4 s');
    expect(line(progress(2, 0, 0, 0), 34)).toBe('████████  2 of 2 rescheduled  4 s');
  });
});
