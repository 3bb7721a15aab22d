/**
 * Prints "N passed, N failed" from the test runner's JSON reports, as the last line of a CI run, preceded by each failure with its file, name and first message,
 * because CI keeps only the end of a long log. Fails if a report is missing, empty or red. `--times` prints the durations in one report instead.
 */
import { existsSync, readFileSync } from 'node:fs';
import { basename, relative } from 'node:path';
import { parseArgs, stripVTControlCharacters } from 'node:util';

interface VitestReport {
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    /** Since 1970. */
    readonly startTime: number;
    readonly endTime: number;
    /** The error that prevented loading the file; empty for a failed hook of a describe. */
    readonly message: string;
    readonly assertionResults: readonly {
      readonly fullName: string;
      readonly duration?: number | null;
      /** `pending`: the test was running or queued when its process ended. */
      readonly status: 'passed' | 'failed' | 'skipped' | 'todo' | 'pending';
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

interface Failure {
  readonly file: string;
  readonly test: string;
  readonly text: string;
}

const MOST_LINES = 15;

const failuresOf = (report: string, { testResults }: VitestReport): Failure[] =>
  testResults.flatMap(({ name, status, message, assertionResults }) => {
    const file = relative(process.cwd(), name);
    const tests = assertionResults
      .filter((test) => test.status === 'failed' || test.status === 'pending')
      .map(({ fullName, failureMessages, ...test }) => ({
        file,
        test: fullName,
        text: test.status === 'pending' ? 'its process ended before it did' : failureMessages.join('\n'),
      }));
    return tests.length === 0 && status === 'failed'
      ? [{ file, test: '(the file itself)', text: message || errorInLog(report, file) }]
      : tests;
  });

const { values, positionals } = parseArgs({ allowPositionals: true, options: { times: { type: 'boolean' } } });
const { found = [], missing = [] } = Object.groupBy(positionals, (file) => (existsSync(file) ? 'found' : 'missing'));
const reports = found.map((file) => ({ file, report: JSON.parse(readFileSync(file, 'utf8')) as VitestReport }));
const results = reports.flatMap(({ report }) => report.testResults).flatMap((file) => file.assertionResults);

if (values.times) {
  for (const { report } of reports) console.log(timesOf(report));
} else {
  count();
}

/** Hooks start rigs and wait for the initial state: the time of a file outside its tests. */
function timesOf({ testResults }: VitestReport): string {
  const files = testResults.map(({ name, startTime, endTime, assertionResults }) => ({
    name: basename(name),
    ms: endTime - startTime,
    tests: assertionResults.reduce((total, { duration }) => total + (duration ?? 0), 0),
  }));
  const seconds = (ms: number) => `${Math.round(ms / 1000)} s`;
  const hooks = files.reduce((total, { ms, tests }) => total + Math.max(0, ms - tests), 0);
  const longest = files.toSorted((a, b) => b.ms - a.ms).slice(0, 3);
  return `hooks ${seconds(hooks)}; ${longest.map(({ name, ms }) => `${name} ${seconds(ms)}`).join(', ')}`;
}

/** What the suite printed last. */
function endOfLog(report: string): readonly string[] {
  return linesOfLog(report).slice(1 - MOST_LINES);
}

/** The error of the file as the suite printed it: a report has none for a hook of a describe. */
function errorInLog(report: string, file: string): string {
  const lines = linesOfLog(report);
  const at = lines.findIndex((line) => line.trimStart().startsWith('FAIL') && line.includes(file));
  return at < 0 ? 'neither its report nor its log has its error' : lines.slice(at + 1, at + 1 + MOST_LINES).join('\n');
}

/** Of the log beside the report, without empty lines. */
function linesOfLog(report: string): readonly string[] {
  const log = report.replace(/\.json$/, '.log');
  if (!existsSync(log)) return [];
  const lines = stripVTControlCharacters(readFileSync(log, 'utf8')).split('\n');
  return lines.filter((line) => line.trim() !== '');
}

function count(): void {
  const unknown = missing.map((file) => ({
    file,
    test: '(every test)',
    text: ['there is no report', ...endOfLog(file)].join('\n'),
  }));
  const failures = [...unknown, ...reports.flatMap(({ file, report }) => failuresOf(file, report))];
  for (const { file, test, text } of failures)
    console.log(`FAILED ${file}: ${test}\n  ${text.split('\n').slice(0, MOST_LINES).join('\n  ')}`);

  const passed = results.filter(({ status }) => status === 'passed').length;
  const skipped = results.filter(({ status }) => status === 'skipped' || status === 'todo').length;
  console.log(`${passed} passed, ${failures.length} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
  process.exitCode = passed === 0 || failures.length > 0 ? 1 : 0;
}
