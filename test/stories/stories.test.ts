import { describe, expect, it } from 'vitest';
import { startRun } from '../../local/run.ts';

const options = { help: false, once: true, port: 0, data: undefined, kubeconfig: undefined, estimator: {} };

async function play(story: string): Promise<{ lines: string[]; cameTrue: boolean }> {
  const lines: string[] = [];
  const run = await startRun({ ...options, story }, (line) => lines.push(line));
  await run.close();
  return { lines, cameTrue: run.cameTrue };
}

/** Two functions that hear one event answer in any order: lines about the same event that stand together are sorted. */
function inOrder(lines: readonly string[]): string[] {
  const event = (line: string) => /^ {4}(\w+):/.exec(line)?.[1];
  return lines.reduce<string[]>((done, line) => {
    let place = done.length;
    while (
      place > 0 &&
      event(line) !== undefined &&
      event(done[place - 1] ?? '') === event(line) &&
      (done[place - 1] ?? '') > line
    )
      place -= 1;
    return done.toSpliced(place, 0, line);
  }, []);
}

describe('npm start plays', () => {
  it('failback, to the word', async () => {
    const { lines, cameTrue } = await play('failback');
    expect(cameTrue).toBe(true);
    await expect(`${inOrder(lines).join('\n')}\n`).toMatchFileSnapshot('golden/failback.txt');
  }, 60_000);

  it('descheduler, to the word', async () => {
    const { lines, cameTrue } = await play('descheduler');
    expect(cameTrue).toBe(true);
    await expect(`${inOrder(lines).join('\n')}\n`).toMatchFileSnapshot('golden/descheduler.txt');
  }, 60_000);

  it('autopilot, to the word', async () => {
    const { lines, cameTrue } = await play('autopilot');
    expect(cameTrue).toBe(true);
    await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('golden/autopilot.txt');
  }, 150_000);

  it('graceful, to the word, but for how long a plot is', async () => {
    const { lines, cameTrue } = await play('graceful');
    expect(cameTrue).toBe(true);
    const words = lines.map((line) => line.replace(/│.*$/, '│'));
    await expect(`${words.join('\n')}\n`).toMatchFileSnapshot('golden/graceful.txt');
  }, 60_000);

  it('elastic, to the word', async () => {
    const { lines, cameTrue } = await play('elastic');
    expect(cameTrue).toBe(true);
    await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('golden/elastic.txt');
  }, 60_000);

  it('large: 5,000 workloads, each binding patched exactly once, 50 chunks done', async () => {
    const { lines, cameTrue } = await play('large');
    expect(lines).toContain('5000 of 5000 bindings were patched exactly once');
    expect(lines).toContain('the table shows 50 of 50 chunks done, state Finished');
    expect(cameTrue).toBe(true);
  }, 60_000);
});
