/** Measures how long Node takes to load a module in a separate process, as in a cold start. Lambda starts Node itself, so only the import is timed. */
import { execFile } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

/** Milliseconds. */
export async function coldInit(file: string): Promise<number> {
  const script = `const start = performance.now(); await import(${JSON.stringify(pathToFileURL(file).href)}); console.log(performance.now() - start)`;
  const environment = { PATH: process.env.PATH, AWS_REGION: 'eu-central-1' };
  const run = promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], { env: environment });
  const { stdout } = await run;
  return Number(stdout.trim().split('\n').at(-1));
}
