/** The image of the bridge, by its Containerfile: its files are laid out in a folder, and its entry point runs there as its user, who can't write. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { run } from '../../command.ts';
import { startHub } from '../../parts/hub.ts';
import { claimPort } from '../../ports.ts';
import { deploymentIn, HubClient } from '../hub-client.ts';
import { rigOfSuite } from '../rig-of-suite.ts';

/** What `docker build` gets, by the first lines of the Containerfile. */
const CONTEXT = join('dist', 'packages', 'evenkeel');
const instructions = readFileSync('examples/bridge/Containerfile', 'utf8')
  .split('\n')
  .filter((line) => /^[A-Z]+ /.test(line))
  .map((line) => [line.slice(0, line.indexOf(' ')), line.slice(line.indexOf(' ') + 1)] as const);
const of = (wanted: string) => instructions.flatMap(([name, value]) => (name === wanted ? [value] : []));

const root = mkdtempSync(join(tmpdir(), 'evenkeel-image-'));
const published: string[] = [];
const rig = rigOfSuite();
let client: HubClient;
let bus: Server;
let bridge: ChildProcess;
let output = '';
let port: number;

/** EventBridge's PutEvents. */
function fakeBus(): Server {
  return createServer((request, response) => {
    let body = '';
    request.on('data', (part) => (body += String(part)));
    request.on('end', () => {
      const { Entries } = JSON.parse(body) as { readonly Entries: readonly { readonly DetailType: string }[] };
      published.push(...Entries.map(({ DetailType }) => DetailType));
      response.setHeader('content-type', 'application/x-amz-json-1.1');
      response.end(JSON.stringify({ FailedEntryCount: 0, Entries: Entries.map(() => ({ EventId: 'e' })) }));
    });
  });
}

beforeAll(async () => {
  for (const copied of of('COPY')) {
    const [from = '', to = ''] = copied.split(' ');
    cpSync(join(CONTEXT, from), join(root, to), { recursive: true });
  }
  mkdirSync(join(root, 'etc', 'hub'), { recursive: true });
  const { adminKubeconfig } = await startHub(rig);
  client = await HubClient.of(adminKubeconfig);
  const kubeconfig = join(root, 'etc', 'hub', 'kubeconfig');
  cpSync(adminKubeconfig, kubeconfig);
  bus = fakeBus().listen(0, '127.0.0.1');
  await once(bus, 'listening');
  port = await claimPort(rig.folder);
  await run('chmod', ['-R', 'a-w,a+rX', root]);
  const [entry = '[]'] = of('ENTRYPOINT');
  const [, script = '', ...args] = JSON.parse(entry) as string[];
  const uid = Number(of('USER')[0]);
  bridge = spawn(
    process.execPath,
    [join(root, script), ...args, '--hub', 'karmada', '--kubeconfig', kubeconfig, '--metrics-port', String(port)],
    {
      cwd: root,
      // Only root may run a process as another user; any other user who runs this suite can't write to the folder either.
      ...(process.getuid?.() === 0 && { uid, gid: uid }),
      env: {
        TMPDIR: join(root, 'none'),
        AWS_REGION: 'eu-central-1',
        AWS_ACCESS_KEY_ID: 'image',
        AWS_SECRET_ACCESS_KEY: 'image',
        AWS_ENDPOINT_URL_EVENTBRIDGE: `http://127.0.0.1:${(bus.address() as AddressInfo).port}`,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  for (const stream of [bridge.stdout, bridge.stderr]) stream?.on('data', (part) => (output += String(part)));
});
afterAll(async () => {
  bridge.kill('SIGKILL');
  bus.close();
  chmodSync(root, 0o755);
  await run('chmod', ['-R', 'u+w', root]);
  rmSync(root, { recursive: true });
});

describe('the image of the bridge', () => {
  it('is made of the package alone, and its user is not root', () => {
    expect(of('FROM')).toEqual(['node:24-slim']);
    expect(of('RUN')).toEqual([]);
    expect(Number(of('USER')[0])).toBeGreaterThan(0);
  });

  it('publishes the changes of the hub', async () => {
    await expect.poll(() => published, { message: output }).toContain('ResyncDue');
    await client.rebalancer('image', [deploymentIn('nowhere', 'web')]);
    await expect.poll(() => published, { message: output }).toContain('WorkloadRebalancerChanged');
  });

  it('serves its health and its metrics', async () => {
    const get = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).text();
    expect(await get('/metrics')).toContain('evenkeel_bridge');
    expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200);
  });

  it('prints nothing but its log, as JSON', () => {
    const lines = output.trimEnd().split('\n');
    expect(lines.filter((line) => !line.startsWith('{"time":'))).toEqual([]);
  });

  it('ends with 0 when its pod is deleted', async () => {
    const ended = once(bridge, 'exit');
    bridge.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
  });
});
