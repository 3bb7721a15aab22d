import { describe, expect, it } from 'vitest';
import { logCodes } from '../../../shared/model/log-codes.ts';

/** By what they are told as, in the order of codes. */
const told = Object.groupBy(Object.keys(logCodes).sort(), (code) => logCodes[code as keyof typeof logCodes].level);

describe('a line of the log', () => {
  it('is an error where something was given up: a person has to look', () => {
    expect(told.error).toEqual(['EK002', 'EK201', 'EK320']);
  });

  it('is a warning where it goes on by itself, or waits for whoever wrote what cannot be done', () => {
    expect(told.warn).toEqual([
      ...['EK001', 'EK101', 'EK103', 'EK200', 'EK300', 'EK310', 'EK311', 'EK321', 'EK330', 'EK340', 'EK402', 'EK501'],
    ]);
  });

  it('is else only for whoever asks', () => {
    expect(Object.keys(told).sort()).toEqual(['error', 'info', 'warn']);
    expect(told.info).toContain('EK000');
  });
});
