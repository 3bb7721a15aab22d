#!/usr/bin/env node
/** `evenkeel`: the command line for whoever sets up hubs. What keeps a command from its work is one line, and exit code 2. */
import { Command, CommanderError } from 'commander';
import { Fault } from '../shared/model/fault.ts';
import { registerBridge } from './bridge.ts';
import { registerDecisions } from './decisions.ts';
import { registerAdd } from './hub/add.ts';
import { registerList } from './hub/list.ts';
import { registerManifests } from './hub/manifests.ts';
import { registerRemove } from './hub/remove.ts';
import { registerPlan } from './plan.ts';
import { registerRelease } from './release.ts';

export function program(): Command {
  const evenkeel = new Command('evenkeel').description('keeps replicas where they belong across many clusters');
  const hub = evenkeel.command('hub').description('what a hub needs, and how it is reached');
  for (const register of [registerManifests, registerAdd, registerList, registerRemove]) register(hub);
  registerPlan(evenkeel);
  registerRelease(evenkeel);
  registerBridge(evenkeel);
  registerDecisions(evenkeel);
  return evenkeel;
}

/** The exit code. */
async function main(argv: readonly string[]): Promise<number> {
  const evenkeel = program();
  // Whoever reads may have had enough: evenkeel plan | head.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
  try {
    everyCommand(evenkeel, (command) => command.exitOverride());
    await evenkeel.parseAsync(argv);
    // A command that has more to say than that it went well has set its own.
    return Number(process.exitCode ?? 0);
  } catch (thrown) {
    // It has said by itself what is wrong, or printed the help that was asked for.
    if (thrown instanceof CommanderError) return thrown.exitCode === 0 ? 0 : 2;
    if (!(thrown instanceof Fault)) throw thrown;
    console.error(`evenkeel: ${thrown.message}`);
    return 2;
  }
}

function everyCommand(command: Command, act: (command: Command) => void): void {
  act(command);
  for (const each of command.commands) everyCommand(each, act);
}

if (import.meta.main) process.exitCode = await main(process.argv);
