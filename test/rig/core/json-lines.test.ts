import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readJsonLines } from '../suites/json-lines.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'evenkeel-lines-'));
  file = join(folder, 'log');
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('a log of JSON lines', () => {
  it('is empty until the file exists', () => {
    expect(readJsonLines(file)).toEqual([]);
  });

  it('is read further each time, without an incomplete last line', () => {
    writeFileSync(file, '{"a":1}\n{"a":');
    expect(readJsonLines(file)).toEqual([{ a: 1 }]);
    expect(readJsonLines(file)).toEqual([{ a: 1 }]);
    appendFileSync(file, '"ü"}\n');
    expect(readJsonLines(file)).toEqual([{ a: 1 }, { a: 'ü' }]);
  });

  it('may break within a character', () => {
    const bytes = Buffer.from('{"a":"ü"}\n');
    const within = bytes.indexOf(0xc3) + 1;
    writeFileSync(file, bytes.subarray(0, within));
    expect(readJsonLines(file)).toEqual([]);
    appendFileSync(file, bytes.subarray(within));
    expect(readJsonLines(file)).toEqual([{ a: 'ü' }]);
  });

  it('is read from its beginning if it is a shorter one', () => {
    writeFileSync(file, '{"a":1}\n{"a":2}\n');
    readJsonLines(file);
    writeFileSync(file, '{"a":3}\n');
    expect(readJsonLines(file)).toEqual([{ a: 3 }]);
  });
});
