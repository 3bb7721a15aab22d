/** Chromium on the built page: console errors, foreign requests, violations found by axe, and screenshots. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import axeCore from 'axe-core';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { buildConsole, isConsoleStale } from '../../../../infra/bundling/build-console.ts';
import { packageRoot } from '../../../../infra/function-paths.ts';
import { findChromium } from '../../cache/chromium.ts';

export async function openBrowser(): Promise<Browser> {
  const executablePath = findChromium();
  if (executablePath === undefined)
    throw new Error('no Chromium is on PATH; install one (Debian: apt-get install chromium)');
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--enable-precise-memory-info'] });
}

/** The folder of the built page, which is built first if it is out of date. */
export async function builtConsole(): Promise<string> {
  const folder = join(packageRoot(), 'dist', 'console');
  if (isConsoleStale(folder)) await buildConsole(folder);
  return folder;
}

export interface OpenPage extends AsyncDisposable {
  readonly page: Page;
  /** Errors and warnings of the browser's console, and requests to other origins. */
  readonly complaints: readonly string[];
}

export async function openPage(browser: Browser, url: string, options: BrowserContextOptions = {}): Promise<OpenPage> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: 'en-GB', ...options });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  // The console's own message of a failed request does not name it.
  page.on('response', (response) => {
    if (response.status() >= 400) complaints.push(`${response.status()} ${response.url()}`);
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('request', (request) => {
    if (!request.url().startsWith(new URL(url).origin)) complaints.push(`request to ${request.url()}`);
  });
  await page.goto(url);
  return { page, complaints, [Symbol.asyncDispose]: () => context.close() };
}

/** Accessibility violations, each with its rule and element. */
export async function axeFinds(page: Page): Promise<readonly string[]> {
  await page.evaluate(axeCore.source);
  return page.evaluate(async () => {
    const { axe } = globalThis as unknown as {
      axe: {
        run: () => Promise<{ violations: { id: string; nodes: { target: unknown[]; failureSummary?: string }[] }[] }>;
      };
    };
    const { violations } = await axe.run();
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(
        ({ target, failureSummary = '' }) => `${id}: ${target.join(' ')} (${failureSummary.split('\n')[1] ?? ''})`,
      ),
    );
  });
}

export async function picture(page: Page, name: string): Promise<void> {
  const folder = join(packageRoot(), 'reports', 'screenshots');
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`) });
}

/** The distance in pixels by which the page can be scrolled horizontally. */
export function widthBeyond(page: Page): Promise<number> {
  return page.evaluate('document.documentElement.scrollWidth - innerWidth');
}
