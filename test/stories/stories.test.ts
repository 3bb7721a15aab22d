import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { startRun } from '../../local/run.ts';
import { isDeep } from '../depth.ts';

const options = { help: false, once: true, port: 0, data: undefined, kubeconfig: undefined, estimator: {} };

async function play(story: string): Promise<{ lines: string[]; cameTrue: boolean }> {
  const lines: string[] = [];
  const run = await startRun({ ...options, story }, (line) => lines.push(line));
  await run.close();
  return { lines: lines.flatMap((line) => line.split('\n')), cameTrue: run.cameTrue };
}

/** The lines of the story itself; the lines about the functions are indented. */
const own = (lines: readonly string[]) => lines.filter((line) => !line.startsWith('    '));

/**
 * The text of the golden file if the story has the same steps and the functions print all of its lines; otherwise the printed text. A busy machine
 * adds lines of the functions (a retry, a second reconcile), and changes their order.
 */
function comparable(file: URL, lines: readonly string[]): string {
  const text = `${lines.join('\n')}\n`;
  if (!existsSync(file)) return text;
  const golden = readFileSync(file, 'utf8');
  const wanted = golden.trimEnd().split('\n');
  const isSame = own(lines).join('\n') === own(wanted).join('\n');
  return isSame && wanted.every((line) => lines.includes(line)) ? golden : text;
}

/** Removes plots, whose length varies. */
const withoutPlots = (lines: readonly string[]) => lines.map((line) => line.replace(/│.*$/, '│'));

// Stories mostly wait, so all of them together take as long as the longest.
describe.concurrent('npm start prints exactly the golden text of the story', () => {
  const stories = ['failback', 'descheduler', 'autopilot', 'graceful', 'elastic'];
  it.for(stories)('%s', { timeout: 300_000 }, async (story, { expect }) => {
    const { lines, cameTrue } = await play(story);
    expect(cameTrue, lines.join('\n')).toBe(true);
    const golden = new URL(`golden/${story}.txt`, import.meta.url);
    await expect(comparable(golden, withoutPlots(lines))).toMatchFileSnapshot(fileURLToPath(golden));
  });
});

// Only in `npm run test:deep`.
if (isDeep)
  it('npm start plays large: 5,000 workloads with replicas, each binding patched exactly once and rescheduled, 50 chunks done', async () => {
    const { lines, cameTrue } = await play('large');
    expect(lines).toContain('  now: member1 5000, member2 5000, member3 0 (10000 of 10000 ready)');
    expect(lines.join('\n')).toMatch(
      /5000 of 5000 were rescheduled and ready within .*\n {2}now: .* \(10000 of 10000 ready\)/,
    );
    expect(lines).toContain('5000 of 5000 bindings were patched exactly once');
    expect(lines).toContain('the table shows 50 of 50 chunks done, state Finished');
    expect(cameTrue).toBe(true);
  }, 240_000);
