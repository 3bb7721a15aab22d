/** The packed command line and local run, installed by npm, on the lowest and the latest Node of each major version in package.json's engines. */
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { VERSION } from '../../../../shared/core/version.ts';
import { nodeFolder } from '../../cache/node-versions.ts';
import { Consumer, lowestOf, manifestOf, packed, temporaryFolder } from './consumer.ts';

const manifest = manifestOf('evenkeel');

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

it('is tested on the versions in the engines of package.json', () => {
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
    await on(lowest).install(packed('evenkeel'));
    on(lowest).write('kubeconfig', kubeconfig);
  });
  afterAll(() => on(lowest).remove());

  it('installs its commands, no node binary, and no other package', () => {
    const installed = (name: string) => existsSync(join(folder, 'node_modules', '.bin', name));
    const commands = ['evenkeel', 'kubectl-evenkeel', 'kubectl_complete-evenkeel'];
    expect([...commands, 'node', 'node.cmd'].filter(installed)).toEqual(commands);
    expect(on(lowest).installed()).toEqual(['evenkeel']);
    const notices = readFileSync(join(folder, 'node_modules', 'evenkeel', 'THIRD-PARTY-NOTICES.txt'), 'utf8');
    for (const name of ['commander', '@kubernetes/client-node']) expect(notices).toContain(`\n${name} `);
  });

  it('evenkeel start names the package that it needs', () => {
    const { status, err } = on(lowest).command('evenkeel', 'start');
    expect([status, err]).toEqual([
      2,
      `evenkeel: evenkeel start needs the package @evenkeel/local: npm install @evenkeel/local@${VERSION}, with -g if evenkeel is installed so\n`,
    ]);
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

    it('evenkeel hub list takes AWS credentials from a profile', () => {
      // A bundle of a function would find none.
      const keys = 'aws_access_key_id = id\naws_secret_access_key = secret';
      on(version).write('aws-config', `[profile of-a-user]\nregion = eu-central-1\n${keys}\n`);
      const env = { AWS_PROFILE: 'of-a-user', AWS_CONFIG_FILE: 'aws-config', AWS_ENDPOINT_URL: 'http://127.0.0.1:1' };
      const { status, err } = on(version).commandWith(env, 'evenkeel', 'hub', 'list');
      expect([status, err]).toEqual([2, expect.stringMatching(/^evenkeel: Lambda .*ECONNREFUSED/)]);
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

  describe('with @evenkeel/local', () => {
    beforeAll(() => on(lowest).install(packed('evenkeel'), packed('@evenkeel/local')));

    // The second one uses estimators over gRPC.
    it.each([
      ['evenkeel start', 'failback'],
      ['evenkeel-local', 'descheduler'],
    ])(`%s plays the story %s on Node ${lowest}`, (command, story) => {
      const [name = '', ...args] = command.split(' ');
      const { out, err } = on(lowest).command(name, ...args, '--once', '--port', '0', '--story', story);
      expect(out).toContain('Every step succeeded.');
      expect(err).not.toContain('AWS SDK');
    });
  });
});
