import { describe, expect, it } from 'vitest';
import { isLaterVersion } from '../../../shared/kubernetes/resource-version.ts';

describe('the order of two resourceVersions', () => {
  it.each([
    ['101', '100', true],
    ['100', '101', false],
    ['100', '100', false],
    ['1000', '999', true],
    ['9007199254740993', '9007199254740992', true],
    ['v2', '1', undefined],
    ['2', '', undefined],
    ['02', '1', undefined],
    ['0', '1', undefined],
    ['2', undefined, undefined],
    [undefined, '2', undefined],
  ])('%s is later than %s: %s', (a, b, expected) => {
    expect(isLaterVersion(a, b)).toBe(expected);
  });
});
