/** Has every command say in one line what is wrong with how it was called, and the way out. */
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
  const said = text
    .trim()
    .replace(/^error: /, '')
    .replace(/\.$/, '');
  const guessed = said.replace(/\s*\((Did) (you mean .*\?)\)$/s, (_, __, guess: string) => `; did ${guess}`);
  const line = guessed.replaceAll(/\s*\n\s*/g, ' ');
  return guessed === said ? `${line}; see ${path} --help` : line;
}

function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;
}
