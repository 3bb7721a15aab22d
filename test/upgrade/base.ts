/** The version before: its commit, and its tree in a folder. */
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual, promisify } from 'node:util';
import { cacheFolder } from '../rig/home.ts';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '../..');
/** While there is no tag. */
const BEFORE_THE_FIRST_TAG = '19bbe40d38d5fb512b8359e7b907638158eeaa0b';

export type Base =
  | { readonly name: string; readonly folder: string }
  /** Why it cannot be tested against. */
  | { readonly missing: string };

/** Makes the tree of the newest tag of a version before HEAD, once per commit. */
export async function prepareBase(): Promise<Base> {
  const name = await nameOfBase();
  const commit = await git('rev-parse', '--verify', '--quiet', `${name}^{commit}`).catch(() => undefined);
  if (commit === undefined)
    return { missing: `this clone has no commit ${name}, the version before: git fetch --unshallow --tags` };
  const folder = join(cacheFolder, 'upgrade', commit);
  if (!existsSync(folder)) await unpack(commit, folder);
  await linkModules(folder);
  return { name, folder };
}

/** The newest tag that is an ancestor of HEAD, and not HEAD itself. */
async function nameOfBase(): Promise<string> {
  const tags = await git('tag', '--list', 'v*', '--merged', 'HEAD', '--no-contains', 'HEAD', '--sort=-v:refname');
  return tags.split('\n')[0] || BEFORE_THE_FIRST_TAG;
}

async function unpack(commit: string, folder: string): Promise<void> {
  const [part, archive] = [`${folder}.${process.pid}`, `${folder}.${process.pid}.tar`];
  mkdirSync(part, { recursive: true });
  await git('archive', '--output', archive, commit);
  await run('tar', ['-xf', archive, '-C', part]);
  rmSync(archive);
  renameSync(part, folder);
}

/** This repository's modules, if the versions are those that the base pins; otherwise its own. */
async function linkModules(folder: string): Promise<void> {
  const modules = join(folder, 'node_modules');
  if (isDeepStrictEqual(pinned(folder), pinned(ROOT))) {
    // The link of an earlier run may be that of another clone.
    rmSync(modules, { recursive: true, force: true });
    symlinkSync(join(ROOT, 'node_modules'), modules);
  } else if (!existsSync(modules)) await run('npm', ['ci', '--omit=dev', '--ignore-scripts'], { cwd: folder });
}

/** The modules outside of development, which are all that the functions import. */
function pinned(folder: string): object {
  const lock = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, { readonly version?: string; readonly dev?: boolean }>>;
  };
  const used = Object.entries(lock.packages).filter(([path, { dev }]) => path.startsWith('node_modules/') && !dev);
  return Object.fromEntries(used.map(([path, { version }]) => [path, version]));
}

async function git(...parts: readonly string[]): Promise<string> {
  const { stdout } = await run('git', parts, { cwd: ROOT });
  return stdout.trim();
}
