/** The packed command line, installed by npm, on the lowest and the latest Node of each major version in package.json's engines. */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nodeFolder } from '../../cache/node-versions.ts';
import { Consumer, lowestOf, manifest, pack, temporaryFolder } from './consumer.ts';

/** The lowest and the latest of each major version. The lowest installs, both run. */
const versions = [
  ['20.19.0', '20.20.2'],
  ['22.12.0', '22.23.3'],
  ['24.0.0', '24.21.0'],
] as const;

const kubeconfig = `
apiVersion: v1
kind: Config
current-context: hub
contexts: [{ name: hub, context: { cluster: hub, user: user } }]
clusters: [{ name: hub, cluster: { server: 'https://127.0.0.1:1' } }]
users: [{ name: user, user: { token: none } }]
`;

it('has the tested versions in the engines of package.json', () => {
  expect(manifest.engines.node.split(' || ').map(lowestOf)).toEqual(versions.map(([lowest]) => lowest));
});

describe.each(versions)('installed by Node %s', (lowest, latest) => {
  const folder = temporaryFolder();
  const consumers = new Map<string, Consumer>();
  const on = (version: string): Consumer => {
    const consumer = consumers.get(version);
    if (consumer === undefined) throw new Error(`nothing is installed for Node ${version}`);
    return consumer;
  };

  beforeAll(async () => {
    for (const version of [lowest, latest]) consumers.set(version, new Consumer(folder, await nodeFolder(version)));
    await on(lowest).install(await pack(folder));
    on(lowest).write('kubeconfig', kubeconfig);
  });
  afterAll(() => on(lowest).remove());

  it('installs its commands, and no node binary', () => {
    const installed = (name: string) => existsSync(join(folder, 'node_modules', '.bin', name));
    expect(Object.keys(manifest.bin).filter(installed)).toEqual(Object.keys(manifest.bin));
    expect(['node', 'node.cmd'].filter(installed)).toEqual([]);
  });

  describe.each([lowest, latest])('on Node %s', (version) => {
    it('runs on that Node', () => {
      expect(on(version).node('--version').out.trim()).toBe(`v${version}`);
    });

    it('evenkeel --version prints the version', () => {
      expect(on(version).command('evenkeel', '--version')).toEqual({
        status: 0,
        out: `${manifest.version}\n`,
        err: '',
      });
    });

    it('evenkeel hub manifests prints what a hub needs', () => {
      const url = 'https://hook.example/hubs/karmada/audit';
      const { status, out, err } = on(version).command(
        'evenkeel',
        'hub',
        'manifests',
        '--hub',
        'karmada',
        '--url',
        url,
      );
      expect([status, err]).toEqual([0, '']);
      expect(out).toContain('kind: ServiceAccount');
    });

    it('evenkeel plan ends with 3 and prints the moves, if replicas would move', () => {
      const { status, out } = on(version).command('evenkeel', 'plan', '-f', resolve('examples/plan/fleet.yaml'));
      expect(status).toBe(3);
      expect(out).toContain('A rebalance would move 9 replicas in 2 of 3 bindings');
    });

    it('evenkeel plan reads a kubeconfig, and reports a hub that does not answer', () => {
      const { status, err } = on(version).command('evenkeel', 'plan', '--kubeconfig', 'kubeconfig');
      expect(status).toBe(2);
      expect(err).toMatch(/ECONNREFUSED/);
      expect(err).not.toContain('not expected');
    });

    it('kubectl-evenkeel --help calls itself kubectl evenkeel', () => {
      const { status, out } = on(version).command('kubectl-evenkeel', '--help');
      expect([status, out.split('\n')[0]]).toEqual([0, 'Usage: kubectl evenkeel [options] [command]']);
    });

    it('kubectl_complete-evenkeel completes the commands', () => {
      const { status, out } = on(version).command('kubectl_complete-evenkeel', 'pl');
      expect([status, out]).toEqual([0, expect.stringMatching(/^plan\t/)]);
    });
  });

  // The second one uses estimators over gRPC.
  it.each(['failback', 'descheduler'])(`evenkeel start plays the story %s on Node ${lowest}`, (story) => {
    const { out, err } = on(lowest).command('evenkeel', 'start', '--once', '--port', '0', '--story', story);
    expect(`${out}${err}`).toContain('Every step succeeded.');
  });
});
