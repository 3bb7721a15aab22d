/** `evenkeel start`: the local run, a practice hub with all the functions in one process, as `npm start` is it in a checkout. */
import type { Command } from 'commander';

/** Its options are the local run's own, which explains them too. */
export function registerStart(evenkeel: Command): void {
  evenkeel
    .command('start')
    .description('run all of it here, on a practice hub: no account, no cluster (--help lists its options)')
    .argument('[option...]')
    .allowUnknownOption()
    .helpOption(false)
    .action(async (_: readonly string[], __: object, command: Command) => {
      // Loaded only where it is wanted: no other command needs a database and a hub.
      const { start } = await import('../local/start.ts');
      process.exitCode = await start(command.args);
    });
}
