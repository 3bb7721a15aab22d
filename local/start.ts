/** Starts a local run from its command line and waits until it is interrupted: `npm start` and `evenkeel start`. */
import { endOnFullDisk, fullDisk } from './full-disk.ts';
import { parseOptions, usage } from './options.ts';
import { print } from './print.ts';
import { startRun } from './run.ts';
import { stories } from './stories/stories.ts';

/** Returns the exit code. Throws a terminal Fault with a message for the user if it cannot start. */
export async function start(argv: readonly string[]): Promise<number> {
  const options = parseOptions(argv, stories);
  if (options.help) {
    console.log(usage);
    return 0;
  }
  endOnFullDisk();
  const run = await startRun(options, print).catch((thrown: unknown) => {
    throw fullDisk(thrown) ?? thrown;
  });
  if (!options.once) await asked();
  await run.close();
  return run.cameTrue ? 0 : 1;
}

/** Until it is interrupted. */
function asked(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  });
}
