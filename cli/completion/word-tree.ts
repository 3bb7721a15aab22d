/** The commands with their options and choices, as a tree for completion. */
import type { Command, Option } from 'commander';

export interface WordOption {
  /** "-o" and "--output". */
  readonly flags: readonly string[];
  readonly description: string;
  readonly takesValue: boolean;
  /** Choices of its value; empty: any value. */
  readonly choices: readonly string[];
}

export interface WordNode {
  readonly name: string;
  readonly description: string;
  readonly commands: readonly WordNode[];
  readonly options: readonly WordOption[];
  /** Choices of the argument; empty: any value. */
  readonly choices: readonly string[];
}

/** A node with its path: [] for the root, ['hub', 'check'] for the command. */
export interface PlacedNode {
  readonly path: readonly string[];
  readonly node: WordNode;
}

const help: WordOption = { flags: ['-h', '--help'], description: 'show help', takesValue: false, choices: [] };

export function wordTree(command: Command): WordNode {
  return {
    name: command.name(),
    description: command.description(),
    commands: command.commands.map(wordTree),
    options: [...command.options.filter(({ hidden }) => !hidden).map(optionOf), help],
    choices: command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []),
  };
}

function optionOf({ short, long, description, required, optional, argChoices }: Option): WordOption {
  const flags = [short, long].filter((flag) => flag != null);
  return { flags, description, takesValue: required || optional, choices: argChoices ?? [] };
}

/** All nodes, parents first. */
export function placedNodes(node: WordNode, path: readonly string[] = []): readonly PlacedNode[] {
  return [{ path, node }, ...node.commands.flatMap((each) => placedNodes(each, [...path, each.name]))];
}
