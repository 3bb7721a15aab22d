/** The answer to a shell, in the protocol of kubectl and cobra: a word and its description in each line, then a directive. */
import type { Command } from 'commander';
import { kindsMeant } from '../rebalance/named-workloads.ts';
import { namesFor } from './names.ts';
import { completedWords } from './words.ts';

/** No file names are completed. */
const NO_FILES = ':4';

/** `typed`: the words after the name of the command; the last one is incomplete, and may be empty. */
export async function complete(root: Command, typed: readonly string[]): Promise<void> {
  const lines = await completionLines(root, typed);
  // The shell waits until the process ends, which an abandoned request would delay.
  process.stdout.write(lines, () => process.exit());
}

async function completionLines(root: Command, typed: readonly string[]): Promise<string> {
  const { words, missing } = completedWords(root, typed);
  const last = typed.at(-1) ?? '';
  // A hub that can't be read completes nothing: an error would be printed between the words that the user types.
  const names = missing === undefined ? [] : await namesFor(missing).catch(() => []);
  const meant = names.map((name) => asTyped(name, last)).filter((name) => name.startsWith(last));
  const lines = words.map(({ word, description }) => (description === '' ? word : `${word}\t${description}`));
  return [...new Set([...meant, ...lines]), NO_FILES, ''].join('\n');
}

/** "deploy/web" for "deployment/web" if the typed word begins with deploy/. */
function asTyped(name: string, typed: string): string {
  const [kind = '', rest] = name.split('/');
  const [short = '', begun] = typed.split('/');
  return rest !== undefined && begun !== undefined && kindsMeant(short).includes(kind) ? `${short}/${rest}` : name;
}
