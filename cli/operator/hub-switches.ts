/** `evenkeel pause`, `resume` and `resync`: what a person on call does about a whole hub. */
import type { Command } from 'commander';
import { hubOf, type Reach, reach, withReach } from './reach.ts';

interface Options extends Reach {
  readonly reason: string;
}

const examples = `
Examples:
  evenkeel pause karmada --reason "control plane is being upgraded"
  evenkeel get hubs
  evenkeel resume karmada                    compares the whole hub, so nothing is missed
  evenkeel resync karmada                    the same at any time`;

export function registerHubSwitches(evenkeel: Command): void {
  withReach(evenkeel.command('pause'))
    .description('have Evenkeel write nothing on a hub until it is resumed')
    .argument('[hub]', "the hub's name; needed where there are several")
    .option('--reason <text>', 'for whoever wonders', '')
    .addHelpText('after', examples)
    .action(async (named: string | undefined, options: Options) => {
      const { ask, hub } = await meant(named, options);
      const { paused, withinSeconds } = await ask('pauseHub', { hub, reason: options.reason });
      process.stdout.write(
        `${hub} is paused since ${paused.since}; every function has taken it up within ${withinSeconds} s.\n`,
      );
    });
  withReach(evenkeel.command('resume'))
    .description('end a pause, and have the hub compared')
    .argument('[hub]', "the hub's name; needed where there are several")
    .addHelpText('after', examples)
    .action(async (named: string | undefined, options: Options) => {
      const { ask, hub } = await meant(named, options);
      const { wasPaused } = await ask('resumeHub', { hub });
      process.stdout.write(`${hub} ${wasPaused ? 'is resumed' : 'was not paused'}, and is compared now.\n`);
    });
  withReach(evenkeel.command('resync'))
    .description('have a hub compared with all that Evenkeel knows of it, now')
    .argument('[hub]', "the hub's name; needed where there are several")
    .addHelpText('after', examples)
    .action(async (named: string | undefined, options: Options) => {
      const { ask, hub } = await meant(named, options);
      await ask('resyncHub', { hub });
      process.stdout.write(`${hub} is compared now; "evenkeel get queues" shows what comes of it.\n`);
    });
}

async function meant(named: string | undefined, options: Options) {
  const ask = reach(options);
  return { ask, hub: await hubOf(ask, { ...options, ...(named !== undefined && { hub: named }) }) };
}
