/** Shell completion: generated from the command tree, and run in bash if it is installed. */
import { execFileSync } from 'node:child_process';
import { Argument, Command, Option } from 'commander';
import { describe, expect, it } from 'vitest';
import { shellScript, shells } from '../../../cli/completion/shell-scripts.ts';
import { completeWords, placedNodes, wordTree } from '../../../cli/completion/word-tree.ts';
import { program } from '../../../cli/main.ts';

const boat = new Command('boat').description('a boat');
const sail = boat.command('sail').description("it's under way: go");
sail.command('home').description('go home').option('-q, --quick', 'at once');
sail.addArgument(new Argument('[wind]').choices(['north', 'south']));
sail.addOption(new Option('-s, --speed <knots>', 'how fast').choices(['slow', 'fast']));
sail.option('--chart <file>', 'where the rocks are');
sail.addOption(new Option('--secret', 'hidden').hideHelp());
const tree = wordTree(boat);

/** The words that bash offers for a command line of these words. */
function bash(script: string, ...words: readonly string[]): readonly string[] {
  const [name = ''] = words;
  const list = words.map((word) => `'${word}'`).join(' ');
  const ask = `COMP_WORDS=(${list}); COMP_CWORD=${words.length - 1}; _${name}; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const out = execFileSync('bash', ['-c', `${script}\n${ask}`], { encoding: 'utf8' });
  return out.split('\n').filter((word) => word !== '');
}

describe('completed words', () => {
  const words = (...typed: readonly string[]) => completeWords(tree, typed).map(({ word }) => word);

  it.each([
    ['start with the commands', [''], ['sail']],
    ['complete a partial command', ['sa'], ['sail']],
    ['list the subcommands of a command', ['sail', ''], ['home', 'north', 'south']],
    ['list the options of a command', ['sail', '--'], ['--speed', '--chart', '--help']],
    ['list the choices of an option', ['sail', '--speed', ''], ['slow', 'fast']],
    ['list the choices of a short option', ['sail', '-s', 'f'], ['fast']],
    ['are empty after an option with a free value', ['sail', '--chart', ''], []],
    ['skip earlier options', ['sail', '--speed', 'slow', 'home', '--q'], ['--quick']],
  ])('%s', (_, typed, expected) => {
    expect(words(...typed)).toEqual(expected);
  });
});

describe('bash', () => {
  const script = shellScript('bash', tree);

  it.each([
    [
      ['boat', ''],
      ['sail', '--help'],
    ],
    [
      ['boat', 'sail', ''],
      ['home', 'north', 'south', '--speed', '--chart', '--help'],
    ],
    [['boat', 'sail', '--s'], ['--speed']],
    [
      ['boat', 'sail', '-s', ''],
      ['slow', 'fast'],
    ],
    [
      ['boat', 'sail', 'home', '--'],
      ['--quick', '--help'],
    ],
    [['boat', 'sail', '--chart', ''], []],
  ])('offers after %j', (typed, expected) => {
    expect(bash(script, ...typed)).toEqual(expected);
  });

  it('registers the completion for the command', () => {
    const out = execFileSync('bash', ['-c', `${script}\ncomplete -p boat`], { encoding: 'utf8' });
    expect(out).toBe('complete -o default -F _boat boat\n');
  });

  it('completes every command of evenkeel', () => {
    const ours = wordTree(program());
    const whole = shellScript('bash', ours);
    expect(bash(whole, 'evenkeel', 'hub', 'ch')).toEqual(['check']);
    expect(bash(whole, 'evenkeel', 'plan', '--output', 'y')).toEqual(['yaml']);
    const names = placedNodes(ours).map(({ path }) => path.join(' '));
    expect(names).toEqual(expect.arrayContaining(['hub check', 'plan', 'rebalance', 'completion']));
  });
});

describe('a completion script', () => {
  it.each(shells)('for %s contains every visible command and option, and no hidden one', (shell) => {
    const script = shellScript(shell, tree);
    for (const word of ['sail', 'home', 'north', 'speed', 'slow', 'chart', 'quick']) expect(script).toContain(word);
    expect(script).not.toContain('secret');
  });

  it('for zsh and fish escapes quotes in descriptions', () => {
    expect(shellScript('zsh', tree)).toContain(String.raw`'sail:it'\''s under way: go'`);
    expect(shellScript('fish', tree)).toContain(String.raw`-f -a sail -d 'it\'s under way: go'`);
  });
});
