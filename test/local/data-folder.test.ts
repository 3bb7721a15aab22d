import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDataFolder } from '../../local/data-folder.ts';
import { hookKeyPair, hookToken } from '../../local/hook-access.ts';
import { writeWhole } from '../../local/whole-file.ts';

let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'evenkeel-test-'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

const put = (name: string, text: string) => writeFileSync(join(folder, name), text);
const text = (name: string) => readFileSync(join(folder, name), 'utf8');

describe('a data folder whose process was killed', () => {
  // Process 1 is there on every machine: half of 12,345 may be somebody else's number.
  it.each([
    ['', 'before it wrote who it is'],
    ['1', 'half way through its number'],
  ])('as it took the lock, is free: %j', (lock) => {
    put('version', '2\n');
    put('lock', lock);
    const { path, discard } = openDataFolder(folder);
    expect(path).toBe(folder);
    expect(text('lock')).toBe(`${process.pid}\n`);
    discard();
    expect(readdirSync(folder)).toEqual(['version']);
  });

  it('as it wrote the version, is a new one', () => {
    put('version.new', '');
    openDataFolder(folder).discard();
    expect(text('version')).toBe('2\n');
    expect(readdirSync(folder)).toEqual(['version']);
  });

  it('as it made its hook token, gets a whole one, and keeps it', () => {
    put('hook-token.new', 'x');
    const token = hookToken(folder);
    expect(token).toMatch(/^[\w-]{32}$/);
    expect(hookToken(folder)).toBe(token);
  });

  it('as it made its key pair, gets a whole one, and keeps it', async () => {
    put('hook-tls.json.new', '{"key":"-----BEG');
    const pair = await hookKeyPair(folder);
    expect(pair.cert).toMatch(/^-----BEGIN CERTIFICATE-----/);
    expect(await hookKeyPair(folder)).toEqual(pair);
  });

  it.each(['hook-token', 'hook-tls.json'])('leaves a %s that only its owner may read', async (name) => {
    hookToken(folder);
    await hookKeyPair(folder);
    expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
  });
});

describe('a data folder of a process that is there', () => {
  it('is not for another', () => {
    put('version', '2\n');
    put('lock', `${process.ppid}\n`);
    expect(() => openDataFolder(folder)).toThrow(`process ${process.ppid} is using it`);
  });
});

describe('a whole file', () => {
  it('takes the place of the one before in one step, whatever an earlier try left', () => {
    put('a', 'before');
    put('a.new', 'torn and longer than what follows');
    writeWhole(join(folder, 'a'), 'after');
    expect(text('a')).toBe('after');
    expect(readdirSync(folder)).toEqual(['a']);
  });
});
