import { Argument, Command, Option } from 'commander';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { completedWords } from '../../../cli/completion/words.ts';

afterEach(() => vi.unstubAllEnvs());

function boat(): Command {
  const root = new Command('boat').description('a boat');
  const sail = root.command('sail').description('go');
  sail.command('home').description('go home').option('-q, --quick', 'at once');
  sail.addArgument(new Argument('[wind]').choices(['north', 'south']));
  sail.addOption(new Option('-s, --speed <knots>', 'how fast').choices(['slow', 'fast']));
  sail.option('--chart <file>', 'where the rocks are');
  sail.addOption(new Option('--secret', 'hidden').hideHelp());
  const visit = root.command('visit').argument('<harbour>').argument('[guest...]').option('--crew <name>');
  visit.addOption(new Option('--flag <flag>').env('BOAT_FLAG').default('white'));
  root.command('whisper', { hidden: true });
  return root;
}

describe('the words', () => {
  it.each([
    ['are the commands at first', [''], ['sail', 'visit', 'help']],
    ['complete a partial command', ['sa'], ['sail']],
    ['are the choices and subcommands of a command', ['sail', ''], ['north', 'south', 'home', 'help']],
    ['are its options after two hyphens', ['sail', '--'], ['--speed', '--chart', '--help']],
    ['are the choices of an option', ['sail', '--speed', ''], ['slow', 'fast']],
    ['are the choices of a short option', ['sail', '-s', 'f'], ['fast']],
    ['are none after an option with another value', ['sail', '--chart', ''], []],
    ['skip earlier options', ['sail', '--speed', 'slow', 'home', '--q'], ['--quick']],
  ])('%s', (_, typed, expected) => {
    expect(completedWords(boat(), typed).words.map(({ word }) => word)).toEqual(expected);
  });

  it('come with the descriptions of commands and options', () => {
    expect(completedWords(boat(), ['sai']).words).toEqual([{ word: 'sail', description: 'go' }]);
    expect(completedWords(boat(), ['sail', '--sp']).words).toEqual([{ word: '--speed', description: 'how fast' }]);
  });
});

describe('the missing name', () => {
  const missing = (...typed: readonly string[]) => completedWords(boat(), typed).missing;

  it.each([
    ['of the first argument', ['visit', ''], 'harbour', []],
    ['of a later one, after an option', ['visit', '--crew', 'ann', 'dover', ''], 'guest', ['dover']],
    ['of one of many', ['visit', 'dover', 'bob', ''], 'guest', ['dover', 'bob']],
    ['of an option', ['visit', 'dover', '--crew', ''], 'name', ['dover']],
  ])('is that %s', (_, typed, placeholder, operands) => {
    expect(missing(...typed)).toMatchObject({ placeholder, operands });
  });

  it('is none where choices are known, or no argument follows', () => {
    expect([missing('sail', ''), missing('sail', 'home', ''), missing('')]).toEqual([undefined, undefined, undefined]);
  });

  it('has the typed options before those of the environment, and these before the defaults', () => {
    expect(missing('visit', '--crew', 'ann', '')?.options).toEqual({ crew: 'ann', flag: 'white' });
    vi.stubEnv('BOAT_FLAG', 'red');
    expect(missing('visit', '')?.options).toEqual({ flag: 'red' });
    expect(missing('visit', '--flag', 'blue', '')?.options).toEqual({ flag: 'blue' });
  });
});
