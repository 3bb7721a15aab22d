/** `kubectl evenkeel`: kubectl finds the plugin by its name, passes the arguments on, and uses its completions. */
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { binary } from '../../cache/go-binaries.ts';
import { run } from '../../command.ts';
import { type Hub, startHub } from '../../parts/hub.ts';
import { rigOfSuite } from '../rig-of-suite.ts';

const CLI = join(import.meta.dirname, '..', '..', '..', '..', 'cli');

/** The commands in a folder of PATH, as a package manager installs them: name → file. */
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

  it('runs commands of the plugin on the hub of its kubeconfig', async () => {
    const rebalance = kubectl('evenkeel', 'rebalance', '-l', 'app=missing', '-A');
    await expect(rebalance).rejects.toThrow('-l app=missing takes no workload');
  });

  it('shows help with the name `kubectl evenkeel`', async () => {
    expect(await kubectl('evenkeel', 'rebalance', '--help')).toMatch(/^Usage: kubectl evenkeel rebalance \[options\]/);
  });

  it('completes commands of the plugin', async () => {
    const words = (await kubectl('__complete', 'evenkeel', 'hub', 'ch')).split('\n');
    expect(words).toEqual(expect.arrayContaining([expect.stringMatching(/^check\t/), ':4']));
    expect(words.some((word) => word.startsWith('manifests'))).toBe(false);
  });
});
