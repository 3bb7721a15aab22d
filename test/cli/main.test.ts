import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'evenkeel-cli-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs the command in a process of its own, like a user. */
function evenkeel(...args: readonly string[]): Promise<{ code: number; out: string; error: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, ['cli/evenkeel.ts', ...args], { encoding: 'utf8' }, (thrown, out, error) =>
      resolve({ code: thrown ? Number(thrown.code) : 0, out, error }),
    );
  });
}

const manifests = ['hub', 'manifests', '--hub', 'karmada', '--url', 'https://hook.example'];

describe('evenkeel', () => {
  it('prints manifests to stdout, and nothing else', async () => {
    const token = join(folder, 'hook-token');
    writeFileSync(token, 'hook-token-of-karmada\n');
    const { code, out, error } = await evenkeel(...manifests, '--hook-token-file', token);
    expect([code, error]).toEqual([0, '']);
    expect(out).toMatch(/^apiVersion: v1\nkind: Namespace\n/);
    expect(out).toContain(`hook-token: ${Buffer.from('hook-token-of-karmada').toString('base64')}`);
  });

  it('without arguments lists the commands and the exit codes', async () => {
    const { code, out } = await evenkeel();
    expect(code).toBe(0);
    expect(out).toMatch(/^Usage: evenkeel \[options\] \[command\]\n/);
    expect(out).toContain('\nExit codes:\n  0 ');
  });

  it('prints its version', async () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    expect(await evenkeel('--version')).toEqual({ code: 0, out: `${version}\n`, error: '' });
  });

  it('starts a local run, which has its own help', async () => {
    const { code, out } = await evenkeel('start', '--help');
    expect([code, out.includes('--story NAME')]).toEqual([0, true]);
    expect(await evenkeel('start', '--once', '--port', 'x')).toEqual({
      code: 2,
      out: '',
      error: expect.stringMatching(/^evenkeel: --port x: a whole number from 0 .*\n$/) as string,
    });
  });

  it('prints its help to stdout with --help', async () => {
    const { code, out } = await evenkeel('hub', 'manifests', '--help');
    expect(code).toBe(0);
    expect(out).toContain('Usage: evenkeel hub manifests [options]');
  });

  it.each([
    [
      'an unknown part',
      [...manifests, '--only', 'crds'],
      'evenkeel: --only crds: Unsupported value; supported values: ',
    ],
    ['a misspelled command', ['plna'], "evenkeel: unknown command 'plna'; did you mean plan?"],
  ])('rejects %s with one line on stderr and exit code 2', async (_, args, message) => {
    const { code, out, error } = await evenkeel(...args);
    expect([code, out]).toEqual([2, '']);
    expect(error).toMatch(/^[^\n]+\n$/);
    expect(error).toContain(message);
  });
});
