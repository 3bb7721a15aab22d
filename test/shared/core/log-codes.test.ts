import { describe, expect, it } from 'vitest';
import { logCodes } from '../../../shared/core/log-codes.ts';

/** The codes by level, in the order of the codes. */
const byLevel = Object.groupBy(Object.keys(logCodes).sort(), (code) => logCodes[code as keyof typeof logCodes].level);

describe('a log line', () => {
  it('is an error if a function gave up: an operator must act', () => {
    expect(byLevel.error).toEqual(['EK002', 'EK003', 'EK201', 'EK202', 'EK320', 'EK331']);
  });

  it('is a warning if it resolves by itself, or waits for the author of an invalid object', () => {
    expect(byLevel.warn).toEqual([
      ...[
        'EK001',
        'EK004',
        'EK005',
        'EK101',
        'EK103',
        'EK200',
        'EK203',
        'EK204',
        'EK300',
        'EK310',
        'EK311',
        'EK312',
        'EK321',
        'EK330',
        'EK340',
        'EK402',
        'EK501',
      ],
    ]);
  });

  it('is info otherwise', () => {
    expect(Object.keys(byLevel).sort()).toEqual(['error', 'info', 'warn']);
    expect(byLevel.info).toContain('EK000');
  });
});
