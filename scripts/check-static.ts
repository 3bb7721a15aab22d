/** `npm run check:static`: every check but the tests, one per core at a time, each with its output when it ends. Exits 1 if one fails. */
import { execFile } from 'node:child_process';
import { availableParallelism } from 'node:os';

/** npm scripts, the longest first. */
const checks = [
  'check:lint',
  'synth',
  'check:layering',
  'check:types',
  'check:dead',
  'check:docs',
  'check:manifests',
  'check:format',
];

function run(check: string): Promise<boolean> {
  const began = performance.now();
  const { promise, resolve } = Promise.withResolvers<boolean>();
  execFile(
    'npm',
    ['run', '--silent', check],
    { maxBuffer: 64 * 1024 * 1024, env: { ...process.env, NO_COLOR: '1' } },
    (failed, out, error) => {
      const seconds = Math.round((performance.now() - began) / 1000);
      process.stdout.write(`${out}${error}${failed ? 'FAILED' : 'passed'} ${check} in ${seconds} s\n`);
      resolve(failed === null);
    },
  );
  return promise;
}

async function work(): Promise<void> {
  for (let check = checks.shift(); check !== undefined; check = checks.shift())
    if (!(await run(check))) process.exitCode = 1;
}

await Promise.all(Array.from({ length: availableParallelism() }, work));
