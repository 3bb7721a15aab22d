/**
 * Prints "N passed, N failed" from the test runner's JSON reports, as the last line of a CI run, and before it each failure by its file, its name and what it said first:
 * of a long log only the end is kept. Fails where a report is missing, empty or red.
 */
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';

interface Report {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly numTodoTests: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    /** What kept the file from being loaded. */
    readonly message: string;
    readonly assertionResults: readonly {
      readonly fullName: string;
      readonly status: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

interface Failure {
  readonly file: string;
  readonly test: string;
  readonly said: string;
}

const failuresOf = ({ testResults }: Report): Failure[] =>
  testResults.flatMap(({ name, status, message, assertionResults }) => {
    const file = relative(process.cwd(), name);
    const tests = assertionResults
      .filter((test) => test.status === 'failed')
      .map(({ fullName, failureMessages }) => ({ file, test: fullName, said: failureMessages.join('\n') }));
    return tests.length === 0 && status === 'failed' ? [{ file, test: '(the file itself)', said: message }] : tests;
  });

const reports = process.argv.slice(2).map((file) => JSON.parse(readFileSync(file, 'utf8')) as Report);
const sum = (pick: (report: Report) => number) => reports.reduce((total, report) => total + pick(report), 0);

const failures = reports.flatMap(failuresOf);
for (const { file, test, said } of failures)
  console.log(`FAILED ${file}: ${test}\n  ${said.split('\n').slice(0, 6).join('\n  ')}`);

const passed = sum(({ numPassedTests }) => numPassedTests);
const skipped = sum(({ numPendingTests, numTodoTests }) => numPendingTests + numTodoTests);
console.log(`${passed} passed, ${failures.length} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
process.exitCode = passed === 0 || failures.length > 0 ? 1 : 0;
