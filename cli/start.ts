/** `evenkeel start`: the local run, a practice hub with all the functions in one process; the same as `npm start` in a checkout. */
import type { Command } from 'commander';

/** The local run parses its own options and prints their help. */
export function registerStart(evenkeel: Command): void {
  evenkeel
    .command('start')
    .description('run all of it here, on a practice hub: no account, no cluster (--help lists its options)')
    .argument('[option...]')
    .allowUnknownOption()
    .helpOption(false)
    .action(async (_: readonly string[], __: object, command: Command) => {
      // Imported on demand: no other command needs a database and a hub.
      const { start } = await import('../local/start.ts');
      process.exitCode = await start(command.args);
    });
}
