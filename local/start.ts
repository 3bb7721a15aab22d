/** A local run by its command line, until somebody ends it: `npm start` and `evenkeel start`. */
import { parseOptions, usage } from './options.ts';
import { print } from './print.ts';
import { startRun } from './run.ts';
import { stories } from './stories/stories.ts';

/** The exit code. Throws a terminal Fault, for a person, where it cannot start. */
export async function start(argv: readonly string[]): Promise<number> {
  const options = parseOptions(argv, stories);
  if (options.help) {
    console.log(usage);
    return 0;
  }
  const run = await startRun(options, print);
  if (!options.once) await asked();
  await run.close();
  return run.cameTrue ? 0 : 1;
}

/** Until somebody ends it. */
function asked(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  });
}
