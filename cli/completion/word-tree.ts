/** The commands with their options and choices as a tree, and the words that may follow the typed ones. */
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

interface CompletionItem {
  readonly word: string;
  readonly description: string;
}

/** The last word is incomplete, and may be empty. */
export function completeWords(root: WordNode, words: readonly string[]): readonly CompletionItem[] {
  const typed = words.at(-1) ?? '';
  const before = words.slice(0, -1);
  const node = before.reduce((at, word) => at.commands.find(({ name }) => name === word) ?? at, root);
  return candidatesAt(node, before.at(-1)).filter(
    ({ word }) => word.startsWith(typed) && (typed !== '' || !word.startsWith('-')),
  );
}

function candidatesAt(node: WordNode, previous: string | undefined): readonly CompletionItem[] {
  const asked = node.options.find(({ flags, takesValue }) => takesValue && flags.includes(previous ?? ''));
  if (asked !== undefined) return asked.choices.map((word) => ({ word, description: '' }));
  return [
    ...node.commands.map(({ name, description }) => ({ word: name, description })),
    ...node.choices.map((word) => ({ word, description: '' })),
    ...node.options.flatMap(({ flags, description }) => flags.slice(-1).map((word) => ({ word, description }))),
  ];
}
