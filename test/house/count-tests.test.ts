/** The last lines of a CI run: each failure, and then the count. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'evenkeel-count-'));
afterAll(() => rmSync(folder, { recursive: true }));

const file = { name: join(process.cwd(), 'test/a.test.ts'), status: 'passed', message: '' };
const results = (...statuses: string[]) =>
  statuses.map((status) => ({ fullName: `a test that is ${status}`, status, failureMessages: [] }));
const green = (count: number) => ({ ...file, assertionResults: results(...Array<string>(count).fill('passed')) });

/** Each report by the files in it. */
function counted(...reports: object[][]) {
  const files = reports.map((testResults, index) => {
    const report = join(folder, `${index}.json`);
    writeFileSync(report, JSON.stringify({ testResults }));
    return report;
  });
  const { status, stdout } = spawnSync(process.execPath, ['scripts/count-tests.ts', ...files], { encoding: 'utf8' });
  return { status, lines: stdout.trimEnd().split('\n') };
}

it('adds the reports up', () => {
  expect(counted([green(3)], [green(2), green(2)])).toEqual({ status: 0, lines: ['7 passed, 0 failed'] });
  expect(counted([green(3), { ...file, assertionResults: results('skipped', 'todo') }])).toEqual({
    status: 0,
    lines: ['3 passed, 0 failed, 2 skipped'],
  });
});

it('fails where nothing ran', () => {
  expect(counted([green(0)])).toEqual({ status: 1, lines: ['0 passed, 0 failed'] });
});

it('names each failed test, with its message', () => {
  const failed = {
    ...{ ...file, status: 'failed' },
    assertionResults: [
      { fullName: 'a hub answers', status: 'passed', failureMessages: [] },
      { fullName: 'a hub waits', status: 'failed', failureMessages: ['expected 1 to be 2\n    at somewhere'] },
    ],
  };
  expect(counted([green(3)], [failed])).toEqual({
    status: 1,
    lines: ['FAILED test/a.test.ts: a hub waits', '  expected 1 to be 2', '      at somewhere', '4 passed, 1 failed'],
  });
});

it('counts a file that could not be loaded as one that failed', () => {
  const broken = { ...green(0), status: 'failed', message: "Cannot find module './nope.ts'" };
  expect(counted([green(3), broken])).toEqual({
    status: 1,
    lines: ['FAILED test/a.test.ts: (the file itself)', "  Cannot find module './nope.ts'", '3 passed, 1 failed'],
  });
});

it('takes the error of a hook, which a report lacks, from the log', () => {
  const failed = { ...file, status: 'failed', assertionResults: results('passed', 'skipped') };
  const lines = () => counted([failed]).lines;
  expect(lines()[1]).toBe('  neither its report nor its log has its error');
  writeFileSync(join(folder, '0.log'), ' \x1b[31mFAIL\x1b[39m  test/a.test.ts > a hub\nError: it is down\n\n at a\n');
  expect(lines()).toEqual([
    'FAILED test/a.test.ts: (the file itself)',
    '  Error: it is down',
    '   at a',
    '1 passed, 1 failed, 1 skipped',
  ]);
  rmSync(join(folder, '0.log'));
});

it('counts a test as failed if its process ended before the test did, and names it', () => {
  expect(counted([green(3), { ...file, assertionResults: results('passed', 'pending') }])).toEqual({
    status: 1,
    lines: ['FAILED test/a.test.ts: a test that is pending', '  its process ended before it did', '4 passed, 1 failed'],
  });
});

it('counts a report that is missing as a failure', () => {
  const { status, stdout } = spawnSync(process.execPath, ['scripts/count-tests.ts', join(folder, 'none.json')], {
    encoding: 'utf8',
  });
  expect([status, stdout]).toEqual([
    1,
    `FAILED ${join(folder, 'none.json')}: (every test)\n  there is no report\n0 passed, 1 failed\n`,
  ]);
});

it('shows how the log of a missing report ends', () => {
  const before = Array.from({ length: 20 }, (_, line) => `\x1b[31mline ${line}\x1b[39m\n\n`).join('');
  writeFileSync(join(folder, 'ended.log'), `${before}out of memory\n`);
  const { stdout } = spawnSync(process.execPath, ['scripts/count-tests.ts', join(folder, 'ended.json')], {
    encoding: 'utf8',
  });
  const end = Array.from({ length: 13 }, (_, line) => `  line ${line + 7}`);
  expect(stdout.split('\n').slice(1, -2)).toEqual(['  there is no report', ...end, '  out of memory']);
});

it('lists with --times where the seconds of a report went', () => {
  const report = join(folder, 'times.json');
  const tests = [{ fullName: 'a', status: 'passed', failureMessages: [], duration: 12_000 }];
  const timed = { ...file, startTime: 1000, endTime: 31_000, assertionResults: tests };
  writeFileSync(report, JSON.stringify({ testResults: [timed] }));
  const { stdout } = spawnSync(process.execPath, ['scripts/count-tests.ts', '--times', report], { encoding: 'utf8' });
  expect(stdout).toBe('hooks 18 s; a.test.ts 30 s\n');
});
