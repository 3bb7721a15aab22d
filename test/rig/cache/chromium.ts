/** A Chromium for the console suite: an installed one, or that of the distribution. */
import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** Its path; undefined if none is installed. */
export function findChromium(): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function install(): void {
  const packages = ['chromium', 'fonts-inter'];
  for (const args of [['update'], ['install', '--yes', '--no-install-recommends', ...packages]]) {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    const { status } = spawnSync('apt-get', ['--quiet', ...args], { env, stdio: ['ignore', 'ignore', 'inherit'] });
    if (status !== 0)
      throw new Error(`no Chromium, and apt-get ${args[0]} did not go through; install one: ${names.join(', ')}`);
  }
}

if (import.meta.main && findChromium() === undefined) install();
