/** Expected values by the definition of a Kubernetes quantity, rounded up. */
import { describe, expect, it } from 'vitest';
import { amountOf, quantityMap, quantityMilli, quantityValue } from '../../../../shared/karmada/assignment/quantity.ts';

describe('a quantity', () => {
  it.each([
    ['0', 0],
    ['2', 2000],
    ['+2', 2000],
    ['-2', -2000],
    ['1.5', 1500],
    ['1.', 1000],
    ['.5', 500],
    ['-.5', -500],
    ['.5Ki', 512e3],
    ['.5e1', 5000],
    ['100m', 100],
    ['0.1m', 1],
    ['-0.1m', 0],
    ['-1.5m', -1],
    ['1u', 1],
    ['1001u', 2],
    ['1n', 1],
    ['2k', 2e6],
    ['2M', 2e9],
    ['2G', 2e12],
    ['2T', 2e15],
    ['1P', 1e18],
    ['1E', 1e21],
    ['1Ki', 1024e3],
    ['1Mi', 1024 ** 2 * 1e3],
    ['1Gi', 1024 ** 3 * 1e3],
    ['1Ti', 1024 ** 4 * 1e3],
    ['1Pi', 1024 ** 5 * 1e3],
    ['1Ei', 1024 ** 6 * 1e3],
    ['1.5Ki', 1536e3],
    ['2e3', 2e6],
    ['2E3', 2e6],
    ['25e-1', 2500],
    ['2e+1', 20_000],
    ['1e12', 1e15],
  ])('%s is %d thousandths', (text, milli) => {
    // -0 is no other number.
    expect((quantityMilli(text) ?? Number.NaN) + 0).toBe(milli);
  });

  it.each(['', 'x', '1x', 'x1', '1 Gi', '.', '.m', 'Gi', '1K', '1ni', '1e', '1e1234', '--1', '1Gi ', ' 1'])(
    '%j is none',
    (text) => {
      expect(quantityMilli(text)).toBeUndefined();
      expect(quantityValue(text)).toBeUndefined();
    },
  );

  it.each([
    ['100m', 1],
    ['1000m', 1],
    ['1001m', 2],
    ['1Gi', 1_073_741_824],
  ])('%s is %i in whole units', (text, value) => {
    expect(quantityValue(text)).toBe(value);
  });
});

describe('the amount of a resource', () => {
  it.each<[string, Readonly<Record<string, string>> | null | undefined, number]>([
    ['cpu', { cpu: '250m' }, 250],
    ['memory', { memory: '1500m' }, 2],
    ['memory', { cpu: '1' }, 0],
    ['memory', { memory: 'much' }, 0],
    ['cpu', null, 0],
    ['cpu', undefined, 0],
  ])('%s of %j is %i', (resource, quantities, amount) => {
    expect(amountOf(resource, quantities)).toBe(amount);
  });

  it('may be a number without quotes', () => {
    expect(quantityMap.parse({ pods: 110, cpu: '4' })).toEqual({ pods: '110', cpu: '4' });
  });
});
