/** `kubectl evenkeel`: kubectl finds the plugin by its name, passes on what follows, and asks it what may come next. */
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { binary } from '../../cache/go-binaries.ts';
import { run } from '../../command.ts';
import { type Hub, startHub } from '../../parts/hub.ts';
import { rigOfSuite } from '../rig-of-suite.ts';

const CLI = join(import.meta.dirname, '..', '..', '..', '..', 'cli');

/** As a package manager puts commands into a folder of the PATH: name → file. */
const commands = {
  'kubectl-evenkeel': 'kubectl-evenkeel.ts',
  'kubectl_complete-evenkeel': 'kubectl-complete-evenkeel.ts',
};

let hub: Hub;
let env: NodeJS.ProcessEnv;
const kubectl = async (...args: readonly string[]) => run(await binary('kubectl'), args, { env });

beforeAll(async () => {
  const rig = rigOfSuite();
  hub = await startHub(rig);
  const folder = rig.path('kubectl-plugins');
  mkdirSync(folder, { recursive: true });
  for (const [name, file] of Object.entries(commands)) {
    writeFileSync(join(folder, name), `#!/bin/sh\nexec '${process.execPath}' '${join(CLI, file)}' "$@"\n`);
    chmodSync(join(folder, name), 0o755);
  }
  env = { ...process.env, PATH: `${folder}${delimiter}${process.env.PATH ?? ''}`, KUBECONFIG: hub.adminKubeconfig };
});

describe('kubectl', () => {
  it('lists the plugin', async () => {
    expect(await kubectl('plugin', 'list')).toContain('kubectl-evenkeel');
  });

  it('runs its commands on the hub that kubectl talks to', async () => {
    const asked = kubectl('evenkeel', 'rebalance', '-l', 'app=nobodys', '-A');
    await expect(asked).rejects.toThrow('-l app=nobodys takes no workload');
  });

  it('shows help by the name that was typed', async () => {
    expect(await kubectl('evenkeel', 'rebalance', '--help')).toMatch(/^Usage: kubectl evenkeel rebalance \[options\]/);
  });

  it('completes its words', async () => {
    const words = (await kubectl('__complete', 'evenkeel', 'hub', 'ch')).split('\n');
    expect(words).toEqual(expect.arrayContaining([expect.stringMatching(/^check\t/), ':4']));
    expect(words.some((word) => word.startsWith('manifests'))).toBe(false);
  });
});
