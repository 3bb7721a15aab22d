import { describe, expect, it } from 'vitest';
import { unknownQueue } from '../../../shared/bus/unknown-queue.ts';
import { count } from '../../../shared/core/count.ts';
import { isAbout } from '../../../shared/core/log-line.ts';
import { sum } from '../../../shared/core/sum.ts';

describe('texts for users', () => {
  it.each([
    [0, '0 workloads'],
    [1, '1 workload'],
    [2, '2 workloads'],
  ])('%i of them', (number, words) => {
    expect(count(number, 'workload')).toBe(words);
  });

  it('name the queue that there is not, cut short, and those that there are', () => {
    const fault = unknownQueue(`nope${'x'.repeat(100)}`, ['a', 'b']);
    expect([fault.retryClass, fault.reason]).toEqual(['terminal', 'UnknownQueue']);
    expect(fault.message).toBe(`there is no queue "nope${'x'.repeat(76)}" (there are: a, b)`);
  });
});

describe('a sum', () => {
  it('is of all, and 0 of none', () => {
    expect([sum([]), sum([1, 2, -5])]).toEqual([0, -2]);
  });
});

describe('a line of the log', () => {
  const line = { hub: 'west', name: 'demo', count: 1 };

  it.each<[string, readonly Readonly<Record<string, string>>[], boolean]>([
    ['all of its fields', [{ hub: 'west', name: 'demo' }], true],
    ['one of two inputs', [{ hub: 'east' }, { name: 'demo' }], true],
    ['one field of two', [{ hub: 'west', name: 'other' }], false],
    ['a field that it has not', [{ uid: 'u' }], false],
    ['no input', [], false],
  ])('answers a input by %s: %s', (_what, about, answers) => {
    expect(isAbout(line, about)).toBe(answers);
  });
});
