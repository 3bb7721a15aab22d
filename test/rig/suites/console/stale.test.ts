/** A hub that stops answering, on every page of a local run: each shows it within 5 s, greys what it can't vouch for, and keeps its layout. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseOptions } from '../../../../local/options.ts';
import { type LocalRun, startRun } from '../../../../local/run.ts';
import { stories } from '../../../../local/stories/stories.ts';
import { apiClient } from '../../../../shared/console-api/api-client.ts';
import type { Ask } from '../../../../shared/console-api/operations.ts';
import { startFakeServer } from '../../../console/fake-server.ts';
import { fakeWorld } from '../../../console/fake-world.ts';
import { axeFinds, builtConsole, type OpenPage, openBrowser, openPage, picture, widthBeyond } from './browser.ts';

const WITHIN_MS = 5000;

let browser: Browser;
let run: LocalRun;
let url: string;
let ask: Ask;
beforeAll(async () => {
  browser = await openBrowser();
  const page = Promise.withResolvers<string>();
  const starting = startRun(parseOptions(['--port', '0', '--story', 'autopilot'], stories), (line) => {
    const [, address] = /The page is at (\S+)/.exec(line) ?? [];
    if (address !== undefined) page.resolve(address);
  });
  starting.catch(page.reject);
  url = await page.promise;
  run = await starting;
  ask = apiClient((input, init) => fetch(new URL(input as string, url), init));
});
afterAll(async () => {
  await browser.close();
  await run.close();
});

/** The pages of the run, each with something that it shows. */
async function pagesOfRun(): Promise<readonly (readonly [string, string])[]> {
  const hub = 'practice';
  const [{ workloads }, { tasks }, { runs }] = await Promise.all([
    ask('getFleet', { hub }),
    ask('listTasks', { hub }),
    ask('listRuns', { hub }),
  ]);
  const [workload, task, policyRun] = [workloads[0], tasks[0], runs[0]];
  if (workload === undefined || task === undefined || policyRun === undefined)
    throw new Error('the story left no workload, no task or no run');
  return [
    ['fleet', '#/practice/fleet'],
    ['cluster', '#/practice/clusters/member1'],
    ['workload', `#/practice/workloads/${workload.key.namespace}/${workload.key.name}`],
    ['tasks', '#/practice/tasks'],
    ['task', `#/practice/tasks/${task.name}`],
    ['decisions', '#/practice/decisions'],
    ['run', `#/practice/runs/${policyRun.run}`],
    ['health', '#/health'],
  ];
}

interface Box {
  readonly of: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

const parts = [
  ...['header', 'nav', 'main', 'footer', 'aside', 'section', 'h1', 'h2', 'canvas', 'dl'],
  ...['table', 'tr', '[role="table"]', '[role="row"]', '[role="columnheader"]', '.toolbar', '.panel', '.page-head'],
];

/** The bounding boxes of landmarks, headings, tables and rows, in the order of the document. */
function structureOf(page: Page): Promise<readonly Box[]> {
  return page.evaluate(`[...document.querySelectorAll(${JSON.stringify(parts.join(','))})].map((element) => {
    const { x, y, width, height } = element.getBoundingClientRect();
    const of = element.tagName.toLowerCase() + '.' + (element.getAttribute('role') ?? element.className);
    return { of: of.replace(/ ?(is-stale|hub-stale|stale)$/, '').trim(), x, y, width, height };
  })`);
}

/** A text of a changing width, as an age, may move what is beside it; lines and rows stay where they are. */
function shifts(before: readonly Box[], after: readonly Box[]): readonly string[] {
  const names = (boxes: readonly Box[]) => boxes.map(({ of }) => of);
  expect(names(after)).toEqual(names(before));
  return before.flatMap(({ of, ...box }, i) => {
    const moved = (['x', 'y', 'width', 'height'] as const).filter((side) => {
      const most = side === 'x' || side === 'width' ? 12 : 1;
      return Math.abs(box[side] - (after[i]?.[side] ?? Number.NaN)) > most;
    });
    return moved.map((side) => `${of}: ${side} ${box[side]} → ${after[i]?.[side] ?? 'absent'}`);
  });
}

const frame = (page: Page) => page.getByRole('contentinfo');
const shows = (page: Page, text: string) => frame(page).getByText(text).waitFor({ timeout: 30_000 });
const UNREACHABLE = 'Hub practice cannot be reached.';
const ANSWERS = 'Hub practice answers.';

const appearances = [
  { appearance: 'light', hangs: false, colorScheme: 'light', viewport: { width: 1280, height: 800 } },
  { appearance: 'dark', hangs: false, colorScheme: 'dark', viewport: { width: 1280, height: 800 } },
  { appearance: 'narrow', hangs: true, colorScheme: 'light', viewport: { width: 380, height: 780 } },
] as const;

describe('a hub that stops answering', () => {
  it.each(appearances)(
    '$appearance, hangs: $hangs: is on every page within 5 s, without a change of its layout',
    async (as) => {
      const { appearance, hangs, ...context } = as;
      const opened: { readonly name: string; readonly seen: OpenPage }[] = [];
      for (const [name, hash] of await pagesOfRun())
        opened.push({ name, seen: await openPage(browser, `${url}/${hash}`, context) });
      try {
        for (const { seen } of opened) {
          await seen.page.getByRole('heading', { level: 1 }).waitFor();
          await shows(seen.page, ANSWERS);
          await seen.page.getByText(/^Reading /).waitFor({ state: 'detached' });
        }
        const before = await Promise.all(opened.map(({ seen }) => structureOf(seen.page)));
        expect(before.map((boxes) => boxes.length > 5)).toEqual(opened.map(() => true));
        const failed = performance.now();
        await ask('failHub', { seconds: 120, hangs });
        const took = await Promise.all(
          opened.map(async ({ name, seen }) => {
            await shows(seen.page, UNREACHABLE);
            return [name, Math.round(performance.now() - failed)] as const;
          }),
        );
        console.log(`${appearance}: ${took.map(([name, ms]) => `${name} ${ms} ms`).join(', ')}`);
        expect(took.filter(([, ms]) => ms > WITHIN_MS)).toEqual([]);
        const after = await Promise.all(opened.map(({ seen }) => structureOf(seen.page)));
        for (const [i, { name, seen }] of opened.entries()) {
          expect([name, shifts(before[i] ?? [], after[i] ?? [])]).toEqual([name, []]);
          expect([name, await widthBeyond(seen.page)]).toEqual([name, 0]);
          await expect.poll(() => frame(seen.page).textContent()).toMatch(/Its data is \d+ s old/);
          await picture(seen.page, `stale-${name}-${appearance}`);
          expect([name, await axeFinds(seen.page)]).toEqual([name, []]);
        }
        const grey = async (name: string) => {
          const page = opened.find((each) => each.name === name)?.seen.page;
          return page?.evaluate<string>(`getComputedStyle(document.querySelector('main')).filter`);
        };
        expect(await Promise.all(['fleet', 'cluster', 'workload'].map(grey))).toEqual([
          'grayscale(1)',
          'grayscale(1)',
          'grayscale(1)',
        ]);
        // Their records are what they are; the row of the hub is grey.
        expect(await Promise.all(['tasks', 'decisions', 'health'].map(grey))).toEqual(['none', 'none', 'none']);
        const health = opened.find(({ name }) => name === 'health')?.seen.page;
        expect(await health?.locator('.hubs td.is-stale').count()).toBe(4);
        await ask('recoverHub', {});
        for (const { seen } of opened) await shows(seen.page, ANSWERS);
        for (const { name, seen } of opened)
          await expect.poll(async () => [name, await seen.page.locator('.is-stale').count()]).toEqual([name, 0]);
      } finally {
        await ask('recoverHub', {});
        for (const { seen } of opened) await seen[Symbol.asyncDispose]();
      }
    },
  );
});

describe('the page of the health on a narrow screen', () => {
  it('has the values of all columns within the screen', async () => {
    const server = await startFakeServer(fakeWorld({ clusters: 3, workloads: 9, hubs: 4 }), {
      folder: await builtConsole(),
    });
    try {
      await using seen = await openPage(browser, `${server.url}/#/health`, { viewport: { width: 380, height: 780 } });
      const { page } = seen;
      for (const [label, columns] of [
        ['Hubs', ['State', 'Compared', 'Last event', 'Clock', 'Problems']],
        ['Queues', ['Queue', 'Waiting', 'In flight', 'Dead']],
      ] as const) {
        const row = page
          .getByRole('region', { name: label })
          .locator('tbody tr')
          .filter({ hasText: /practice|plan-rebalance/ });
        await row.first().waitFor();
        const cells = await row.first().locator('td[data-label]').all();
        expect(await Promise.all(cells.map((cell) => cell.getAttribute('data-label')))).toEqual(columns);
        const hidden = `[...document.querySelectorAll('.cards td, .cards th')].filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth).length`;
        expect(await page.evaluate(hidden)).toBe(0);
        for (const cell of cells) {
          const { x, width } = (await cell.boundingBox()) ?? { x: -1, width: 0 };
          expect(x).toBeGreaterThanOrEqual(0);
          expect(x + width).toBeLessThanOrEqual(380);
          expect((await cell.textContent())?.trim()).not.toBe('');
        }
      }
      await page.screenshot({ path: 'reports/screenshots/health-cards.png', fullPage: true });
      expect(await axeFinds(page)).toEqual([]);
    } finally {
      await server.close();
    }
  });
});
