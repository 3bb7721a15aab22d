import { Session } from 'node:inspector/promises';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';

// Optimized code does not count; nor do the blocks of a function that was compiled before the counting began. So a file of tests counts from its imports on, for as long as it runs.
for (const compiler of ['opt', 'maglev', 'sparkplug']) setFlagsFromString(`--no-${compiler}`);
const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
const own = fileURLToPath(import.meta.url);
const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * How much of the product's own code `run` executes: the sum over its functions and blocks of how often each was entered, by V8's own count.
 * The same on a busy machine as on a quiet one, which a time is not; what a built-in function does inside is not in it.
 */
export async function workOf(run: () => unknown): Promise<number> {
  await counted();
  await run();
  return await counted();
}

/** What was counted since it was asked for last. */
async function counted(): Promise<number> {
  const { result } = await session.post('Profiler.takePreciseCoverage');
  return result
    .filter(({ url }) => url.includes(root) && !url.includes('/node_modules/') && !url.endsWith(own))
    .flatMap(({ functions }) => functions)
    .flatMap(({ ranges }) => ranges)
    .reduce((total, { count }) => total + count, 0);
}
