/** Decides what may come next after the words that were typed: for kubectl, which asks its plugins. */
import type { WordNode } from './word-tree.ts';

export interface Candidate {
  readonly word: string;
  readonly says: string;
}

/** The last word is the one that is being typed, and may be empty. */
export function completeWords(root: WordNode, words: readonly string[]): readonly Candidate[] {
  const typed = words.at(-1) ?? '';
  const before = words.slice(0, -1);
  const node = before.reduce((at, word) => at.commands.find(({ name }) => name === word) ?? at, root);
  return candidatesAt(node, before.at(-1)).filter(
    ({ word }) => word.startsWith(typed) && (typed !== '' || !word.startsWith('-')),
  );
}

function candidatesAt(node: WordNode, previous: string | undefined): readonly Candidate[] {
  const asked = node.options.find(({ flags, takesValue }) => takesValue && flags.includes(previous ?? ''));
  if (asked !== undefined) return asked.choices.map((word) => ({ word, says: '' }));
  return [
    ...node.commands.map(({ name, says }) => ({ word: name, says })),
    ...node.choices.map((word) => ({ word, says: '' })),
    ...node.options.flatMap(({ flags, says }) => flags.slice(-1).map((word) => ({ word, says }))),
  ];
}
