/** Versions of Node beside the one that runs the tests, from the npm registry. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../command.ts';
import { cacheFolder } from '../home.ts';
import { ensure } from './cache.ts';

/** The folder that holds the command `node` of that version: to be put first on PATH. */
export async function nodeFolder(version: string): Promise<string> {
  const name = `node-${process.platform}-${process.arch}`;
  const folder = await ensure(join(cacheFolder, `${name}-${version}`), async (place) => {
    mkdirSync(place, { recursive: true });
    const flags = ['--no-save', '--no-audit', '--no-fund', '--ignore-scripts'];
    await run('npm', ['install', '--prefix', place, ...flags, `${name}@${version}`], { attempts: 3 });
  });
  return join(folder, 'node_modules', name, 'bin');
}
