import { describe, expect, it } from 'vitest';
import { ageOf, bindingOf, countdownTo, durationOf, keyOf, nameOf, plural, signed } from '../../console/format.ts';

const noon = '2026-11-22T12:00:00Z';
const at = (seconds: number) => Date.parse(noon) + seconds * 1000;

describe('times as a person reads them', () => {
  it.each([
    [0, '0 s'],
    [-5000, '0 s'],
    [59_999, '59 s'],
    [60_000, '1 min'],
    [3_599_000, '59 min'],
    [3_600_000, '1 h 00'],
    [7_500_000, '2 h 05'],
    [86_400_000 * 6 + 5, '6 d'],
  ])('%d ms is %s', (ms, text) => {
    expect(durationOf(ms)).toBe(text);
  });

  it('says now for what was stamped by a clock ahead of ours', () => {
    expect(ageOf(noon, at(-30))).toBe('now');
    expect(ageOf(noon, at(4))).toBe('4 s ago');
  });

  it('counts down to the second within an hour, and says due at the end', () => {
    expect(countdownTo(noon, at(-249))).toBe('4:09');
    expect(countdownTo(noon, at(-0.4))).toBe('0:01');
    expect(countdownTo(noon, at(-7500))).toBe('2 h 05');
    expect(countdownTo(noon, at(0))).toBe('due');
    expect(countdownTo(noon, at(90))).toBe('due');
  });

  it('shows a dash for what is no time', () => {
    expect(ageOf('soon', at(0))).toBe('–');
    expect(countdownTo('', at(0))).toBe('–');
  });
});

describe('numbers and names', () => {
  it('shows a change with its sign, and nothing for none', () => {
    expect([3, -2, 0].map(signed)).toEqual(['+3', '−2', '']);
  });

  it('counts one as one', () => {
    expect(plural(1, 'replica')).toBe('1 replica');
    expect(plural(0, 'replica')).toBe('0 replicas');
    expect(plural(2, 'entry', 'entries')).toBe('2 entries');
  });

  it('leaves out the namespace of what has none', () => {
    expect(nameOf({ kind: 'ClusterRole', namespace: '', name: 'viewer' })).toBe('ClusterRole viewer');
    expect(keyOf({ namespace: 'shop', name: 'web' })).toBe('shop/web');
  });

  it('names a binding as Karmada does', () => {
    expect(bindingOf({ kind: 'Deployment', namespace: 'shop', name: 'web' })).toEqual({
      namespace: 'shop',
      name: 'web-deployment',
    });
    expect(bindingOf({ kind: 'ClusterRole', namespace: '', name: 'system:viewer' })).toEqual({
      namespace: '',
      name: 'system.viewer-clusterrole',
    });
  });
});
