import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseOptions } from '../../../../local/options.ts';
import { type LocalRun, startRun } from '../../../../local/run.ts';
import { stories } from '../../../../local/stories/stories.ts';
import { axeFinds, type OpenPage, openBrowser, openPage, picture, widthBeyond } from './browser.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

const appearances = [
  { name: 'light', colorScheme: 'light', viewport: { width: 1280, height: 800 } },
  { name: 'dark', colorScheme: 'dark', viewport: { width: 1280, height: 800 } },
  { name: 'narrow', colorScheme: 'light', viewport: { width: 380, height: 780 } },
] as const;

interface Played extends AsyncDisposable {
  readonly seen: OpenPage;
  readonly url: string;
  /** Resolves when the story ends; true if every step succeeded. */
  readonly over: Promise<boolean>;
}

/** A local run as `npm start` starts it, with its page open before the story starts. */
async function play(story: string): Promise<Played> {
  const page = Promise.withResolvers<string>();
  const running = startRun(parseOptions(['--port', '0', '--story', story], stories), (line) => {
    const [, url] = /The page is at (\S+)/.exec(line) ?? [];
    if (url !== undefined) page.resolve(url);
  });
  running.catch(page.reject);
  const url = await page.promise;
  const seen = await openPage(browser, url);
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

describe('a rebalance with the page alone, from a fresh start', () => {
  it('moves replicas back to a cluster that failed and recovered', async () => {
    await using played = await play('failback');
    expect(await played.over).toBe(true);
    const { page } = played.seen;
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
    expect(played.seen.complaints).toEqual([]);
  });
});

describe('a story on the page', () => {
  it('failback: shows in a fresh browser how replicas left the failed cluster and came back, with the causes', async () => {
    await using played = await play('failback');
    expect(await played.over).toBe(true);
    await using fresh = await openPage(browser, played.url);
    const { page } = fresh;
    await page.getByRole('link', { name: 'default/web' }).click();
    const history = page.getByRole('list', { name: 'History' });
    await history.getByText('WorkloadRebalancer bring-web-back member1 0→4, member2 6→4, member3 6→4').waitFor();
    // The eviction may be over when the binding is read.
    await history.getByText(/^(Eviction|Scheduler).* member1 4→0, member2 4→6, member3 4→6: .*member1/).waitFor();
    await history.getByText('Created member1 4, member2 4, member3 4').waitFor();
    await page.getByRole('combobox', { name: 'Time range' }).selectOption('Last hour');
    await page.getByText('ready 12').waitFor();
    await picture(page, 'story-history');
    expect(await axeFinds(page)).toEqual([]);
    await page.getByRole('link', { name: 'Fleet' }).click();
    await page.getByRole('link', { name: 'member1' }).click();
    const changes = page.getByRole('table', { name: 'Changes of the cluster' });
    await changes.getByRole('row').filter({ hasText: 'Ready → NotReady' }).waitFor();
    await changes.getByRole('row').filter({ hasText: '4 → 0' }).waitFor();
    await changes.getByRole('row').filter({ hasText: 'WorkloadRebalancer bring-web-back' }).waitFor();
    await page.getByRole('table', { name: 'Workloads on member1' }).getByText('Deployment default/web').waitFor();
    await picture(page, 'story-cluster');
    expect(await axeFinds(page)).toEqual([]);
    expect(fresh.complaints).toEqual([]);
  });

  it('failback: shows in a fresh browser where the replicas of the task were before and after, and that it is deleted', async () => {
    await using played = await play('failback');
    expect(await played.over).toBe(true);
    for (const { name, ...as } of appearances) {
      await using fresh = await openPage(browser, `${played.url}#/practice/tasks/bring-web-back`, as);
      const { page } = fresh;
      const panel = page.getByRole('region', { name: 'Before and after' });
      await panel.getByText('4 replicas moved in 1 of 1 workload').waitFor();
      const cells = panel.getByRole('row').filter({ hasText: 'member1' }).locator('td.number');
      expect(await cells.allTextContents()).toEqual(['0', '4', '+4']);
      await row(page, 'Deployment default/web').getByText('moved: member1 0→4, member2 6→4, member3 6→4').waitFor();
      await page.locator('.facts').getByText('deleted at').waitFor();
      await picture(page, `story-diff-${name}`);
      expect(await axeFinds(page)).toEqual([]);
      expect(await widthBeyond(page)).toBeLessThanOrEqual(0);
      expect(fresh.complaints).toEqual([]);
    }
  });

  it('graceful: shows held replicas while they wait for their replacements', async () => {
    await using played = await play('graceful');
    const { page } = played.seen;
    await expect.poll(() => figure(page, 'held').textContent(), { interval: 200 }).toMatch(/^[1-9]/);
    await picture(page, 'story-held');
    expect(await played.over).toBe(true);
    await expect.poll(() => figure(page, 'held').textContent()).toBe('0');
    expect(played.seen.complaints).toEqual([]);
  });

  it('autopilot: lists the policy runs, and shows the outcome of every workload of a run', async () => {
    await using played = await play('autopilot');
    expect(await played.over).toBe(true);
    const { page } = played.seen;
    await page.getByRole('link', { name: 'Decisions' }).click();
    const runs = page.getByRole('region', { name: 'Policy runs' });
    await runs.getByRole('rowheader').first().waitFor();
    await picture(page, 'story-decisions');
    await runs.getByRole('rowheader').getByRole('link').first().click();
    await page.getByRole('table', { name: 'Workloads of the run' }).getByRole('link').first().waitFor();
    const panel = page.getByRole('region', { name: 'Before and after' });
    await panel.getByText(/^[1-9]\d* replicas? moved in [1-9]\d* of /).waitFor();
    await picture(page, 'story-run-diff');
    expect(played.seen.complaints).toEqual([]);
  });

  it('descheduler: lists the evicted replicas with their clusters and reasons', async () => {
    await using played = await play('descheduler');
    expect(await played.over).toBe(true);
    const { page } = played.seen;
    await page.getByRole('link', { name: 'Decisions' }).click();
    const taken = page.getByRole('region', { name: 'Descheduler' }).getByRole('row').filter({ hasText: 'Written' });
    await taken
      .getByText(/\d+ → \d+/)
      .first()
      .waitFor();
    await picture(page, 'story-descheduler');
    expect(played.seen.complaints).toEqual([]);
  });

  it('elastic: shows a workload of an Open Cluster Management fleet on the map, and opens it', async () => {
    await using played = await play('elastic');
    expect(await played.over).toBe(true);
    const { page } = played.seen;
    await page.locator('.heat-name a').first().click();
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.locator('.plan tbody tr').first().waitFor();
    await picture(page, 'story-elastic');
    expect(played.seen.complaints).toEqual([]);
  });
});
