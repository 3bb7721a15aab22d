/** `evenkeel dlq`: events that no function could handle. */
import type { Command } from 'commander';
import type { DeadLetterAnswer } from '../../shared/console-api/operations/health.ts';
import type { Ask, OutputOf } from '../../shared/console-api/operations.ts';
import { count } from '../../shared/core/count.ts';
import { invalidOption } from '../../shared/core/fault.ts';
import { type Output, outputOption, printed, type Rows } from './printed-rows.ts';
import { type DeploymentAddress, reach, withReach } from './reach.ts';

interface DeadLetterCommandOptions extends DeploymentAddress {
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
    .description('list the dead-letter messages, with their causes')
    .option('--queue <name>', 'only of this queue; "evenkeel get queues" has the names')
    .addOption(outputOption())
    .addHelpText('after', examples)
    .action(async ({ queue, output, ...options }: DeadLetterCommandOptions) => {
      const answer = await reach(options)('listDeadLetters', { ...(queue !== undefined && { queue }), limit: 1000 });
      process.stdout.write(`${await printed(rowsOf(answer), output)}\n`);
    });
  withReach(dlq.command('show'))
    .description('one dead-letter message, with its event')
    .argument('<id>', 'of the message, or a prefix')
    .addHelpText('after', examples)
    .action(async (id: string, options: DeadLetterCommandOptions) => {
      const deadLetter = await named(reach(options), id);
      process.stdout.write(`${JSON.stringify(deadLetter, undefined, 2)}\n`);
    });
  withReach(dlq.command('redrive'))
    .description('deliver dead-letter messages again')
    .argument('[id...]', 'of messages, or prefixes')
    .option('--queue <name>', 'all of this queue')
    .option('--all', 'all that there are')
    .addHelpText('after', examples)
    .action(async (ids: readonly string[], { queue, all = false, ...options }: DeadLetterCommandOptions) => {
      const ask = reach(options);
      const ways = [ids.length > 0, queue !== undefined, all].filter(Boolean).length;
      if (ways !== 1) throw invalidOption('give message ids, --queue or --all; exactly one of the three');
      const deadLetters = await Promise.all(ids.map((id) => named(ask, id)));
      const which = {
        ...(queue !== undefined && { queue }),
        ...(ids.length > 0 && { ids: deadLetters.map(({ id }) => id) }),
      };
      const { redriven } = await ask('redriveDeadLetters', which);
      process.stdout.write(`${count(redriven, 'dead letter')} will be delivered again.\n`);
    });
}

async function named(ask: Ask, id: string): Promise<DeadLetterAnswer> {
  const { deadLetters } = await ask('listDeadLetters', { limit: 1000 });
  const [found, other] = deadLetters.filter((deadLetter) => deadLetter.id.startsWith(id));
  if (found === undefined) throw invalidOption(`dead letter ${id} not found; "evenkeel dlq list" lists them`);
  if (other !== undefined) throw invalidOption(`${id} matches several dead letters; use a longer prefix`);
  return found;
}

function rowsOf(answer: OutputOf<'listDeadLetters'>): Rows<DeadLetterAnswer> {
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
    none: 'No dead letters found.',
  };
}

/** "karmada/come-home": the keys in the event. */
function aboutText({ detail = {} }: DeadLetterAnswer): string {
  const { version: _, ...keys } = detail;
  return Object.values(keys).map(String).join('/') || '-';
}
