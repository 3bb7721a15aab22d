/** What completes our words in a shell: made from the commands there are, and tried in bash where there is one. */
import { execFileSync } from 'node:child_process';
import { Argument, Command, Option } from 'commander';
import { describe, expect, it } from 'vitest';
import { completeWords } from '../../../cli/completion/complete-words.ts';
import { shellScript, shells } from '../../../cli/completion/shell-scripts.ts';
import { placedNodes, wordTree } from '../../../cli/completion/word-tree.ts';
import { program } from '../../../cli/main.ts';

const boat = new Command('boat').description('a boat');
const sail = boat.command('sail').description("it's under way: go");
sail.command('home').description('go home').option('-q, --quick', 'at once');
sail.addArgument(new Argument('[wind]').choices(['north', 'south']));
sail.addOption(new Option('-s, --speed <knots>', 'how fast').choices(['slow', 'fast']));
sail.option('--chart <file>', 'where the rocks are');
sail.addOption(new Option('--secret', 'nobody is told').hideHelp());
const tree = wordTree(boat);

/** What bash offers where the line ends so. */
function bash(script: string, ...words: readonly string[]): readonly string[] {
  const [name = ''] = words;
  const list = words.map((word) => `'${word}'`).join(' ');
  const ask = `COMP_WORDS=(${list}); COMP_CWORD=${words.length - 1}; _${name}; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const out = execFileSync('bash', ['-c', `${script}\n${ask}`], { encoding: 'utf8' });
  return out.split('\n').filter((word) => word !== '');
}

describe('the words that may come next', () => {
  const words = (...typed: readonly string[]) => completeWords(tree, typed).map(({ word }) => word);

  it.each([
    ['at the beginning', [''], ['sail']],
    ['of a command that is begun', ['sa'], ['sail']],
    ['below a command', ['sail', ''], ['home', 'north', 'south']],
    ['of its options', ['sail', '--'], ['--speed', '--chart', '--help']],
    ['after an option with choices', ['sail', '--speed', ''], ['slow', 'fast']],
    ['after its short form', ['sail', '-s', 'f'], ['fast']],
    ['after an option with any value', ['sail', '--chart', ''], []],
    ['behind other options', ['sail', '--speed', 'slow', 'home', '--q'], ['--quick']],
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

  it('knows whom to complete', () => {
    const out = execFileSync('bash', ['-c', `${script}\ncomplete -p boat`], { encoding: 'utf8' });
    expect(out).toBe('complete -o default -F _boat boat\n');
  });

  it('knows every command of ours', () => {
    const ours = wordTree(program());
    const whole = shellScript('bash', ours);
    expect(bash(whole, 'evenkeel', 'hub', 'ch')).toEqual(['check']);
    expect(bash(whole, 'evenkeel', 'plan', '--output', 'y')).toEqual(['yaml']);
    const names = placedNodes(ours).map(({ path }) => path.join(' '));
    expect(names).toEqual(expect.arrayContaining(['hub check', 'plan', 'rebalance', 'completion']));
  });
});

describe('a script', () => {
  it.each(shells)('for %s names every command and option that people are told of, and no other', (shell) => {
    const script = shellScript(shell, tree);
    for (const word of ['sail', 'home', 'north', 'speed', 'slow', 'chart', 'quick']) expect(script).toContain(word);
    expect(script).not.toContain('secret');
  });

  it('for zsh and fish quotes what descriptions hold', () => {
    expect(shellScript('zsh', tree)).toContain(String.raw`'sail:it'\''s under way: go'`);
    expect(shellScript('fish', tree)).toContain(String.raw`-f -a sail -d 'it\'s under way: go'`);
  });
});
