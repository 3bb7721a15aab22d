import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ConsoleServer } from '../../../../local/console-server.ts';
import { startFakeServer } from '../../../console/fake-server.ts';
import { fakeWorld } from '../../../console/fake-world.ts';
import { axeFinds, builtConsole, openBrowser, openPage, picture } from './browser.ts';

let browser: Browser;
let server: ConsoleServer;
beforeAll(async () => {
  server = await startFakeServer(fakeWorld({ clusters: 200, workloads: 5000 }), { folder: await builtConsole() });
  browser = await openBrowser();
});
afterAll(async () => {
  await browser.close();
  await server.close();
});

interface Frames {
  /** Milliseconds between frames, sorted. */
  readonly gaps: readonly number[];
}

/** Scrolls one step per frame, as a mouse wheel does, and measures the duration of the frames. */
function scrollThrough(page: Page, selector: string, frames: number): Promise<Frames> {
  return page.evaluate(
    `(async () => {
      const element = document.querySelector(${JSON.stringify(selector)});
      const gaps = [];
      let last = await new Promise(requestAnimationFrame);
      for (let i = 0; i < ${frames}; i++) {
        element.scrollTop += 180;
        element.scrollLeft += 12;
        const at = await new Promise(requestAnimationFrame);
        gaps.push(at - last);
        last = at;
      }
      return { gaps: gaps.sort((a, b) => a - b) };
    })()`,
  );
}

const heap = (page: Page) => page.evaluate<number>('performance.memory.usedJSHeapSize');

describe('5,000 workloads on 200 clusters', () => {
  it('scroll with bounded memory and few elements', async () => {
    await using seen = await openPage(browser, `${server.url}/#/practice/fleet`);
    const { page } = seen;
    await page.getByText('5,000', { exact: true }).waitFor();
    await picture(page, 'fleet-large');
    const before = await heap(page);
    const { gaps } = await scrollThrough(page, '.heat', 300);
    const median = gaps[150] ?? 0;
    const slowest = gaps[294] ?? 0;
    const after = await heap(page);
    const elements = await page.evaluate<number>('document.querySelectorAll("*").length');
    console.log(
      `5,000 × 200: frame median ${median.toFixed(1)} ms, 98th percentile ${slowest.toFixed(1)} ms, heap ${(before / 1e6).toFixed(0)} → ${(after / 1e6).toFixed(0)} MB, ${elements} elements`,
    );
    expect(after).toBeLessThan(200e6);
    expect(elements).toBeLessThan(6000);
    expect(await axeFinds(page)).toEqual([]);
    expect(seen.complaints).toEqual([]);
  });

  it('can be navigated by keyboard from one corner to the other', async () => {
    await using seen = await openPage(browser, `${server.url}/#/practice/fleet`);
    const { page } = seen;
    const grid = page.getByRole('grid');
    await grid.focus();
    await page.keyboard.press('Control+End');
    const cursor = page.locator('#heat-cursor');
    await expect.poll(() => cursor.textContent()).toMatch(/^shop\/.* on member200:/);
    await expect
      .poll(() =>
        page.evaluate('[document.activeElement.scrollTop > 120000, document.activeElement.scrollLeft > 5000].join()'),
      )
      .toBe('true,true');
    await page.keyboard.press('Control+Home');
    await expect.poll(() => cursor.textContent()).toMatch(/ on member001:/);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => cursor.textContent()).toMatch(/ on member002:/);
    expect(seen.complaints).toEqual([]);
  });

  it('can be filtered by name', async () => {
    await using seen = await openPage(browser, `${server.url}/#/practice/fleet`);
    const { page } = seen;
    await page.getByText('5,000', { exact: true }).waitFor();
    const before = performance.now();
    await page.getByLabel('Filter workloads').fill('shop/web-555');
    await expect.poll(() => page.getByRole('grid').getAttribute('aria-rowcount'), { interval: 20 }).toBe('2');
    console.log(`one of 5,000 is found after ${Math.round(performance.now() - before)} ms`);
  });

  it('of a task are loaded as they scroll into view, also at the end of the list', async () => {
    await using seen = await openPage(browser, `${server.url}/#/practice/tasks/all-on-member2`);
    const { page } = seen;
    const rows = page.getByRole('table', { name: 'Workloads of the task' });
    await rows.getByRole('row', { name: 'Deployment shop/web triggered' }).first().waitFor();
    await page.evaluate(`document.querySelector('.virtual').scrollTop = 495 * 32`);
    // Across the boundary of two pages of the response.
    await rows.locator('[aria-rowindex="500"] a').waitFor();
    await rows.locator('[aria-rowindex="505"] a').waitFor();
    await page.evaluate(`document.querySelector('.virtual').scrollTop = 5001 * 32`);
    await rows.locator('[aria-rowindex="5001"] a').waitFor();
    expect(await page.getByRole('row').count()).toBeLessThan(60);
    expect(seen.complaints).toEqual([]);
  });
});
