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

describe('a data folder of a killed process', () => {
  // Process 1 exists on every machine: a truncated "12345" may be the id of another process.
  it.each([
    ['', 'before it wrote its process id'],
    ['1', 'in the middle of its process id'],
  ])('is free if the process was killed while it took the lock: %j', (lock) => {
    put('version', '2\n');
    put('lock', lock);
    const { path, discard } = openDataFolder(folder);
    expect(path).toBe(folder);
    expect(text('lock')).toBe(`${process.pid}\n`);
    discard();
    expect(readdirSync(folder)).toEqual(['version']);
  });

  it('is new if the process was killed while it wrote the version', () => {
    put('version.new', '');
    openDataFolder(folder).discard();
    expect(text('version')).toBe('2\n');
    expect(readdirSync(folder)).toEqual(['version']);
  });

  it('gets a complete hook token if the process was killed while it wrote one, and keeps it', () => {
    put('hook-token.new', 'x');
    const token = hookToken(folder);
    expect(token).toMatch(/^[\w-]{32}$/);
    expect(hookToken(folder)).toBe(token);
  });

  it('gets a complete key pair if the process was killed while it wrote one, and keeps it', async () => {
    put('hook-tls.json.new', '{"key":"-----BEG');
    const pair = await hookKeyPair(folder);
    expect(pair.cert).toMatch(/^-----BEGIN CERTIFICATE-----/);
    expect(await hookKeyPair(folder)).toEqual(pair);
  });

  it.each(['hook-token', 'hook-tls.json'])('has a %s that only its owner may read', async (name) => {
    hookToken(folder);
    await hookKeyPair(folder);
    expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
  });
});

describe('a data folder of a running process', () => {
  it('is rejected for another process', () => {
    put('version', '2\n');
    put('lock', `${process.ppid}\n`);
    expect(() => openDataFolder(folder)).toThrow(`process ${process.ppid} is using it`);
  });
});

describe('an atomic write', () => {
  it('replaces the previous file in one step, even if an earlier attempt left a partial file', () => {
    put('a', 'before');
    put('a.new', 'torn and longer than what follows');
    writeWhole(join(folder, 'a'), 'after');
    expect(text('a')).toBe('after');
    expect(readdirSync(folder)).toEqual(['a']);
  });
});
