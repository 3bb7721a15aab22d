import { describe, expect, it } from 'vitest';
import { ageOf, bindingOf, countdownTo, durationOf, keyOf, nameOf, plural, signed } from '../../console/format.ts';

const noon = '2026-11-22T12:00:00Z';
const at = (seconds: number) => Date.parse(noon) + seconds * 1000;

describe('times and durations', () => {
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

  it('are now if their clock is ahead of ours', () => {
    expect(ageOf(noon, at(-30))).toBe('now');
    expect(ageOf(noon, at(4))).toBe('4 s ago');
  });

  it('count down in seconds within an hour, and end as due', () => {
    expect(countdownTo(noon, at(-249))).toBe('4:09');
    expect(countdownTo(noon, at(-0.4))).toBe('0:01');
    expect(countdownTo(noon, at(-7500))).toBe('2 h 05');
    expect(countdownTo(noon, at(0))).toBe('due');
    expect(countdownTo(noon, at(90))).toBe('due');
  });

  it('are a dash if they are invalid', () => {
    expect(ageOf('soon', at(0))).toBe('–');
    expect(countdownTo('', at(0))).toBe('–');
  });
});

describe('numbers and names', () => {
  it('show a change with its sign, and nothing for no change', () => {
    expect([3, -2, 0].map(signed)).toEqual(['+3', '−2', '']);
  });

  it('use the singular for one', () => {
    expect(plural(1, 'replica')).toBe('1 replica');
    expect(plural(0, 'replica')).toBe('0 replicas');
    expect(plural(2, 'entry', 'entries')).toBe('2 entries');
  });

  it('omit an empty namespace', () => {
    expect(nameOf({ kind: 'ClusterRole', namespace: '', name: 'viewer' })).toBe('ClusterRole viewer');
    expect(keyOf({ namespace: 'shop', name: 'web' })).toBe('shop/web');
  });

  it('name a binding as Karmada does', () => {
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
