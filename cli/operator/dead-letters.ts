/** `evenkeel dlq`: events that no function could handle. */
import type { Command } from 'commander';
import { count } from '../../shared/model/words.ts';
import type { Ask, OutputOf } from '../../shared/operator/operations.ts';
import { wrong } from '../manifests/target.ts';
import { type Output, outputOption, printed, type Rows } from './printed-rows.ts';
import { type Reach, reach, withReach } from './reach.ts';

type Letter = OutputOf<'listDeadLetters'>['deadLetters'][number];

interface Options extends Reach {
  readonly queue?: string;
  readonly all?: boolean;
  readonly output: Output;
}

const examples = `
Examples:
  evenkeel dlq list                          all of them, with why
  evenkeel dlq show 4f1c2b7e                 one, with its event
  evenkeel dlq redrive 4f1c2b7e              have it delivered again
  evenkeel dlq redrive --queue plan-rebalance
  evenkeel dlq redrive --all`;

export function registerDeadLetters(evenkeel: Command): void {
  const dlq = evenkeel
    .command('dlq')
    .description('events that no function could handle')
    .addHelpText('after', examples);
  withReach(dlq.command('list'))
    .description('the dead letters, with why each is one')
    .option('--queue <name>', 'only of this queue; "evenkeel get queues" has the names')
    .addOption(outputOption())
    .addHelpText('after', examples)
    .action(async ({ queue, output, ...options }: Options) => {
      const answer = await reach(options)('listDeadLetters', { ...(queue !== undefined && { queue }), limit: 1000 });
      process.stdout.write(`${printed(rowsOf(answer), output)}\n`);
    });
  withReach(dlq.command('show'))
    .description('one dead letter, with its event')
    .argument('<id>', 'of the letter, or how it begins')
    .addHelpText('after', examples)
    .action(async (id: string, options: Options) => {
      const letter = await named(reach(options), id);
      process.stdout.write(`${JSON.stringify(letter, undefined, 2)}\n`);
    });
  withReach(dlq.command('redrive'))
    .description('have dead letters delivered again')
    .argument('[id...]', 'of letters, or how they begin')
    .option('--queue <name>', 'all of this queue')
    .option('--all', 'all that there are')
    .addHelpText('after', examples)
    .action(async (ids: readonly string[], { queue, all = false, ...options }: Options) => {
      const ask = reach(options);
      const ways = [ids.length > 0, queue !== undefined, all].filter(Boolean).length;
      if (ways !== 1) throw wrong('name the letters, or a queue with --queue, or say --all; one of the three');
      const letters = await Promise.all(ids.map((id) => named(ask, id)));
      const which = {
        ...(queue !== undefined && { queue }),
        ...(ids.length > 0 && { ids: letters.map(({ id }) => id) }),
      };
      const { redriven } = await ask('redriveDeadLetters', which);
      process.stdout.write(`${count(redriven, 'dead letter')} will be delivered again.\n`);
    });
}

async function named(ask: Ask, id: string): Promise<Letter> {
  const { deadLetters } = await ask('listDeadLetters', { limit: 1000 });
  const [found, other] = deadLetters.filter((letter) => letter.id.startsWith(id));
  if (found === undefined) throw wrong(`there is no dead letter ${id}; "evenkeel dlq list" has them`);
  if (other !== undefined) throw wrong(`${id} begins the names of several dead letters; write more of it`);
  return found;
}

function rowsOf(answer: OutputOf<'listDeadLetters'>): Rows<Letter> {
  return {
    rows: answer.deadLetters,
    document: answer,
    columns: [
      { head: 'ID', of: ({ id }) => id.slice(0, 8) },
      { head: 'QUEUE', of: ({ queue }) => queue },
      { head: 'EVENT', of: ({ event = '-' }) => event },
      { head: 'ABOUT', of: aboutText },
      { head: 'SENT', of: ({ sentAt = '-' }) => sentAt, wide: true },
      { head: 'REASON', of: ({ reason }) => reason },
      { head: 'ERROR', of: ({ error }) => error, text: true },
    ],
    name: ({ id }) => `dead-letter/${id}`,
    none: 'There are no dead letters.',
  };
}

/** "karmada/come-home": the keys in the event. */
function aboutText({ detail = {} }: Letter): string {
  const { version: _, ...keys } = detail;
  return Object.values(keys).map(String).join('/') || '-';
}
