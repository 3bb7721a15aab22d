import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ConsoleServer } from '../../../../local/console-server.ts';
import { startFakeServer } from '../../../console/fake-server.ts';
import { fakeWorld } from '../../../console/fake-world.ts';
import { axeFinds, builtConsole, openBrowser, openPage, picture } from './browser.ts';

let browser: Browser;
let server: ConsoleServer;
beforeAll(async () => {
  const world = fakeWorld({ clusters: 3, workloads: 12, hubs: 1000 });
  server = await startFakeServer(world, { folder: await builtConsole() });
  browser = await openBrowser();
});
afterAll(async () => {
  await browser.close();
  await server.close();
});

describe('a thousand hubs', () => {
  it('are filtered by name on the page of the health', async () => {
    await using seen = await openPage(browser, `${server.url}/#/health`);
    const { page } = seen;
    const rows = page.getByRole('region', { name: 'Hubs' }).locator('tbody tr');
    await page.getByRole('link', { name: 'hub-0000', exact: true }).waitFor();
    await picture(page, 'many-hubs');
    expect(await rows.count()).toBe(25);
    await page.getByLabel('Filter hubs').fill('hub-073');
    await page.getByRole('link', { name: 'hub-0730', exact: true }).waitFor();
    await picture(page, 'many-hubs-filtered');
    expect(await rows.count()).toBe(10);
    await page.getByLabel('Filter hubs').fill('');
    await page.getByRole('button', { name: 'Show all 1,002 hubs' }).click();
    await page.getByRole('link', { name: 'hub-0999', exact: true }).waitFor();
    expect(await rows.count()).toBe(1002);
    await page.getByLabel('Filter hubs').fill('hub-073');
    expect(await axeFinds(page)).toEqual([]);
    expect(seen.complaints).toEqual([]);
  });
});
