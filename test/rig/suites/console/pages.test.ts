import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ConsoleServer } from '../../../../local/console-server.ts';
import { startFakeServer } from '../../../console/fake-server.ts';
import { fakeWorld } from '../../../console/fake-world.ts';
import { axeFinds, builtConsole, openBrowser, openPage, picture, widthBeyond } from './browser.ts';

let browser: Browser;
let server: ConsoleServer;
beforeAll(async () => {
  const folder = await builtConsole();
  server = await startFakeServer(fakeWorld({ clusters: 4, workloads: 34 }), { folder });
  browser = await openBrowser();
});
afterAll(async () => {
  await browser.close();
  await server.close();
});

const pages = [
  {
    name: 'fleet',
    hash: '#/practice/fleet',
    head: 'Fleet',
    title: 'Fleet · practice · Evenkeel',
    shows: 'identity/api-1 on member1',
  },
  {
    name: 'tasks',
    hash: '#/practice/tasks',
    head: 'Tasks',
    title: 'Tasks · practice · Evenkeel',
    shows: 'media-spread',
  },
  {
    name: 'task',
    hash: '#/practice/tasks/media-spread',
    head: 'media-spread',
    title: 'media-spread · Task · Evenkeel',
    shows: 'Deployment shop/web',
  },
  {
    name: 'workload',
    hash: '#/practice/workloads/shop/web-deployment',
    head: 'shop/web',
    title: 'web-deployment · Workload · Evenkeel',
    shows: 'Fresh would move',
  },
  {
    name: 'decisions',
    hash: '#/practice/decisions',
    head: 'Decisions',
    title: 'Decisions · practice · Evenkeel',
    shows: 'come-home',
  },
  {
    name: 'policies',
    hash: '#/practice/policies',
    head: 'Policies',
    title: 'Policies · practice · Evenkeel',
    shows: '10% of the replicas of each cluster within 1 h 00',
  },
  {
    name: 'policy',
    hash: '#/practice/policies/come-home',
    head: 'come-home',
    title: 'come-home · Policy · Evenkeel',
    shows: 'when a cluster has been healthy again for 5m',
  },
  {
    name: 'run',
    hash: '#/practice/runs/r-7f3a',
    head: 'come-home',
    title: 'r-7f3a · Run · Evenkeel',
    shows: 'member1 has capacity again',
  },
  { name: 'health', hash: '#/health', head: 'Health', title: 'Health · Evenkeel', shows: 'HubUnreachable' },
] as const;

const appearances = [
  { appearance: 'light', colorScheme: 'light', viewport: { width: 1280, height: 800 } },
  { appearance: 'dark', colorScheme: 'dark', viewport: { width: 1280, height: 800 } },
  { appearance: 'narrow', colorScheme: 'light', viewport: { width: 380, height: 780 } },
] as const;

const cases = pages.flatMap((page) => appearances.map((appearance) => ({ ...page, ...appearance })));

describe('every page', () => {
  it.each(cases)(
    '$name, $appearance: shows its content, without console errors, and axe finds nothing',
    async ({ name, hash, head, title, shows, ...as }) => {
      await using seen = await openPage(browser, `${server.url}/${hash}`, {
        colorScheme: as.colorScheme,
        viewport: as.viewport,
      });
      const { page } = seen;
      await page.getByRole('heading', { level: 1, name: head }).waitFor();
      await page.getByText(shows).first().waitFor();
      expect(await page.title()).toBe(title);
      expect(await widthBeyond(page)).toBeLessThanOrEqual(0);
      expect(await axeFinds(page)).toEqual([]);
      await picture(page, `${name}-${as.appearance}`);
      expect(seen.complaints).toEqual([]);
    },
  );

  it.each(appearances)('the dialog before a rebalance, $appearance: axe finds nothing', async (as) => {
    await using seen = await openPage(browser, `${server.url}/#/practice/workloads/shop/web-deployment`, as);
    await seen.page.getByRole('button', { name: 'Rebalance' }).click();
    await seen.page.getByRole('dialog').getByText('would move').waitFor();
    expect(await axeFinds(seen.page)).toEqual([]);
    await picture(seen.page, `rebalance-${as.appearance}`);
    expect(seen.complaints).toEqual([]);
  });

  it.each([
    ['#/practice/nowhere', 'Page not found'],
    ['#/practice/tasks/none-such', 'There is no task none-such yet'],
    ['#/practice/workloads/shop/none-deployment', 'The workload was not found'],
    ['#/practice/policies/none-such', 'RebalancePolicy none-such not found'],
  ])('%s shows the problem and what to do', async (hash, text) => {
    await using seen = await openPage(browser, `${server.url}/${hash}`);
    await seen.page.getByText(text).waitFor();
    expect(await axeFinds(seen.page)).toEqual([]);
  });
});

it('a narrow Health page shows all problems of a hub, above its commands', async () => {
  await using seen = await openPage(browser, `${server.url}/#/health`, { viewport: { width: 380, height: 780 } });
  const hub = seen.page.getByRole('row').filter({ hasText: 'practice' });
  await hub.getByText('the estimator of member2').waitFor();
  const problems = await hub.locator('.hub-findings').boundingBox();
  const commands = await hub.getByRole('button', { name: 'Resync' }).boundingBox();
  expect((problems?.y ?? 0) + (problems?.height ?? 0)).toBeLessThanOrEqual(commands?.y ?? 0);
});

it.each(appearances)('the page of a policy plans a run on request, $appearance', async (as) => {
  await using seen = await openPage(browser, `${server.url}/#/practice/policies/come-home`, as);
  const { page } = seen;
  await page.getByRole('button', { name: 'Plan a run' }).click();
  const panel = page.getByRole('region', { name: 'What it would do now' });
  await panel.getByText('6 replicas of 2 workloads would move in 2 waves').waitFor();
  await panel
    .getByRole('row')
    .filter({ hasText: 'Deployment shop/api' })
    .getByText('member1 0 → 2, member2 8 → 6')
    .waitFor();
  await panel.getByRole('row').filter({ hasText: 'skipped' }).getByText('at most 1 replica').waitFor();
  expect(await widthBeyond(page)).toBeLessThanOrEqual(0);
  expect(await axeFinds(page)).toEqual([]);
  await picture(page, `preview-${as.appearance}`);
  expect(seen.complaints).toEqual([]);
});

describe('the YAML of an object', () => {
  it.each(appearances)('is shown on request, with managed fields folded, $appearance', async (as) => {
    await using seen = await openPage(browser, `${server.url}/#/practice/workloads/shop/web-deployment`, as);
    const { page } = seen;
    await page.getByText('YAML', { exact: true }).click();
    const yaml = page.getByLabel('YAML');
    await yaml.getByText('note: as the API server sends it').waitFor();
    expect(await yaml.textContent()).not.toContain('manager');
    const managed = page.getByLabel('Managed fields');
    expect(await managed.isVisible()).toBe(false);
    await page.getByText('metadata.managedFields').click();
    expect(await managed.textContent()).toContain('manager: kubectl');
    expect(await widthBeyond(page)).toBeLessThanOrEqual(0);
    expect(await axeFinds(page)).toEqual([]);
    await picture(page, `yaml-${as.appearance}`);
    expect(seen.complaints).toEqual([]);
  });
});

it.each([
  '#/practice/tasks/media-spread',
  '#/practice/clusters/member1',
  '#/practice/policies/come-home',
  '#/practice/workloads/shop/web-deployment',
])('the YAML at the end of %s takes no height from what is above it', async (hash) => {
  await using seen = await openPage(browser, `${server.url}/${hash}`, { viewport: { width: 1280, height: 600 } });
  const facts = seen.page.locator('.facts').first();
  const heightOf = async () => (await facts.boundingBox())?.height ?? 0;
  await facts.waitFor();
  await seen.page.getByText('YAML', { exact: true }).click();
  await seen.page.getByLabel('YAML').getByText('spec:').waitFor();
  expect(await heightOf()).toBeGreaterThan(40);
});

describe('the keyboard', () => {
  it.each(appearances)('opens the search with /, which goes to what is named, $appearance', async (as) => {
    await using seen = await openPage(browser, `${server.url}/#/practice/tasks`, as);
    const { page } = seen;
    await page.getByText('media-spread').first().waitFor();
    await page.keyboard.press('/');
    await page.getByRole('searchbox', { name: 'Name' }).fill('member');
    await page.getByRole('list', { name: 'Results' }).getByText('member1').waitFor();
    expect(await axeFinds(page)).toEqual([]);
    await picture(page, `search-${as.appearance}`);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'member2' }).waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
    expect(seen.complaints).toEqual([]);
  });

  it('shows the shortcuts with ?, and closes them with Esc', async () => {
    await using seen = await openPage(browser, `${server.url}/#/health`);
    const { page } = seen;
    await page.getByRole('heading', { level: 1, name: 'Health' }).waitFor();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    expect(await axeFinds(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
    // There is no hub whose names could be searched.
    await page.keyboard.press('/');
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  it('types / and ? into a field that has the focus', async () => {
    await using seen = await openPage(browser, `${server.url}/#/practice/fleet`);
    const field = seen.page.getByRole('searchbox').first();
    await field.click();
    await seen.page.keyboard.type('a/?');
    expect([await field.inputValue(), await seen.page.getByRole('dialog').count()]).toEqual(['a/?', 0]);
  });
});

describe('an empty deployment', () => {
  it('shows on each page what it will contain, and how', async () => {
    const world = fakeWorld({ clusters: 3, workloads: 0, tasks: 0, deadLetters: 0 });
    const folder = await builtConsole();
    const empty = await startFakeServer(world, { folder });
    try {
      await using seen = await openPage(browser, `${empty.url}/#/practice/fleet`);
      await seen.page.getByText('Nothing is placed yet').waitFor();
      await picture(seen.page, 'empty-fleet');
      await seen.page.getByRole('link', { name: 'Tasks' }).click();
      await seen.page.getByText('No rebalance yet').waitFor();
      await seen.page.getByRole('link', { name: 'Health' }).click();
      await seen.page.getByText('No dead letters').waitFor();
      expect(seen.complaints).toEqual([]);
    } finally {
      await empty.close();
    }
  });
});

describe('a read-only page', () => {
  it('has no buttons for commands', async () => {
    const world = fakeWorld({ clusters: 3, workloads: 9, may: { command: false, practice: false } });
    const readOnly = await startFakeServer(world, { folder: await builtConsole() });
    try {
      await using seen = await openPage(browser, `${readOnly.url}/#/health`);
      await seen.page.getByText('HubUnreachable').first().waitFor();
      expect(await seen.page.getByRole('button').allTextContents()).toEqual(['']);
      await seen.page.goto(`${readOnly.url}/#/practice/workloads/shop/web-deployment`);
      await seen.page.getByText('Fresh would').waitFor();
      expect(await seen.page.getByRole('button', { name: /Rebalance|fail/i }).count()).toBe(0);
    } finally {
      await readOnly.close();
    }
  });
});
