import { mkdtempSync, readFileSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BuiltFile, buildConsole, builtFiles, isConsoleStale } from '../../infra/bundling/build-console.ts';

const MOST_GZIPPED = 200_000;
const folder = mkdtempSync(join(tmpdir(), 'console-'));
const outDir = join(folder, 'console');
let files: readonly BuiltFile[] = [];
const textOf = (ending: string) =>
  files
    .filter(({ path }) => path.endsWith(ending))
    .map(({ path }) => readFileSync(join(outDir, path), 'utf8'))
    .join('\n');

beforeAll(async () => {
  await buildConsole(outDir);
  files = await builtFiles(outDir);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the built page', () => {
  it('is under 200 kB gzipped in total', () => {
    const gzipped = files.reduce((sum, file) => sum + file.gzipped, 0);
    expect(gzipped).toBeGreaterThan(20_000);
    expect(gzipped).toBeLessThan(MOST_GZIPPED);
  });

  it('contains no schema of the API, and no path of this machine', () => {
    const script = textOf('.js');
    // The operations are in the bundle, so their schemas could be.
    expect(script.includes('listHubs')).toBe(true);
    expect(['ZodMini', process.cwd()].filter((text) => script.includes(text))).toEqual([]);
  });

  it('complies with the policy default-src self: no inline script or style, no data: URL, no other origin', () => {
    const [page, style] = [textOf('.html'), textOf('.css')];
    expect(style).not.toBe('');
    expect(page).not.toMatch(/<script(?![^>]*\bsrc=)/);
    expect(page).not.toMatch(/<style|\sstyle=|\son\w+=/);
    expect(style).not.toMatch(/url\(|@import/);
    const links = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, url]) => url ?? '');
    expect(links.filter((url) => url.endsWith('.js'))).toHaveLength(1);
    expect(links.filter((url) => !url.startsWith('./'))).toEqual([]);
    const origins = [...textOf('.js').matchAll(/https?:\/\/[^\s"'`)]+/g)].map(([url]) => url);
    expect(origins.filter((url) => !url.startsWith('http://www.w3.org/'))).toEqual([]);
  });

  it('is stale if it is missing, or older than a source', () => {
    expect(isConsoleStale(outDir)).toBe(false);
    utimesSync(join(outDir, 'index.html'), new Date(0), new Date(0));
    expect(isConsoleStale(outDir)).toBe(true);
    expect(isConsoleStale(join(folder, 'nowhere'))).toBe(true);
  });
});
