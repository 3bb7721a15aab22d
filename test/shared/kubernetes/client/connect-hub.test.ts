/** What the client of a hub logs and sends, against an API server of the test. */
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseSettings } from '../../../../shared/core/settings.ts';
import { connectHub, openHub } from '../../../../shared/kubernetes/client/connect-hub.ts';
import { workloadRebalancers } from '../../../../shared/workload-rebalancer/workload-rebalancer.ts';
import { type Line, recording } from '../../../fakes/telemetry.ts';

const key = { namespace: '', name: 'demo' };
let server: http.Server;
let statuses: number[];
let seen: (string | undefined)[];
let lines: Line[];
/** Connections that were opened. */
let sockets: number;

beforeEach(async () => {
  [statuses, seen, lines, sockets] = [[], [], [], 0];
  server = http.createServer((request, response) => {
    seen.push(request.headers.authorization);
    const status = statuses.shift() ?? 404;
    response.writeHead(status, { 'content-type': 'application/json', 'retry-after': '0' }).end('{"items":[{}]}');
  });
  server.on('connection', () => (sockets += 1));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const connection = (token: string) => {
  return { server: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, token, hookTokens: [] };
};
const open = (reload?: () => Promise<ReturnType<typeof connection>>) =>
  connectHub('karmada', connection('old'), {
    settings: parseSettings({ hubInFlight: 8 }),
    telemetry: recording(lines),
    ...(reload && { reload }),
  });

describe('a connected hub', () => {
  it('logs that fewer requests are in flight when the hub asks for it', async () => {
    statuses = [429];
    expect(await open().get(workloadRebalancers, key)).toBe(undefined);
    expect(lines).toEqual([{ code: 'EK200', fields: { hub: 'karmada', inFlight: 2 } }]);
    expect(seen).toHaveLength(2);
  });

  it('logs which object of a list is unreadable', async () => {
    statuses = [200];
    const pages = [];
    for await (const page of open().list(workloadRebalancers)) pages.push(page);
    expect(pages).toEqual([[]]);
    expect(lines).toMatchObject([{ code: 'EK201', fields: { hub: 'karmada', reason: 'UnreadableObject' } }]);
  });

  it('uses the new token of a renewed connection, and sends once with a fixed one', async () => {
    statuses = [401];
    await open(async () => connection('new')).get(workloadRebalancers, key);
    expect(seen).toEqual(['Bearer old', 'Bearer new']);
    seen = [];
    statuses = [401];
    await expect(open().get(workloadRebalancers, key)).rejects.toMatchObject({ reason: 'Http401' });
    expect(seen).toEqual(['Bearer old']);
  });

  it('reads the token file again after the hub rejects its token, on the same connection', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'connect-hub-'));
    const tokenFile = join(folder, 'token');
    writeFileSync(tokenFile, 'from-file');
    statuses = [401];
    const { token: _, ...rest } = connection('');
    const context = { settings: parseSettings({}), telemetry: recording(lines) };
    await connectHub('karmada', { ...rest, tokenFile }, context).get(workloadRebalancers, key);
    expect(seen).toEqual(['Bearer from-file', 'Bearer from-file']);
    expect(sockets).toBe(1);
    rmSync(folder, { recursive: true });
  });

  it('creates a new token of the EKS cluster after the hub rejects the old one', async () => {
    statuses = [401];
    const { token: _, ...rest } = connection('');
    let made = 0;
    const eksTokens = async () => `token ${(made += 1)}`;
    const context = { settings: parseSettings({}), telemetry: recording(lines), eksTokens };
    const eksCluster = { name: 'hub', region: 'eu-central-1' };
    await connectHub('karmada', { ...rest, eksCluster }, context).get(workloadRebalancers, key);
    expect(seen).toEqual(['Bearer token 1', 'Bearer token 2']);
  });
});

describe('an open hub', () => {
  it('is idle while no request is in flight, closes its sockets, and opens another for a later request', async () => {
    const arrived: (() => void)[] = [];
    const closed: Promise<unknown>[] = [];
    server.removeAllListeners('request');
    server.on('request', (_, response: http.ServerResponse) => {
      arrived.push(() => response.writeHead(404, { 'content-type': 'application/json' }).end('{}'));
    });
    server.on('connection', (socket) => closed.push(once(socket, 'close')));
    const context = { settings: parseSettings({}), telemetry: recording(lines) };
    const { hub, isIdle, close } = openHub('karmada', connection('old'), context);
    const get = async () => {
      const request = once(server, 'request');
      const answer = hub.get(workloadRebalancers, key);
      await request;
      const wasIdle = isIdle();
      arrived.pop()?.();
      await answer;
      return wasIdle;
    };
    expect(isIdle()).toBe(true);
    expect(await get()).toBe(false);
    expect(isIdle()).toBe(true);
    close();
    await Promise.all(closed);
    await get();
    expect(sockets).toBe(2);
    close();
    await Promise.all(closed);
  });
});
