/** What holds for every command that there is, whoever wrote it. */
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { program } from '../../cli/main.ts';

function leaves(command: Command): readonly Command[] {
  return command.commands.length === 0 ? [command] : command.commands.flatMap(leaves);
}

function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;
}

function helpOf(command: Command): string {
  let help = '';
  command.configureOutput({ writeOut: (text) => (help += text) }).outputHelp();
  return help;
}

/** Explained by the local run itself, which has examples too: test/local/start.test.ts. */
const explainedElsewhere = ['evenkeel start'];
const commands = leaves(program()).filter((command) => !explainedElsewhere.includes(pathOf(command)));

describe('every command', () => {
  it.each(commands.map((command) => [pathOf(command), command] as const))(
    '%s says what it does, in a line',
    (_, command) => {
      expect(command.description()).toMatch(/^[a-z][^\n]{10,}[^.]$/);
    },
  );

  it.each(commands.map((command) => [pathOf(command), command] as const))(
    '%s ends its help with examples of itself',
    (path, command) => {
      const [, examples] = helpOf(command).split('\nExamples:\n');
      const lines = (examples ?? '').trimEnd().split('\n');
      expect(lines.some((line) => line.includes(path.replace(/^evenkeel /, '')))).toBe(true);
      expect(lines.map((line) => line.startsWith('  '))).not.toContain(false);
    },
  );

  it('that takes a form for its answer takes json and yaml', () => {
    for (const command of commands) {
      const choices = command.options.find(({ long }) => long === '--output')?.argChoices;
      if (choices !== undefined)
        expect([pathOf(command), ...choices]).toEqual(expect.arrayContaining(['json', 'yaml']));
    }
  });

  it('names a hub, a context and a namespace by the same words', () => {
    const odd = commands.flatMap((command) =>
      command.options.flatMap(({ short, long }) => {
        if (long === '--namespace' && short !== '-n' && pathOf(command) !== 'evenkeel bridge') return [pathOf(command)];
        if (long === '--output' && short !== '-o') return [pathOf(command)];
        return long === '--all-namespaces' && short !== '-A' ? [pathOf(command)] : [];
      }),
    );
    expect(odd).toEqual([]);
  });
});
