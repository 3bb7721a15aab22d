/** Decides what may follow the typed words: from the tree of commands, their options and their choices. */
import type { Argument, Command, Option } from 'commander';

export interface CompletionWord {
  readonly word: string;
  readonly description: string;
}

/** Where a name is missing: "policy" of `run <policy>`. Only the hub or the deployment has its values. */
export interface MissingName {
  readonly placeholder: string;
  /** The arguments before it. */
  readonly operands: readonly string[];
  /** The typed options, and the defaults of the others. */
  readonly options: Readonly<Record<string, unknown>>;
}

export interface CompletedWords {
  readonly words: readonly CompletionWord[];
  readonly missing?: MissingName;
}

/** The last word is incomplete, and may be empty. */
export function completedWords(root: Command, typed: readonly string[]): CompletedWords {
  const before = typed.slice(0, -1);
  const last = typed.at(-1) ?? '';
  const command = before.reduce((at, word) => at.commands.find((each) => each.name() === word) ?? at, root);
  const given = before.slice(before.lastIndexOf(command.name()) + 1);
  const option = optionBefore(command, before.at(-1));
  const { operands } = command.parseOptions([...(option === undefined ? given : given.slice(0, -1))]);
  const asked = option ?? argumentAfter(command, operands);
  const others = option === undefined ? [...subcommandsOf(command), ...optionsOf(command)] : [];
  const choices = asked?.argChoices ?? [];
  return {
    words: [...choices.map((word) => ({ word, description: '' })), ...others].filter(
      ({ word }) => word.startsWith(last) && (last !== '' || !word.startsWith('-')),
    ),
    ...(asked !== undefined &&
      choices.length === 0 && {
        missing: { placeholder: placeholderOf(asked), operands, options: optionValues(command) },
      }),
  };
}

/** "cluster" of `<cluster>` and of `--all-on <cluster>`. */
function placeholderOf(asked: Argument | Option): string {
  return 'flags' in asked ? (/[<[]([^>\].]+)/.exec(asked.flags)?.[1] ?? '') : asked.name();
}

/** The option whose value comes next. */
function optionBefore({ options }: Command, previous: string | undefined): Option | undefined {
  return options.find(
    ({ long, short, required, optional }) =>
      (required || optional) && previous !== undefined && [long, short].includes(previous),
  );
}

function argumentAfter({ registeredArguments }: Command, operands: readonly string[]): Argument | undefined {
  const last = registeredArguments.at(-1);
  return registeredArguments[operands.length] ?? (last?.variadic ? last : undefined);
}

function subcommandsOf(command: Command): readonly CompletionWord[] {
  return command
    .createHelp()
    .visibleCommands(command)
    .map((each) => ({ word: each.name(), description: each.description() }));
}

function optionsOf(command: Command): readonly CompletionWord[] {
  return command
    .createHelp()
    .visibleOptions(command)
    .flatMap(({ long, description }) => (long ? [{ word: long, description }] : []));
}

/** With the values of the environment, which commander reads only when it runs a command. */
function optionValues(command: Command): Readonly<Record<string, unknown>> {
  const ofEnvironment = command.options.flatMap((option) => {
    const value = option.envVar === undefined ? undefined : process.env[option.envVar];
    const name = option.attributeName();
    return value && command.getOptionValueSource(name) !== 'cli' ? [[name, value] as const] : [];
  });
  return { ...command.opts(), ...Object.fromEntries(ofEnvironment) };
}
