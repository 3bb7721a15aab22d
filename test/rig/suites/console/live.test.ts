import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ConsoleServer } from '../../../../local/console-server.ts';
import { startFakeServer } from '../../../console/fake-server.ts';
import { type FakeWorld, fakeWorld } from '../../../console/fake-world.ts';
import { builtConsole, openBrowser, openPage, picture } from './browser.ts';

let browser: Browser;
let folder: string;
let world: FakeWorld;
let server: ConsoleServer;
beforeAll(async () => {
  browser = await openBrowser();
  folder = await builtConsole();
});
afterAll(() => browser.close());
beforeEach(async () => {
  world = fakeWorld({ clusters: 4, workloads: 34 });
  server = await startFakeServer(world, { folder });
});
afterEach(() => server.close());

const address = () => `${server.url}/#/practice/fleet`;
const portOf = ({ url }: ConsoleServer) => Number(new URL(url).port);

/** Changes the replicas of the first workload, as a scheduler would. */
function moveReplicas(): void {
  const [first, ...others] = world.fleet.workloads;
  if (first === undefined) return;
  const shares = first.shares.map(([place, assigned, ready, held]): [number, number, number, number] => [
    place,
    assigned + 7,
    ready,
    held,
  ]);
  world.fleet = {
    ...world.fleet,
    workloads: [{ ...first, replicas: first.replicas + 7 * shares.length, shares }, ...others],
  };
}

const replicasOf = () => world.fleet.workloads.reduce((sum, { replicas }) => sum + replicas, 0);
const shown = (page: Page) => page.locator('.figures li', { hasText: 'replicas' }).locator('strong');

describe('a page that stays open', () => {
  it('shows changes on the hub without layout shifts', async () => {
    await using seen = await openPage(browser, address());
    const { page } = seen;
    await page.getByText('Last hour').waitFor();
    await page.getByText('web-comes-home', { exact: true }).waitFor();
    await page.evaluate(
      `globalThis.shifts = []; new PerformanceObserver((list) => shifts.push(...list.getEntries().map((entry) => entry.value))).observe({ type: 'layout-shift', buffered: false })`,
    );
    for (let i = 0; i < 3; i++) {
      moveReplicas();
      const moved = performance.now();
      await expect.poll(() => shown(page).textContent()).toBe(replicasOf().toLocaleString('en-GB'));
      console.log(`a change is on the page after ${Math.round(performance.now() - moved)} ms`);
    }
    expect(await page.evaluate('shifts')).toEqual([]);
    expect(seen.complaints).toEqual([]);
  });

  it('gets 304 for unchanged data', async () => {
    await using seen = await openPage(browser, address());
    const again: number[] = [];
    const answered = new Set<string>();
    await seen.page.getByText('web-comes-home', { exact: true }).waitFor();
    // The first response to a query may come only now, and is a 200.
    seen.page.on('response', (response) => {
      if (answered.has(response.url())) again.push(response.status());
      answered.add(response.url());
    });
    await expect.poll(() => again.length).toBeGreaterThan(6);
    expect(new Set(again)).toEqual(new Set([304]));
  });

  it('shows that it is not connected while the server is down, keeps its data, and continues after a restart', async () => {
    await using seen = await openPage(browser, address());
    const { page } = seen;
    await page.getByText('web-comes-home', { exact: true }).waitFor();
    const before = replicasOf().toLocaleString('en-GB');
    const port = portOf(server);
    await server.close();
    await page.getByText('Not connected, trying again.').waitFor();
    expect(await shown(page).textContent()).toBe(before);
    await expect.poll(() => page.getByText(/The data is \d+ s old/).count()).toBe(1);
    await picture(page, 'offline-light');
    server = await startFakeServer(world, { folder, port });
    moveReplicas();
    await page.getByText('Not connected, trying again.').waitFor({ state: 'detached' });
    await expect.poll(() => shown(page).textContent()).toBe(replicasOf().toLocaleString('en-GB'));
  });

  it('shows the same view after a reload', async () => {
    await using seen = await openPage(browser, `${server.url}/#/practice/tasks/all-on-member2`);
    await seen.page.getByRole('heading', { level: 1, name: 'all-on-member2' }).waitFor();
    await seen.page.reload();
    await seen.page.getByRole('heading', { level: 1, name: 'all-on-member2' }).waitFor();
    expect(seen.complaints).toEqual([]);
  });

  it('shows the last state of a task that is not stored any longer, and that it was deleted', async () => {
    const name = 'nightly';
    await using seen = await openPage(browser, `${server.url}/#/practice/tasks/${name}`);
    const { page } = seen;
    const panel = page.getByRole('region', { name: 'Before and after' });
    await panel.getByText('36 replicas moved in 9 of 12 workloads; 3 unchanged').waitFor();
    await page.locator('.facts').getByText('deleted at').waitFor();
    world.tasks.splice(
      world.tasks.findIndex((task) => task.name === name),
      1,
    );
    await page.getByText('Evenkeel does not keep this task any longer').waitFor();
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(name);
    await page.locator('.facts').getByText('deleted at').waitFor();
    await panel.getByText('36 replicas moved').waitFor();
    await page.reload();
    await page.getByText(`There is no task ${name} yet`).waitFor();
    await page.getByText('A finished one stays after its WorkloadRebalancer is deleted').waitFor();
  });

  it('reads the outcome of a task again while it is pending', async () => {
    const [task, ...others] = world.tasks;
    if (task === undefined) throw new Error('the fake world has no task');
    world.tasks.splice(0, world.tasks.length, { ...task, state: 'Running', successful: 0 }, ...others);
    await using seen = await openPage(browser, `${server.url}/#/practice/tasks/${task.name}`);
    const panel = seen.page.getByRole('region', { name: 'Before and after' });
    await panel.getByText('0 replicas moved in 0 of 1 workload; 1 pending').waitFor();
    world.tasks.splice(0, 1, task);
    await panel.getByText('4 replicas moved in 1 of 1 workload').waitFor();
  });

  it('keeps the selected colour scheme', async () => {
    await using seen = await openPage(browser, address(), { colorScheme: 'light' });
    await seen.page.getByRole('button', { name: 'Switch to dark colours' }).click();
    await seen.page.reload();
    await seen.page.getByRole('button', { name: 'Switch to light colours' }).waitFor();
    expect(await seen.page.evaluate('getComputedStyle(document.body).color')).toBe('rgb(228, 234, 235)');
  });
});

describe('a page that is opened', () => {
  it('needs one script and one stylesheet to paint, of at most 250 kB together', async () => {
    await using seen = await openPage(browser, address());
    await seen.page.getByText('web-comes-home', { exact: true }).waitFor();
    const { painted, needed } = await seen.page.evaluate<{ painted: number; needed: readonly [string, number][] }>(`({
      painted: performance.getEntriesByName('first-contentful-paint')[0].startTime,
      needed: performance.getEntriesByType('resource')
        .filter(({ initiatorType }) => ['script', 'link', 'css'].includes(initiatorType))
        .map(({ name, decodedBodySize }) => [name.split('.').at(-1), decodedBodySize]),
    })`);
    console.log(`first contentful paint: ${Math.round(painted)} ms`);
    expect(needed.map(([ending]) => ending).sort()).toEqual(['css', 'js']);
    expect(needed.reduce((sum, [, bytes]) => sum + bytes, 0)).toBeLessThan(250_000);
    expect(seen.complaints).toEqual([]);
  });
});
