/** `npm start`: reads the command line, runs, and says in one line what kept it from running. */
import { Fault } from '../shared/model/fault.ts';
import { parseOptions, usage } from './options.ts';
import { print } from './print.ts';
import { startRun } from './run.ts';
import { stories } from './stories/stories.ts';

async function main(): Promise<number> {
  const options = parseOptions(process.argv.slice(2), stories);
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

try {
  process.exitCode = await main();
} catch (thrown) {
  if (!(thrown instanceof Fault)) throw thrown;
  console.error(`evenkeel: ${thrown.message}`);
  process.exitCode = 2;
}
