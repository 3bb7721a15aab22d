import { describe, expect, it } from 'vitest';
import { aligned, cut } from '../../cli/aligned.ts';
import { wantsColour, widthOf } from '../../cli/terminal.ts';

describe('colour', () => {
  it.each([
    ['on a terminal', true, {}, true],
    ['not in a pipe', false, {}, false],
    ['not where nothing is said of a terminal', undefined, {}, false],
    ['not in a pipe of a CI run', false, { CI: 'true' }, false],
    ['not where NO_COLOR says so', true, { NO_COLOR: '1' }, false],
    ['on a terminal where NO_COLOR is empty, which says nothing', true, { NO_COLOR: '' }, true],
    ['in a pipe where FORCE_COLOR says so', false, { FORCE_COLOR: '1' }, true],
    ['not where FORCE_COLOR is 0', true, { FORCE_COLOR: '0' }, false],
    ['not where both say something: NO_COLOR wins', false, { NO_COLOR: '1', FORCE_COLOR: '1' }, false],
    ['not on a dumb terminal', true, { TERM: 'dumb' }, false],
  ])('comes %s', (_, isTTY, env, expected) => {
    expect(wantsColour({ isTTY }, env)).toBe(expected);
  });
});

describe('the width', () => {
  it.each([
    ['of a terminal is what it says', { isTTY: true, columns: 80 }, 80],
    ['of a terminal that says 0, as some do, is not known', { isTTY: true, columns: 0 }, undefined],
    ['of a pipe is endless', { isTTY: false, columns: 80 }, undefined],
  ])('%s', (_, stream, expected) => {
    expect(widthOf(stream)).toBe(expected);
  });
});

describe('a table', () => {
  const rows = [
    ['NAME', 'COUNT', 'REASON'],
    ['web-deployment', '12', 'the scheduler found no place for it'],
  ];

  it('has its columns two spaces apart, numbers at the right', () => {
    expect(aligned(rows, { right: [1], width: undefined })).toEqual([
      'NAME            COUNT  REASON',
      'web-deployment     12  the scheduler found no place for it',
    ]);
  });

  it('is cut in its free text to fit a terminal', () => {
    const lines = aligned(rows, { right: [1], text: 2, width: 40 });
    expect(lines[1]).toBe('web-deployment     12  the scheduler fo…');
    expect(lines.map((line) => line.length <= 40)).toEqual([true, true]);
  });

  it('is never cut where it has no free text: half a name is none', () => {
    expect(aligned(rows, { width: 20 })[1]).toBe('web-deployment  12     the scheduler found no place for it');
  });

  it('keeps some of the text, however narrow the terminal is', () => {
    expect(aligned(rows, { text: 2, width: 10 })[1]).toBe('web-deployment  12     the schedul…');
  });

  it('is cut in the first of two texts first', () => {
    const two = [
      ['A', 'B'],
      ['one text that is long', 'another text that is long'],
    ];
    expect(aligned(two, { text: [1, 0], width: 45 })[1]).toBe('one text that is long  another text that is…');
    expect(aligned(two, { text: [1, 0], width: 30 })[1]).toBe('one text that i…  another tex…');
  });

  it('of no rows is no lines', () => {
    expect(aligned([], { text: 0, width: 10 })).toEqual([]);
  });
});

describe('a text', () => {
  it.each([
    ['that fits', 'abc', 3, 'abc'],
    ['that does not', 'abcd', 3, 'ab…'],
    ['with a space at the cut', 'ab cd', 4, 'ab…'],
    ['without room', 'abc', 0, '…'],
  ])('%s', (_, text, capacity, expected) => {
    expect(cut(text, capacity)).toBe(expected);
  });
});
