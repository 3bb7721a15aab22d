/** Parses the rig's command line. */
import { parseArgs } from 'node:util';
import { RigFailure } from './failure.ts';

export const usage = `npm run rig -- COMMAND [options]

  up [hub] [karmada] [ocm] [aws]     start what is named and what it needs (default: hub); again: start what is missing
  build [hub] [karmada] [ocm] [aws]  only build and install what they are made of
  status                             what runs, where, and how much memory it takes
  logs [PROCESS]                     the end of a process's log, or of all
  down                               end it all and remove its folder

  --name NAME     which rig (default: rig); several can be up at once
  --members N     member clusters of Karmada, or managed clusters of Open Cluster Management, 1 to 8 (default: 2)
  --lines N       how much of a log (default: 20)
`;

export interface Commands {
  readonly command: 'up' | 'build' | 'status' | 'logs' | 'down';
  readonly parts: readonly Part[];
  /** For logs. */
  readonly process: string | undefined;
  readonly name: string;
  readonly members: number;
  readonly lines: number;
}

const parts = ['hub', 'karmada', 'ocm', 'aws'] as const;
export type Part = (typeof parts)[number];

/** Undefined for --help. Throws a RigFailure with the invalid argument and the usage. */
export function parseCommandLine(argv: readonly string[]): Commands | undefined {
  const { values, positionals } = read(argv);
  const [command, ...words] = positionals;
  if (values.help === true || command === undefined) return undefined;
  if (!isOneOf(['up', 'build', 'status', 'logs', 'down'] as const, command))
    throw new RigFailure(`${command}: no such command\n\n${usage}`);
  const takesParts = command === 'up' || command === 'build';
  const unknown = takesParts ? words.find((word) => !isOneOf(parts, word)) : words[command === 'logs' ? 1 : 0];
  if (unknown !== undefined)
    throw new RigFailure(
      `${command} ${unknown}: ${takesParts ? `there are the parts ${parts.join(', ')}` : 'one word too many'}`,
    );
  return {
    command,
    parts: takesParts && words.length > 0 ? (words as Part[]) : ['hub'],
    process: command === 'logs' ? words[0] : undefined,
    name: values.name ?? 'rig',
    members: whole('members', values.members ?? '2', 8),
    lines: whole('lines', values.lines ?? '20', 10_000),
  };
}

function read(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: {
        name: { type: 'string' },
        members: { type: 'string' },
        lines: { type: 'string' },
        help: { type: 'boolean' },
      },
    });
  } catch (thrown) {
    throw new RigFailure(`${thrown instanceof Error ? thrown.message.split('\n')[0] : ''}\n\n${usage}`);
  }
}

function whole(option: string, text: string, max: number): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= 1 && value <= max) return value;
  throw new RigFailure(`--${option} ${text}: a whole number from 1 to ${max} is needed`);
}

function isOneOf<T extends string>(known: readonly T[], word: string): word is T {
  return (known as readonly string[]).includes(word);
}
