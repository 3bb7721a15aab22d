/** What a CI run's last lines say: each failure, and then the count. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'evenkeel-count-'));
afterAll(() => rmSync(folder, { recursive: true }));

const green = { name: join(process.cwd(), 'test/a.test.ts'), status: 'passed', message: '', assertionResults: [] };

function counted(...reports: object[]) {
  const files = reports.map((report, index) => {
    const file = join(folder, `${index}.json`);
    const none = { numPassedTests: 0, numPendingTests: 0, numTodoTests: 0, testResults: [green] };
    writeFileSync(file, JSON.stringify({ ...none, ...report }));
    return file;
  });
  const { status, stdout } = spawnSync(process.execPath, ['scripts/count-tests.ts', ...files], { encoding: 'utf8' });
  return { status, lines: stdout.trimEnd().split('\n') };
}

it('adds the reports up', () => {
  expect(counted({ numPassedTests: 3 }, { numPassedTests: 4 })).toEqual({ status: 0, lines: ['7 passed, 0 failed'] });
  expect(counted({ numPassedTests: 3, numPendingTests: 1, numTodoTests: 1 })).toEqual({
    status: 0,
    lines: ['3 passed, 0 failed, 2 skipped'],
  });
});

it('fails where nothing ran', () => {
  expect(counted({})).toEqual({ status: 1, lines: ['0 passed, 0 failed'] });
});

it('names each failed test, and what it said', () => {
  const failed = {
    ...{ ...green, status: 'failed' },
    assertionResults: [
      { fullName: 'a hub answers', status: 'passed', failureMessages: [] },
      { fullName: 'a hub waits', status: 'failed', failureMessages: ['expected 1 to be 2\n    at somewhere'] },
    ],
  };
  expect(counted({ numPassedTests: 3 }, { numPassedTests: 1, testResults: [failed] })).toEqual({
    status: 1,
    lines: ['FAILED test/a.test.ts: a hub waits', '  expected 1 to be 2', '      at somewhere', '4 passed, 1 failed'],
  });
});

it('counts a file that could not be loaded as one that failed', () => {
  const broken = { ...green, status: 'failed', message: "Cannot find module './nope.ts'" };
  expect(counted({ numPassedTests: 3, testResults: [green, broken] })).toEqual({
    status: 1,
    lines: ['FAILED test/a.test.ts: (the file itself)', "  Cannot find module './nope.ts'", '3 passed, 1 failed'],
  });
});
