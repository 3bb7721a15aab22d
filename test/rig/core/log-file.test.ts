import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cutIncompleteLine } from '../parts/log-file.ts';
import { readJsonLines } from '../suites/json-lines.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'evenkeel-log-'));
  file = join(folder, 'log');
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('the log of a killed process', () => {
  it('is continued on a line of its own, and what was read before is read once', () => {
    writeFileSync(file, '{"a":1}\n{"torn":');
    expect(readJsonLines(file)).toEqual([{ a: 1 }]);
    cutIncompleteLine(file);
    appendFileSync(file, '{"a":2}\n');
    expect(readJsonLines(file)).toEqual([{ a: 1 }, { a: 2 }]);
  });

  it.each(['', '{"a":1}\n'])('is left as it is with whole lines only: %j', (text) => {
    writeFileSync(file, text);
    cutIncompleteLine(file);
    expect(readJsonLines(file)).toEqual(text === '' ? [] : [{ a: 1 }]);
  });

  it('may not exist', () => {
    expect(() => cutIncompleteLine(file)).not.toThrow();
  });
});
