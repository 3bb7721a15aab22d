import { existsSync, statSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { bundleEntry, bundleFunctions } from '../../infra/bundling/bundle.ts';
import { bundleFolderOf, entryOf, packageRoot, SERVE_CONSOLE } from '../../infra/function-paths.ts';
import { functionNames } from '../../shared/bus/functions.ts';

let root = '';

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'evenkeel-bundle-'));
});

afterEach(async () => {
  await rm(root, { recursive: true, force: true });
});

describe('a bundle', () => {
  it('is one module that runs alone, with a CommonJS package inside that calls require', async () => {
    await mkdir(join(root, 'node_modules', 'old'), { recursive: true });
    await writeFile(join(root, 'node_modules', 'old', 'package.json'), '{"name":"old","main":"index.js"}');
    await writeFile(join(root, 'node_modules', 'old', 'index.js'), 'exports.sep = require("node:path").sep;');
    await writeFile(join(root, 'a.ts'), 'import { sep } from "old"; export const handler = (): string => sep;');
    const bundle = await bundleEntry(root, { name: 'part/a', entry: 'a.ts' });
    expect(bundle.file).toBe(join(root, 'dist', 'functions', 'part-a', 'index.mjs'));
    const { handler } = (await import(/* @vite-ignore */ pathToFileURL(bundle.file).href)) as { handler: () => string };
    expect(handler()).toBe('/');
  });

  it('reports its size and contents', async () => {
    await writeFile(join(root, 'a.ts'), 'export const handler = () => "a text of some length";');
    const { bytes, packages } = await bundleEntry(root, { name: 'part/a', entry: 'a.ts' });
    expect(bytes).toBeGreaterThan(20);
    expect(packages.map(([name]) => name)).toEqual(['evenkeel']);
  });

  it('has no source of AWS credentials but the environment', async () => {
    const entry = join(root, 'a.ts');
    await writeFile(entry, `export { SQSClient } from '@aws-sdk/client-sqs';`);
    await symlink(join(packageRoot(), 'node_modules'), join(root, 'node_modules'));
    const { packages } = await bundleEntry(root, { name: 'part/a', entry: 'a.ts' });
    const names = packages.map(([name]) => name);
    expect(names).toContain('@aws-sdk/client-sqs');
    const sources = names.filter((name) => /credential-provider|nested-clients|token-providers/.test(name));
    expect(sources).toEqual(['@aws-sdk/credential-provider-env']);
  });

  it('replaces what an earlier build left in its folder', async () => {
    const folder = join(root, bundleFolderOf('part/a'));
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'old.mjs'), '');
    await writeFile(join(root, 'a.ts'), 'export const handler = () => 1;');
    await bundleEntry(root, { name: 'part/a', entry: 'a.ts' });
    expect(existsSync(join(folder, 'old.mjs'))).toBe(false);
  });
});

describe('a build beside another', () => {
  it('leaves whole files: the bundle is never missing, and is whole whenever it is read', async () => {
    await writeFile(join(root, 'a.ts'), 'export const handler = () => "a text of some length";');
    const bundleOnce = () => bundleEntry(root, { name: 'part/a', entry: 'a.ts' });
    const { file, bytes } = await bundleOnce();
    const read: number[] = [];
    let isBuilding = true;
    const reader = (async () => {
      while (isBuilding) {
        read.push(
          await readFile(file).then(
            ({ length }) => length,
            () => 0,
          ),
        );
        await setImmediate();
      }
    })();
    for (let round = 0; round < 5; round++) await Promise.all([bundleOnce(), bundleOnce(), bundleOnce()]);
    isBuilding = false;
    await reader;
    expect(read.length).toBeGreaterThan(0);
    expect(read.filter((length) => length !== bytes)).toEqual([]);
    expect(await readdir(join(root, 'dist'))).toEqual(['functions']);
  });

  it('that fails leaves the bundle of before', async () => {
    await writeFile(join(root, 'a.ts'), 'export const handler = () => 1;');
    const { file, bytes } = await bundleEntry(root, { name: 'part/a', entry: 'a.ts' });
    await expect(bundleEntry(root, { name: 'part/a', entry: 'none.ts' })).rejects.toThrow('none.ts');
    expect(statSync(file).size).toBe(bytes);
    expect(await readdir(join(root, 'dist'))).toEqual(['functions']);
  });
});

describe('functions', () => {
  it.each([...functionNames, SERVE_CONSOLE])('%s has its entry file where the bundler expects it', (name) => {
    expect(statSync(join(packageRoot(), entryOf(name))).isFile()).toBe(true);
  });

  it('are bundled from their entry files: one that has none fails with its path', async () => {
    expect(await bundleFunctions([])).toEqual([]);
    await expect(bundleFunctions(['part/none' as never])).rejects.toThrow('functions/part/none.lambda.ts');
  });

  it('are shipped from folders of their own', () => {
    expect(new Set(functionNames.map(bundleFolderOf)).size).toBe(functionNames.length);
  });
});
