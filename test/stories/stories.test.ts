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

/** What the story says itself; what it narrates of the functions is set in deeper. */
const own = (lines: readonly string[]) => lines.filter((line) => !line.startsWith('    '));

/**
 * The golden file's text where the story says the same steps, and the functions report all that is in it; else what was told. A busy machine
 * adds to the functions' lines (a retry, a second reconcile), and changes their order.
 */
function toldAs(file: URL, lines: readonly string[]): string {
  const text = `${lines.join('\n')}\n`;
  if (!existsSync(file)) return text;
  const golden = readFileSync(file, 'utf8');
  const wanted = golden.trimEnd().split('\n');
  const isSame = own(lines).join('\n') === own(wanted).join('\n');
  return isSame && wanted.every((line) => lines.includes(line)) ? golden : text;
}

/** But for how long a plot is. */
const withoutPlots = (lines: readonly string[]) => lines.map((line) => line.replace(/│.*$/, '│'));

// Stories wait more than they work: side by side they take as long as the longest.
describe.concurrent('npm start plays to the word', () => {
  const stories = ['failback', 'descheduler', 'autopilot', 'graceful', 'elastic'];
  it.for(stories)('%s', { timeout: 300_000 }, async (story, { expect }) => {
    const { lines, cameTrue } = await play(story);
    expect(cameTrue, lines.join('\n')).toBe(true);
    const golden = new URL(`golden/${story}.txt`, import.meta.url);
    await expect(toldAs(golden, withoutPlots(lines))).toMatchFileSnapshot(fileURLToPath(golden));
  });
});

// One of `npm run test:deep` alone.
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
