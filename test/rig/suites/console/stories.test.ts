import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseOptions } from '../../../../local/options.ts';
import { type LocalRun, startRun } from '../../../../local/run.ts';
import { stories } from '../../../../local/stories/stories.ts';
import { look, openBrowser, picture, type Sight } from './browser.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

interface Told extends AsyncDisposable {
  readonly seen: Sight;
  readonly url: string;
  /** Ends when the story does; true when every step came true. */
  readonly over: Promise<boolean>;
}

/** A local run as `npm start` makes it, looked at from when its page is up: the story is still to come. */
async function tell(story: string): Promise<Told> {
  const page = Promise.withResolvers<string>();
  const running = startRun(parseOptions(['--port', '0', '--story', story], stories), (line) => {
    const [, url] = /The page is at (\S+)/.exec(line) ?? [];
    if (url !== undefined) page.resolve(url);
  });
  running.catch(page.reject);
  const url = await page.promise;
  const seen = await look(browser, url);
  const over = running.then(({ cameTrue }: LocalRun) => cameTrue);
  const end = async () => {
    await seen[Symbol.asyncDispose]();
    await (await running).close();
  };
  return { seen, url, over, [Symbol.asyncDispose]: end };
}

/** A figure at the head of the fleet: "held". */
const figure = (page: Page, word: string) => page.locator('.figures li', { hasText: word }).locator('strong');
const row = (page: Page, workload: string) => page.getByRole('row').filter({ hasText: workload });

describe('from a fresh start to a workload that was moved, on the page alone', () => {
  it('a cluster fails, its replicas go elsewhere, and a rebalance brings them back', async () => {
    await using told = await tell('failback');
    expect(await told.over).toBe(true);
    const { page } = told.seen;
    await page.getByRole('button', { name: 'Fail member1' }).click();
    await page.getByTitle('member1: not ready').waitFor();
    await page.getByRole('link', { name: 'default/web' }).click();
    const now = (cluster: string) => page.locator('.plan tbody tr', { hasText: cluster }).locator('td').first();
    await expect.poll(() => now('member2').textContent()).toBe('6');
    await page.goBack();
    await page.getByRole('button', { name: 'Recover member1' }).click();
    await page.getByTitle('member1: ready').waitFor();
    await page.getByRole('link', { name: 'default/web' }).click();
    await page.getByText('Fresh would move 4 replicas.').waitFor();
    await page.getByRole('button', { name: 'Rebalance' }).click();
    await page.getByRole('dialog').getByText('4 replicas would move.').waitFor();
    await picture(page, 'story-rebalance');
    await page.getByRole('dialog').getByRole('button', { name: 'Rebalance' }).click();
    await row(page, 'Deployment default/web').getByText('triggered', { exact: true }).waitFor();
    await picture(page, 'story-task');
    await page.getByRole('link', { name: 'Deployment default/web' }).click();
    await expect.poll(() => now('member1').textContent()).toBe('4');
    await picture(page, 'story-moved');
    expect(told.seen.complaints).toEqual([]);
  });
});

describe('a story that is watched on the page', () => {
  it('graceful: held replicas are seen while they wait for their replacement', async () => {
    await using told = await tell('graceful');
    const { page } = told.seen;
    await expect.poll(() => figure(page, 'held').textContent(), { interval: 200 }).toMatch(/^[1-9]/);
    await picture(page, 'story-held');
    expect(await told.over).toBe(true);
    await expect.poll(() => figure(page, 'held').textContent()).toBe('0');
    expect(told.seen.complaints).toEqual([]);
  });

  it('autopilot: the runs of its policies are listed, and each tells what it did with every workload', async () => {
    await using told = await tell('autopilot');
    expect(await told.over).toBe(true);
    const { page } = told.seen;
    await page.getByRole('link', { name: 'Decisions' }).click();
    const runs = page.getByRole('region', { name: 'Policy runs' });
    await runs.getByRole('rowheader').first().waitFor();
    await picture(page, 'story-decisions');
    await runs.getByRole('rowheader').getByRole('link').first().click();
    await page.getByRole('table', { name: 'Workloads of the run' }).getByRole('link').first().waitFor();
    expect(told.seen.complaints).toEqual([]);
  });

  it('descheduler: what was taken out is told with where and why', async () => {
    await using told = await tell('descheduler');
    expect(await told.over).toBe(true);
    const { page } = told.seen;
    await page.getByRole('link', { name: 'Decisions' }).click();
    const taken = page.getByRole('region', { name: 'Descheduler' }).getByRole('row').filter({ hasText: 'Written' });
    await taken
      .getByText(/\d+ → \d+/)
      .first()
      .waitFor();
    await picture(page, 'story-descheduler');
    expect(told.seen.complaints).toEqual([]);
  });

  it('elastic: a workload of an Open Cluster Management fleet is on the map and opens', async () => {
    await using told = await tell('elastic');
    expect(await told.over).toBe(true);
    const { page } = told.seen;
    await page.locator('.heat-name a').first().click();
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.locator('.plan tbody tr').first().waitFor();
    await picture(page, 'story-elastic');
    expect(told.seen.complaints).toEqual([]);
  });
});
