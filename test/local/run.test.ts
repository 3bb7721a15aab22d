/** A local run in this process: its story, its hub, and the files that it leaves. */
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { LocalRunOptions } from '../../local/options.ts';
import { type LocalRun, startRun } from '../../local/run.ts';
import type { Story } from '../../local/stories/scene.ts';
import { stories } from '../../local/stories/stories.ts';
import { elasticGroups } from '../../shared/elastic-workload/elastic-groups.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'evenkeel-run-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const quiet: LocalRunOptions = {
  help: false,
  once: true,
  story: 'none',
  port: 0,
  data: undefined,
  tracesTo: undefined,
  kubeconfig: undefined,
  failback: false,
  estimator: {},
};

async function start(over: Partial<LocalRunOptions>): Promise<{ run: LocalRun; lines: readonly string[] }> {
  const lines: string[] = [];
  const run = await startRun({ ...quiet, data: join(folder, 'data'), ...over }, (line) => lines.push(line));
  // Also after a failed assertion: a run that continues would write to a deleted folder.
  onTestFinished(() => run.close());
  return { run, lines };
}

/** Registers a story for the duration of a test. */
function addStory(play: () => Promise<void>): string {
  const own = stories as Record<string, Story>;
  own.short = { title: 'A short one', on: 'the practice hub', play };
  onTestFinished(() => void delete own.short);
  return 'short';
}

/** An API server that has no object of any kind, and serves the kinds of these groups. */
async function startHub(...groups: readonly string[]): Promise<string> {
  const server = createServer((request, response) => {
    const isServed = groups.some((group) => request.url?.startsWith(`/apis/${group}/`));
    const body = isServed
      ? { kind: 'List', metadata: { resourceVersion: '1' }, items: [] }
      : { kind: 'Status', reason: 'NotFound', code: 404, message: 'the server could not find the requested resource' };
    request.resume();
    response.writeHead(isServed ? 200 : 404, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  }).listen(0, '127.0.0.1');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const kubeconfig = join(folder, 'kubeconfig');
  const clusters = [{ name: 'x', cluster: { server: url, 'insecure-skip-tls-verify': true } }];
  const contexts = [{ name: 'x', context: { cluster: 'x', user: 'x' } }];
  const users = [{ name: 'x', user: {} }];
  const config = { apiVersion: 'v1', kind: 'Config', clusters, users, contexts, 'current-context': 'x' };
  writeFileSync(kubeconfig, JSON.stringify(config));
  return kubeconfig;
}

const isLocked = () => existsSync(join(folder, 'data', 'lock'));

describe('a local run on the practice hub', () => {
  it('plays its story, and releases its data folder when it is closed', async () => {
    let played = 0;
    const { run, lines } = await start({ story: addStory(async () => void played++) });
    expect([run.cameTrue, played, isLocked()]).toEqual([true, 1, true]);
    expect(lines).toEqual(['Story: A short one.\n', '\nEvery step succeeded.']);
    await run.close();
    expect(isLocked()).toBe(false);
  });

  it('prints the failed step of its story', async () => {
    const { run, lines } = await start({ story: addStory(() => Promise.reject(new Error('member1 is still empty'))) });
    expect([run.cameTrue, lines.at(-1)]).toEqual([false, '\nA step failed: member1 is still empty']);
    await run.close();
  });

  it('succeeds without a story', async () => {
    const { run, lines } = await start({});
    expect([run.cameTrue, lines]).toEqual([true, []]);
    await run.close();
  });
});

describe('a local run on the hub of a kubeconfig', () => {
  it('starts if the hub serves ElasticWorkloads and no WorkloadRebalancers', async () => {
    const { run } = await start({ kubeconfig: await startHub(elasticGroups[0]) });
    expect([run.cameTrue, isLocked()]).toEqual([true, true]);
    await run.close();
  });

  it('closes what it started, and reports why, if the hub serves neither kind', async () => {
    await expect(start({ kubeconfig: await startHub() })).rejects.toThrow(
      /^the hub at http:\/\/127\.0\.0\.1:\d+ cannot be used: /,
    );
    expect([existsSync(join(folder, 'data', 'version')), isLocked()]).toEqual([true, false]);
  });
});
