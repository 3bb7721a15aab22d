/** What may be typed where: the commands of the command line with their options and choices, for whatever completes words. */
import type { Command, Option } from 'commander';

export interface WordOption {
  /** "-o" and "--output". */
  readonly flags: readonly string[];
  readonly says: string;
  readonly takesValue: boolean;
  /** Of its value; empty where it may be anything. */
  readonly choices: readonly string[];
}

export interface WordNode {
  readonly name: string;
  readonly says: string;
  readonly commands: readonly WordNode[];
  readonly options: readonly WordOption[];
  /** What an argument may be, where not anything. */
  readonly choices: readonly string[];
}

/** A node with the names that lead to it: [] and the root, ['hub', 'check'] and the command. */
export interface PlacedNode {
  readonly path: readonly string[];
  readonly node: WordNode;
}

const help: WordOption = { flags: ['-h', '--help'], says: 'show help', takesValue: false, choices: [] };

export function wordTree(command: Command): WordNode {
  return {
    name: command.name(),
    says: command.description(),
    commands: command.commands.map(wordTree),
    options: [...command.options.filter(({ hidden }) => !hidden).map(optionOf), help],
    choices: command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []),
  };
}

function optionOf({ short, long, description, required, optional, argChoices }: Option): WordOption {
  const flags = [short, long].filter((flag) => flag != null);
  return { flags, says: description, takesValue: required || optional, choices: argChoices ?? [] };
}

/** All nodes, a command before those below it. */
export function placedNodes(node: WordNode, path: readonly string[] = []): readonly PlacedNode[] {
  return [{ path, node }, ...node.commands.flatMap((each) => placedNodes(each, [...path, each.name]))];
}
