/** Prints every usage error in one line with its remedy. */
import type { Command } from 'commander';

export function plainErrors(command: Command): void {
  command.exitOverride();
  command.configureOutput({
    outputError: (text, write) => write(`evenkeel: ${oneLine(text, pathOf(command))}\n`),
  });
  for (const each of command.commands) plainErrors(each);
}

/** "error: unknown command 'plna'\n(Did you mean plan?)" → "unknown command 'plna'; did you mean plan?". */
function oneLine(text: string, path: string): string {
  const message = text
    .trim()
    .replace(/^error: /, '')
    .replace(/\.$/, '');
  const withHint = message.replace(/\s*\((Did) (you mean .*\?)\)$/s, (_, __, guess: string) => `; did ${guess}`);
  const line = withHint.replaceAll(/\s*\n\s*/g, ' ');
  return withHint === message ? `${line}; see ${path} --help` : line;
}

function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;
}
