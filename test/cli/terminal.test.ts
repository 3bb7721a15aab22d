import { describe, expect, it } from 'vitest';
import { aligned, cut } from '../../cli/aligned.ts';
import { wantsColour, widthOf } from '../../cli/terminal.ts';

describe('colour', () => {
  it.each([
    ['is on in a terminal', true, {}, true],
    ['is off in a pipe', false, {}, false],
    ['is off if the stream does not report a terminal', undefined, {}, false],
    ['is off in a pipe of a CI run', false, { CI: 'true' }, false],
    ['is off if NO_COLOR is set', true, { NO_COLOR: '1' }, false],
    ['is on in a terminal if NO_COLOR is empty', true, { NO_COLOR: '' }, true],
    ['is on in a pipe if FORCE_COLOR is set', false, { FORCE_COLOR: '1' }, true],
    ['is off if FORCE_COLOR is 0', true, { FORCE_COLOR: '0' }, false],
    ['is off if both are set: NO_COLOR takes precedence', false, { NO_COLOR: '1', FORCE_COLOR: '1' }, false],
    ['is off in a dumb terminal', true, { TERM: 'dumb' }, false],
  ])('%s', (_, isTTY, env, expected) => {
    expect(wantsColour({ isTTY }, env)).toBe(expected);
  });
});

describe('the width', () => {
  it.each([
    ['of a terminal is its number of columns', { isTTY: true, columns: 80 }, 80],
    ['of a terminal that reports 0 columns is unknown', { isTTY: true, columns: 0 }, undefined],
    ['of a pipe is unlimited', { isTTY: false, columns: 80 }, undefined],
  ])('%s', (_, stream, expected) => {
    expect(widthOf(stream)).toBe(expected);
  });
});

describe('a table', () => {
  const rows = [
    ['NAME', 'COUNT', 'REASON'],
    ['web-deployment', '12', 'the scheduler found no place for it'],
  ];

  it('has two spaces between columns, and right-aligned numbers', () => {
    expect(aligned(rows, { right: [1], width: undefined })).toEqual([
      'NAME            COUNT  REASON',
      'web-deployment     12  the scheduler found no place for it',
    ]);
  });

  it('is truncated in its free text to fit a terminal', () => {
    const lines = aligned(rows, { right: [1], text: 2, width: 40 });
    expect(lines[1]).toBe('web-deployment     12  the scheduler fo…');
    expect(lines.map((line) => line.length <= 40)).toEqual([true, true]);
  });

  it('is never truncated without free text, because truncated names are useless', () => {
    expect(aligned(rows, { width: 20 })[1]).toBe('web-deployment  12     the scheduler found no place for it');
  });

  it('keeps some of the text, however narrow the terminal is', () => {
    expect(aligned(rows, { text: 2, width: 10 })[1]).toBe('web-deployment  12     the schedul…');
  });

  it('is truncated in the first of two texts first', () => {
    const two = [
      ['A', 'B'],
      ['one text that is long', 'another text that is long'],
    ];
    expect(aligned(two, { text: [1, 0], width: 45 })[1]).toBe('one text that is long  another text that is…');
    expect(aligned(two, { text: [1, 0], width: 30 })[1]).toBe('one text that i…  another tex…');
  });

  it('without rows prints no lines', () => {
    expect(aligned([], { text: 0, width: 10 })).toEqual([]);
  });
});

describe('a text', () => {
  it.each([
    ['that fits', 'abc', 3, 'abc'],
    ['that does not', 'abcd', 3, 'ab…'],
    ['with a space at the cut', 'ab cd', 4, 'ab…'],
    ['with a width of 0', 'abc', 0, '…'],
  ])('%s', (_, text, capacity, expected) => {
    expect(cut(text, capacity)).toBe(expected);
  });
});
