/** Rules that every command follows. */
import type { Command } from 'commander';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { main, program } from '../../cli/main.ts';

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

/** The local run prints its own help, with examples: test/local/start.test.ts. */
const explainedElsewhere = ['evenkeel start'];
const commands = leaves(program()).filter((command) => !explainedElsewhere.includes(pathOf(command)));

describe('every command', () => {
  it.each(commands.map((command) => [pathOf(command), command] as const))(
    '%s has a description of one line',
    (_, command) => {
      expect(command.description()).toMatch(/^[a-z][^\n]{10,}[^.]$/);
    },
  );

  it.each(commands.map((command) => [pathOf(command), command] as const))(
    '%s has examples at the end of its help',
    (path, command) => {
      const [, examples] = helpOf(command).split('\nExamples:\n');
      const lines = (examples ?? '').trimEnd().split('\n');
      expect(lines.some((line) => line.includes(path.replace(/^evenkeel /, '')))).toBe(true);
      expect(lines.map((line) => line.startsWith('  '))).not.toContain(false);
    },
  );

  it('accepts json and yaml if it has an output format', () => {
    const forms = commands.flatMap((command) => {
      const choices = command.options.find(({ long }) => long === '--output')?.argChoices;
      return choices === undefined ? [] : [{ command: pathOf(command), choices }];
    });
    expect(forms.map(({ command }) => command)).toContain('evenkeel plan');
    expect(forms.filter(({ choices }) => !choices.includes('json') || !choices.includes('yaml'))).toEqual([]);
  });

  it('uses the same short options for namespace, all namespaces and output format, except for the bridge', () => {
    const shortOptions = { '--namespace': '-n', '--output': '-o', '--all-namespaces': '-A' };
    const taken = commands
      .filter((command) => pathOf(command) !== 'evenkeel bridge')
      .flatMap((command) => command.options.filter(({ long }) => Object.hasOwn(shortOptions, long ?? '')));
    expect(new Set(taken.map(({ short, long }) => `${long} ${short}`))).toEqual(
      new Set(Object.entries(shortOptions).map(([long, short]) => `${long} ${short}`)),
    );
  });
});

describe('a command with wrong arguments', () => {
  afterEach(() => vi.restoreAllMocks());

  const manifests = ['hub', 'manifests', '--hub', 'karmada', '--url', 'https://hook.example'];

  // main.test.ts runs two of them in a process of their own.
  it.each([
    ['a missing file', [...manifests, '--ca-file', '/no/ca.pem'], '--ca-file /no/ca.pem cannot be'],
    ['a missing option', manifests.slice(0, 4), '--url is required, because the manifests call the hook; add it'],
    ['a missing argument', ['completion'], "missing required argument 'shell'; see evenkeel completion --help"],
    ['an invalid choice', ['plan', '-o', 'html'], "option '-o, --output <form>' argument 'html' is invalid."],
    ['a misspelled option', ['plan', '--nmaespace', 'x'], "unknown option '--nmaespace'; did you mean --namespace?"],
    ['an unknown command', ['hub', 'nope'], "unknown command 'nope'; see evenkeel hub --help"],
  ])('prints one line for %s, and exits with 2', async (_, args, message) => {
    const errors: string[] = [];
    vi.spyOn(console, 'error').mockImplementation((text) => void errors.push(`${text}\n`));
    vi.spyOn(process.stderr, 'write').mockImplementation((text) => errors.push(String(text)) > 0);
    const out = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    expect(await main(['node', 'evenkeel', ...args])).toBe(2);
    expect(out).not.toHaveBeenCalled();
    expect(errors).toEqual([expect.stringMatching(/^evenkeel: [^\n]+\n$/)]);
    expect(errors[0]).toContain(`evenkeel: ${message}`);
  });
});

describe('a process that runs many commands', () => {
  afterEach(() => vi.restoreAllMocks());

  it('has one listener for a closed pipe', async () => {
    vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    await main(['node', 'evenkeel', '--version']);
    const once = process.stdout.listenerCount('error');
    await main(['node', 'evenkeel', '--version']);
    expect(process.stdout.listenerCount('error')).toBe(once);
  });
});
