/** The tree of a commit of this repository, in a folder from which its code runs. */
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual, promisify } from 'node:util';
import { cacheFolder } from '../home.ts';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '../../..');

export async function git(...parts: readonly string[]): Promise<string> {
  const { stdout } = await run('git', parts, { cwd: ROOT });
  return stdout.trim();
}

/** Made once for each commit. Undefined if this clone does not have it. */
export async function commitTree(ref: string): Promise<string | undefined> {
  const commit = await git('rev-parse', '--verify', '--quiet', `${ref}^{commit}`).catch(() => undefined);
  if (commit === undefined) return undefined;
  const folder = join(cacheFolder, 'commits', commit);
  if (!existsSync(folder)) await unpack(commit, folder);
  await linkModules(folder);
  return folder;
}

async function unpack(commit: string, folder: string): Promise<void> {
  const [part, archive] = [`${folder}.${process.pid}`, `${folder}.${process.pid}.tar`];
  mkdirSync(part, { recursive: true });
  await git('archive', '--output', archive, commit);
  await run('tar', ['-xf', archive, '-C', part]);
  rmSync(archive);
  renameSync(part, folder);
}

/** This repository's modules, if the versions are those that the commit pins; otherwise its own. */
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
