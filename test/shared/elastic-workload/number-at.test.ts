import { describe, expect, it } from 'vitest';
import { numberAt, withNumber } from '../../../shared/elastic-workload/number-at.ts';

describe('a number in an object', () => {
  it.each<[unknown, string, number | undefined]>([
    [{ spec: { replicas: 3 } }, '.spec.replicas', 3],
    [{ spec: { replicas: 0 } }, 'spec.replicas', 0],
    [{ spec: { replicas: '3' } }, '.spec.replicas', undefined],
    [{ spec: { replicas: { replicas: 3 } } }, '.spec.replicas', undefined],
    [{ spec: null }, '.spec.replicas', undefined],
    [{ spec: 7 }, '.spec.replicas', undefined],
    [{ spec: 'text' }, '.spec.length', undefined],
    [{}, '.spec.replicas', undefined],
    [null, '.spec', undefined],
    [undefined, '.spec', undefined],
    [7, '.spec', undefined],
  ])('%j at %s is %s', (object, path, number) => {
    expect(numberAt(object, path)).toBe(number);
  });

  it.each<[unknown, string, object]>([
    [
      { spec: { replicas: 3, other: 1 }, kind: 'Ring' },
      '.spec.replicas',
      { spec: { replicas: 5, other: 1 }, kind: 'Ring' },
    ],
    [{ a: 1 }, '.spec.size.wanted', { a: 1, spec: { size: { wanted: 5 } } }],
    [{ spec: null }, '.spec.replicas', { spec: { replicas: 5 } }],
    [{ spec: 'text' }, '.spec.replicas', { spec: { replicas: 5 } }],
    [{ spec: 7 }, '.spec.replicas', { spec: { replicas: 5 } }],
    [undefined, '.replicas', { replicas: 5 }],
    [null, '.replicas', { replicas: 5 }],
    [null, '.spec.replicas', { spec: { replicas: 5 } }],
  ])('is written into %j at %s, and nothing else', (object, path, written) => {
    const before = structuredClone(object);
    expect(withNumber(object, path, 5)).toStrictEqual(written);
    expect(object).toStrictEqual(before);
  });
});
