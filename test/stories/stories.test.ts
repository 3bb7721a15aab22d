import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, it } from 'vitest';
import { play } from './play.ts';

/** Printed by a story if the hook has not delivered an event for 10 s, as on a machine that stands still. */
const HINT = '  no audit event has come ';

/** The lines of the story itself; the lines about the functions are indented. */
const own = (lines: readonly string[]) => lines.filter((line) => !line.startsWith('    ') && !line.startsWith(HINT));

/** Decisions that an event has only if it is handled within 3 s, the ttl of the story, or 1 s, the first check of the scheduler. */
const isTimely = (line: string) => /its ttl of 3 s has not passed|the scheduler has a moment to act/.test(line);

/**
 * The text of the golden file if the story has the same steps and the functions print all of its lines, except those that depend on elapsed time;
 * otherwise the printed text. A busy machine adds lines of the functions (a retry, a second reconcile), and changes their order.
 */
function comparable(file: URL, lines: readonly string[]): string {
  const text = `${lines.join('\n')}\n`;
  if (!existsSync(file)) return text;
  const golden = readFileSync(file, 'utf8');
  const wanted = golden.trimEnd().split('\n');
  const isSame = own(lines).join('\n') === own(wanted).join('\n');
  return isSame && wanted.every((line) => isTimely(line) || lines.includes(line)) ? golden : text;
}

/** Removes plots, whose length varies. */
const withoutPlots = (lines: readonly string[]) => lines.map((line) => line.replace(/│.*$/, '│'));

// Stories mostly wait, so all of them together take as long as the longest.
describe.concurrent('npm start prints exactly the golden text of the story', () => {
  const stories = ['failback', 'descheduler', 'autopilot', 'graceful', 'elastic', 'spot', 'price'];
  it.for(stories)('%s', async (story, { expect }) => {
    const { lines, cameTrue } = await play(story);
    expect(cameTrue, lines.join('\n')).toBe(true);
    const golden = new URL(`golden/${story}.txt`, import.meta.url);
    await expect(comparable(golden, withoutPlots(lines))).toMatchFileSnapshot(fileURLToPath(golden));
  });
});
