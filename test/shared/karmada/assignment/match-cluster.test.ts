import { describe, expect, it } from 'vitest';
import {
  matchesAffinity,
  matchesLabels,
  taintText,
  toleratedUntil,
  tolerationsOf,
} from '../../../../shared/karmada/assignment/match-cluster.ts';

type Affinity = Parameters<typeof matchesAffinity>[0];
type Selector = Parameters<typeof matchesLabels>[0];
type Toleration = Parameters<typeof tolerationsOf>[1][number];

const m1 = { name: 'm1', labels: { tier: 'front', free: '' }, provider: 'aws', region: 'eu', zones: ['a', 'b'] };
const field = (key: string, operator: string, ...values: string[]) =>
  ({ fieldSelector: { matchExpressions: [{ key, operator, values }] } }) as Affinity;

describe('an affinity', () => {
  it.each<[string, Affinity, boolean]>([
    ['that names nothing', {}, true],
    ['without cluster names', { clusterNames: [] }, true],
    ['that names it', { clusterNames: ['m0', 'm1'] }, true],
    ['that names another', { clusterNames: ['m2'] }, false],
    ['that names and excludes it', { clusterNames: ['m1'], exclude: ['m1'] }, false],
    ['that excludes another', { exclude: ['m2'] }, true],
    ['by its label', { labelSelector: { matchLabels: { tier: 'front' } } }, true],
    ['by another label', { labelSelector: { matchLabels: { tier: 'back' } } }, false],
    ['by its provider', field('provider', 'In', 'gcp', 'aws'), true],
    ['by another provider', field('provider', 'NotIn', 'aws'), false],
    ['by its region', field('region', 'In', 'eu'), true],
    ['by another region', field('region', 'In', 'us'), false],
    ['by one of its zones', field('zone', 'In', 'b', 'c'), true],
    ['by none of its zones', field('zone', 'In', 'c'), false],
    ['without one of its zones', field('zone', 'NotIn', 'b'), false],
    ['without other zones', field('zone', 'NotIn', 'c'), true],
    ['by a field that there is not', field('planet', 'Exists'), false],
  ])('%s', (_what, affinity, matches) => {
    expect(matchesAffinity(affinity, m1)).toBe(matches);
  });

  it.each([
    ['In', false],
    ['NotIn', true],
    ['Exists', false],
    ['DoesNotExist', true],
  ])('by %s of a zone: of a cluster without zones %s', (operator, matches) => {
    expect(matchesAffinity(field('zone', operator, 'a'), { name: 'm1', zones: [] })).toBe(matches);
    expect(matchesAffinity(field('zone', operator, 'a'), { name: 'm1' })).toBe(matches);
  });

  it('by a label, of a cluster without labels, does not match', () => {
    expect(matchesAffinity({ labelSelector: { matchLabels: { tier: 'front' } } }, { name: 'm1' })).toBe(false);
  });
});

describe('a label selector with a key that every JavaScript object inherits', () => {
  const keys = ['constructor', 'toString', 'hasOwnProperty', '__proto__'];

  it.each(keys)('does not find %s on a cluster without that label', (key) => {
    expect(matchesLabels({ matchExpressions: [{ key, operator: 'Exists' }] }, {})).toBe(false);
    expect(matchesLabels({ matchExpressions: [{ key, operator: 'DoesNotExist' }] }, {})).toBe(true);
  });

  it('finds the label constructor on a cluster that has it', () => {
    const acme = Object.fromEntries([['constructor', 'acme']]);
    expect(matchesLabels({ matchLabels: acme }, acme)).toBe(true);
  });
});

describe('a label selector', () => {
  const by = (key: string, operator: string, ...values: string[]) =>
    ({ matchExpressions: [{ key, operator, values }] }) as Selector;

  it.each<[Selector, boolean]>([
    [{}, true],
    [{ matchLabels: { tier: 'front', free: '' } }, true],
    [{ matchLabels: { tier: 'front', free: 'x' } }, false],
    [by('tier', 'In', 'back', 'front'), true],
    [by('tier', 'In', 'back'), false],
    [by('none', 'In', 'front'), false],
    [by('tier', 'NotIn', 'front'), false],
    [by('tier', 'NotIn', 'back'), true],
    [by('none', 'NotIn', 'front'), true],
    [by('free', 'Exists'), true],
    [by('none', 'Exists'), false],
    [by('none', 'DoesNotExist'), true],
    [by('free', 'DoesNotExist'), false],
    [by('none', 'Near'), false],
    [{ matchLabels: { tier: 'front' }, matchExpressions: [{ key: 'tier', operator: 'In' }] }, false],
    [{ matchExpressions: [{ key: 'tier', operator: 'NotIn' }] }, true],
  ])('%j: %s', (selector, matches) => {
    expect(matchesLabels(selector, m1.labels)).toBe(matches);
  });
});

describe('a toleration of gpu=yes:NoSchedule', () => {
  const taint = { key: 'gpu', value: 'yes', effect: 'NoSchedule' };

  it.each<[Toleration, boolean]>([
    [{ key: 'gpu', operator: 'Exists' }, true],
    [{ operator: 'Exists' }, true],
    [{ key: 'gpu', operator: 'Exists', effect: 'NoSchedule' }, true],
    [{ key: 'gpu', operator: 'Exists', effect: 'NoExecute' }, false],
    [{ key: 'cpu', operator: 'Exists' }, false],
    [{ key: 'gpu', operator: 'Equal', value: 'yes' }, true],
    [{ key: 'gpu', value: 'yes' }, true],
    [{ key: 'gpu', operator: 'Equal', value: 'no' }, false],
    [{ key: 'gpu', operator: 'Equal' }, false],
    [{ value: 'yes' }, false],
    [{ key: 'gpu', operator: 'Gt', value: 'yes' }, false],
  ])('%j: %s', (toleration, tolerates) => {
    expect(tolerationsOf(taint, [toleration])).toEqual(tolerates ? [toleration] : []);
  });

  it('without a value is that of a taint without one', () => {
    expect(tolerationsOf({ ...taint, value: '' }, [{ key: 'gpu' }])).toEqual([{ key: 'gpu' }]);
  });

  it('is about a taint that is written as kubectl does', () => {
    expect([taintText(taint), taintText({ ...taint, value: '' })]).toEqual(['gpu=yes:NoSchedule', 'gpu:NoSchedule']);
  });
});

describe('an eviction by a taint', () => {
  const since = Date.parse('2026-11-28T10:00:00Z');
  const taint = { key: 'k', value: '', effect: 'NoExecute', timeAdded: '2026-11-28T10:00:00Z' };
  const tolerated = (...seconds: readonly (number | undefined)[]) =>
    seconds.map((tolerationSeconds): Toleration => ({ key: 'k', operator: 'Exists', tolerationSeconds }));

  it.each<[string, readonly Toleration[], number]>([
    ['comes at once without a toleration', [], since],
    ['comes after the seconds of a toleration', tolerated(300), since + 300_000],
    ['comes after the shortest of several', tolerated(300, 60, undefined), since + 60_000],
    ['comes at once with negative seconds', tolerated(-5), since],
    ['never comes with a toleration without seconds', tolerated(undefined), Number.POSITIVE_INFINITY],
    ['is not delayed by the toleration of another taint', [{ key: 'other', operator: 'Exists' }], since],
  ])('%s', (_, tolerations, until) => {
    expect(toleratedUntil(taint, tolerations)).toBe(until);
  });

  it('waits for a default without a toleration only', () => {
    expect(toleratedUntil(taint, [], 1000)).toBe(since + 1000);
    expect(toleratedUntil(taint, tolerated(60), 1000)).toBe(since + 60_000);
  });

  it('comes at once by a taint without a time', () => {
    expect(toleratedUntil({ ...taint, timeAdded: undefined }, tolerated(60))).toBe(60_000);
  });
});
