import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { wholeNumber } from '../../../shared/console-api/operation.ts';

describe('a whole number of a query', () => {
  it.each([
    [7, 7],
    ['7', 7],
    ['100', 100],
    [1, 1],
    ['0', undefined],
    ['101', undefined],
    ['7x', undefined],
    ['x7', undefined],
    ['1e1', undefined],
    ['', undefined],
    [1.5, undefined],
    ['0000000007', undefined],
    [null, undefined],
  ])('from 1 to 100 is read from %j as %j', (given, expected) => {
    const parsed = z.safeParse(wholeNumber(1, 100), given);
    expect(parsed.data).toBe(expected);
  });

  it('is rejected with the reason if it is another text', () => {
    const { error } = z.safeParse(wholeNumber(1, 100), '7x');
    expect(JSON.stringify(error?.issues)).toContain('is not a whole number');
  });
});
