/** Decides which words may follow the typed words: for kubectl, which calls its plugins for completion. */
import type { WordNode } from './word-tree.ts';

export interface CompletionItem {
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
