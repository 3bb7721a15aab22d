import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { parseOptions } from '../../local/options.ts';
import { startRun } from '../../local/run.ts';
import { stories } from '../../local/stories/stories.ts';
import { Fault } from '../../shared/core/fault.ts';

let folder = '';
const started: ChildProcess[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'evenkeel-test-'));
});

afterEach(async () => {
  for (const child of started.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
  rmSync(folder, { recursive: true, force: true });
});

/** `npm start -- ...args`, as the script runs it. */
function start(...args: string[]): { child: ChildProcess; output: () => string; ended: Promise<number | null> } {
  const child = spawn(process.execPath, ['local/preflight.mjs', ...args], { env: { ...process.env, NO_COLOR: '1' } });
  started.push(child);
  let text = '';
  child.stdout.on('data', (part: Buffer) => (text += part.toString()));
  child.stderr.on('data', (part: Buffer) => (text += part.toString()));
  const ended = once(child, 'close').then(() => child.exitCode);
  return { child, output: () => text, ended };
}

async function until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  for (let look = 0; look < 3600; look++) {
    if (await holds()) return;
    await wait(25);
  }
  throw new Error(`this did not come true: ${what}`);
}

function kubeconfig(server: string): string {
  const clusters = [{ name: 'x', cluster: { server, 'insecure-skip-tls-verify': true } }];
  const contexts = [{ name: 'x', context: { cluster: 'x', user: 'x' } }];
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters,
    users: [{ name: 'x', user: {} }],
    contexts,
    'current-context': 'x',
  });
}

/** The message of the error with which a local run with these options ends before it has started. */
async function failureOf(...args: string[]): Promise<string> {
  const failed = await startRun(parseOptions(args, stories), () => undefined).catch((thrown: unknown) => thrown);
  expect(failed).toBeInstanceOf(Fault);
  return (failed as Fault).message;
}

describe('a local run does not start with', () => {
  it('an unreadable kubeconfig', async () => {
    expect(await failureOf('--kubeconfig', join(folder, 'none'))).toMatch(
      /^kubeconfig .*none cannot be used: there is no such file$/,
    );
  });

  it('an invalid kubeconfig, without printing its content', async () => {
    writeFileSync(join(folder, 'kc'), 'users: [{user: {token: secret-token}}]\n: : :');
    const failure = await failureOf('--kubeconfig', join(folder, 'kc'));
    expect(failure).toMatch(/^kubeconfig .*kc cannot be used: .*$/);
    expect(failure).not.toContain('secret-token');
  });

  it('a data folder of another version', async () => {
    writeFileSync(join(folder, 'version'), '7\n');
    expect(await failureOf('--data', folder)).toMatch(
      /holds version 7 of the layout, this is version 2; name another folder, or remove it$/,
    );
  });

  it('a data folder that another process uses', async () => {
    writeFileSync(join(folder, 'version'), '2\n');
    writeFileSync(join(folder, 'lock'), `${process.ppid}\n`);
    expect(await failureOf('--data', folder)).toContain(
      `process ${process.ppid} is using it; end that one, or name another folder`,
    );
  });

  it('a data folder that is a file', async () => {
    writeFileSync(join(folder, 'file'), '');
    expect(await failureOf('--data', join(folder, 'file'))).toMatch(/^data folder .*file cannot be used: .*$/);
  });

  it('a setting out of range', async () => {
    vi.stubEnv('EVENKEEL_CHUNK_SIZE', '0');
    expect(await failureOf('--once')).toContain(
      'chunkSize: "0" is not a whole number of workloads from 1 to 400; the default is 100',
    );
  });
});

describe('npm start prints one line with the fix and exits with 2 for', () => {
  it('a hub that does not answer', async () => {
    writeFileSync(join(folder, 'kc'), kubeconfig('http://127.0.0.1:1'));
    const run = start('--kubeconfig', join(folder, 'kc'), '--port', '0');
    expect(await run.ended).toBe(2);
    expect(run.output()).toMatch(/^evenkeel: the hub at http:\/\/127.0.0.1:1 cannot be used: .*ECONNREFUSED.*\n$/);
  });

  it('a port in use', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const run = start('--port', String(port));
    expect(await run.ended).toBe(2);
    // The run uses two ports; another program may use the second one, and then the error names that one.
    expect(run.output()).toMatch(
      new RegExp(
        `^evenkeel: port (${port}|${port + 1}) is in use; name another with --port N, or --port 0 for any free one$`,
        'm',
      ),
    );
    server.close();
  });

  it.runIf(existsSync('/dev/full'))('a full disk', async () => {
    symlinkSync('/dev/full', join(folder, 'evenkeel.log'));
    const run = start('--once', '--port', '0', '--data', folder);
    expect(await run.ended).toBe(2);
    expect(run.output()).toMatch(
      /(^|\n)evenkeel: the data folder cannot be written \(ENOSPC\): free space and start again with the same --data, .*\n$/,
    );
    expect(run.output()).not.toContain('    at ');
  });

  // options.test.ts tests the other options.
  it('an unknown option', async () => {
    const run = start('--story', 'nope');
    expect(await run.ended).toBe(2);
    expect(run.output()).toBe(
      'evenkeel: --story nope: Unsupported value; supported values: failback, large, descheduler, autopilot, graceful, elastic, spot, price, none\n',
    );
  });
});

/** Empty before the run has written its first line. */
function logIn(data: string): string {
  const file = join(data, 'evenkeel.log');
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

describe('a run that is killed and restarted with its data folder', () => {
  it('continues open rebalancers: those created before are finished, and expire', async () => {
    const data = join(folder, 'data');
    mkdirSync(data);
    const first = start('--story', 'none', '--port', '0', '--data', data);
    await until('the hub is up', () => first.output().includes('Ctrl-C'));
    await createRebalancer(data, { workloads: missingWorkloads(1), ttlSecondsAfterFinished: 2 });
    first.child.kill('SIGKILL');
    await first.ended;

    const second = start('--story', 'none', '--port', '0', '--data', data);
    await until('the hub is up again', () => second.output().includes('Ctrl-C'));
    const log = () => logIn(data);
    await until('it expired', () => log().includes('deleted: its ttl of 2 s has passed'));
    expect(log()).toContain('1 not found: it has no binding');
    second.child.kill('SIGINT');
    expect(await second.ended).toBe(0);
  });

  it('continues a half-finished task, without waiting for the resync that finds stalled tasks', async () => {
    const data = join(folder, 'data');
    mkdirSync(data);
    const log = () => logIn(data);
    const first = start('--story', 'none', '--port', '0', '--data', data);
    await until('the hub is up', () => first.output().includes('Ctrl-C'));
    await createRebalancer(data, { workloads: missingWorkloads(5000) });
    await until('a chunk is done', () => log().includes('is done, '));
    first.child.kill('SIGKILL');
    await first.ended;
    expect(log()).not.toContain('the last one');

    const second = start('--story', 'none', '--port', '0', '--data', data);
    await until('the last chunk is done', () => log().includes('the last one'));
    second.child.kill('SIGINT');
    expect(await second.ended).toBe(0);
  });
});

function missingWorkloads(count: number): object[] {
  const base = { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'default' };
  return Array.from({ length: count }, (_, index) => ({ ...base, name: `unknown-${index}` }));
}

async function createRebalancer(data: string, spec: object): Promise<void> {
  const hub = /server: (\S+)/.exec(readFileSync(join(data, 'kubeconfig'), 'utf8'))?.[1] ?? '';
  const kind = { apiVersion: 'apps.karmada.io/v1alpha1', kind: 'WorkloadRebalancer' };
  const created = await fetch(`${hub}/apis/apps.karmada.io/v1alpha1/workloadrebalancers`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...kind, metadata: { name: 'demo' }, spec }),
  });
  expect(created.status).toBe(201);
}

describe('a run with --kubeconfig', () => {
  it('reconciles that hub by resync, and at once writes the files that its API server needs for events', async () => {
    const practice = start('--story', 'none', '--port', '0', '--data', join(folder, 'practice'));
    await until('the hub is up', () => practice.output().includes('Ctrl-C'));
    const run = start(
      '--kubeconfig',
      join(folder, 'practice', 'kubeconfig'),
      '--port',
      '0',
      '--data',
      join(folder, 'data'),
    );
    await until('it has compared the hub with its tasks', () => run.output().includes('ResyncDue: 0 of 0'));
    expect(run.output()).toContain(`--audit-webhook-config-file=${join(folder, 'data', 'audit-webhook.yaml')}`);
    expect(readFileSync(join(folder, 'data', 'audit-policy.yaml'), 'utf8')).toContain('kind: Policy');
    run.child.kill('SIGTERM');
    expect(await run.ended).toBe(0);
  });
});
