import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ConsoleServer } from '../../../../local/console-server.ts';
import { startFakeServer } from '../../../console/fake-server.ts';
import { type FakeWorld, fakeWorld } from '../../../console/fake-world.ts';
import { axeFinds, builtConsole, openBrowser, openPage, picture } from './browser.ts';

let browser: Browser;
let world: FakeWorld;
let server: ConsoleServer;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());
beforeEach(async () => {
  world = fakeWorld({ clusters: 4, workloads: 34 });
  server = await startFakeServer(world, { folder: await builtConsole() });
});
afterEach(() => server.close());

describe('a rebalance from the page, by keyboard alone', () => {
  it('shows its plan first, keeps the focus in the dialog, and opens the task', async () => {
    await using seen = await openPage(browser, `${server.url}/#/practice/fleet`);
    const { page } = seen;
    const grid = page.getByRole('grid');
    await grid.waitFor();
    await page.getByLabel('Filter workloads').fill('shop/web');
    await page.getByText('shop/web on member1').first().waitFor({ state: 'attached' });
    await grid.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'shop/web' }).waitFor();
    const ordering = page.getByRole('button', { name: 'Rebalance' });
    await ordering.focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.getByText('replicas would move').waitFor();
    for (let i = 0; i < 8; i++) {
      await page.keyboard.press('Tab');
      // The focus may reach the browser's toolbar, but no element behind the dialog.
      expect(
        await page.evaluate(
          'document.activeElement === document.body || document.activeElement.closest("dialog") !== null',
        ),
      ).toBe(true);
    }
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(world.tasks).toHaveLength(9);
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Rebalance…');
    await page.keyboard.press('Enter');
    await dialog.getByRole('button', { name: 'Rebalance' }).press('Enter');
    await page.getByRole('heading', { level: 1, name: 'evenkeel-console-9' }).waitFor();
    expect(world.tasks.map(({ name }) => name)).toContain('evenkeel-console-9');
    expect(seen.complaints).toEqual([]);
  });
});

describe('the drain of a cluster on the page', () => {
  it('is confirmed in a dialog with what moves, is shown on the cluster, and ends with uncordon', async () => {
    await using seen = await openPage(browser, `${server.url}/#/practice/fleet`);
    const { page } = seen;
    await page.getByRole('button', { name: 'Drain member1' }).click();
    const dialog = page.getByRole('dialog', { name: 'Drain member1' });
    await dialog.getByText(/\d+ replicas of \d+ workloads/).waitFor();
    await picture(page, 'drain-dialog');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(world.fleet.clusters[0]?.drain).toBeUndefined();
    await page.getByRole('button', { name: 'Drain member1' }).click();
    await dialog.getByRole('button', { name: 'Drain', exact: true }).press('Enter');
    const cluster = page.getByRole('listitem').filter({ hasText: 'member1' });
    await cluster.getByText('draining').waitFor();
    await cluster.getByText('wave 1 of 3').waitFor();
    expect(await axeFinds(page)).toEqual([]);
    await picture(page, 'drain');
    await cluster.getByRole('button', { name: 'Uncordon member1' }).click();
    await page.getByRole('button', { name: 'Drain member1' }).waitFor();
    expect(seen.complaints).toEqual([]);
  });
});

describe('dead-letter messages on the page', () => {
  it('are redriven individually, and by queue', async () => {
    await using seen = await openPage(browser, `${server.url}/#/health`);
    const { page } = seen;
    await page.getByRole('button', { name: 'Redrive WorkloadRebalancerChanged practice/nightly-0' }).click();
    await page.getByText('1 dead letter delivered again').waitFor();
    await expect.poll(() => world.deadLetters.map(({ id }) => id)).toEqual(['letter-1', 'letter-2']);
    await page.getByRole('button', { name: 'Redrive all of evenkeel-plan-rebalance' }).click();
    await page.getByText('evenkeel-plan-rebalance').and(page.getByRole('heading')).waitFor({ state: 'detached' });
    expect(world.deadLetters.map(({ id }) => id)).toEqual(['letter-2']);
    expect(seen.complaints).toEqual([]);
  });
});

describe('the logs on the page', () => {
  it('are searched on request, and their lines are added to the history', async () => {
    await using seen = await openPage(browser, `${server.url}/#/practice/workloads/shop/web-deployment`);
    const { page } = seen;
    await page.getByRole('button', { name: 'Look in the logs' }).click();
    await page.getByText('1 line found in the logs').waitFor();
    await page.getByText('RebalanceChunkPlanned come-home').waitFor();
    expect(seen.complaints).toEqual([]);
  });
});

describe('a hub on the page', () => {
  it('is paused with a reason that every page shows, and resumed', async () => {
    await using seen = await openPage(browser, `${server.url}/#/health`);
    const { page } = seen;
    await page.getByRole('button', { name: 'Pause practice' }).click();
    await page.getByLabel('Why').fill('upgrade of Karmada');
    await page.getByRole('dialog').getByRole('button', { name: 'Pause' }).click();
    await page.getByText(': upgrade of Karmada').waitFor();
    // By the hub's own link: without one on the screen before, the link in the navigation is that of the first hub by name.
    await page.getByRole('link', { name: 'practice', exact: true }).click();
    await page.getByTitle('Paused: upgrade of Karmada').waitFor();
    await page.getByRole('link', { name: 'Health' }).click();
    await page.getByRole('button', { name: 'Resume practice' }).click();
    await page.getByText('practice is resumed and compared').waitFor();
    await page.getByRole('button', { name: 'Pause practice' }).waitFor();
    expect(seen.complaints).toEqual([]);
  });
});

describe('the practice hub on the page', () => {
  it('can fail a cluster, which the map and the panel then show', async () => {
    await using seen = await openPage(browser, `${server.url}/#/practice/fleet`);
    const { page } = seen;
    await page.getByRole('button', { name: 'Fail member1' }).click();
    await page.getByText('member1 has failed').waitFor();
    await page.getByTitle('member1: not ready').waitFor();
    await page.getByRole('button', { name: 'Recover member1' }).click();
    await page.getByTitle('member1: ready').waitFor();
    expect(seen.complaints).toEqual([]);
  });
});
