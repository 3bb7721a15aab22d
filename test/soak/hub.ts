/** The hub of a soak: the practice hub with its members, in fast time and in this process, so that it outlives the local run. */
import { readFileSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { type SimulatedFleet, startFleet } from '../../local/practice-hub/fleet.ts';
import { type HubServer, startHubServer } from '../../local/practice-hub/hub-server.ts';
import { type FastTime, fastNow } from './fast-time.ts';

export const WORKLOADS = Array.from({ length: 40 }, (_, index) => `w${String(index).padStart(2, '0')}`);
export const NAMESPACE = 'shop';
const FUNCTIONS = 'functions-of-evenkeel';
const ACCOUNT = 'system:serviceaccount:evenkeel:evenkeel';
const members = ['member1', 'member2', 'member3'].map((name) => ({ name, capacity: 300, readyDelayMs: 1000 }));

export interface SoakHub {
  readonly server: HubServer;
  readonly fleet: SimulatedFleet;
  readonly kubeconfig: string;
  readonly now: () => number;
  /** What the hub's audit log gave up, because the local run was not there. */
  readonly dropped: () => number;
  close(): Promise<void>;
}

export async function startSoakHub(
  folder: string,
  local: { data: string; port: number },
  time: () => FastTime,
): Promise<SoakHub> {
  const now = () => fastNow(time(), Date.now());
  const relay = await startRelay(local);
  let dropped = 0;
  const server = await startHubServer({
    port: 0,
    now,
    users: { [FUNCTIONS]: ACCOUNT },
    audit: { url: relay.url, token: 'relayed', maxWaitMs: 20, firstRetryMs: 20, onDrop: (count) => (dropped += count) },
  });
  const clock = {
    now,
    after: (ms: number, fn: () => void) => {
      const timer = setTimeout(fn, Math.max(0, ms) / time().speed);
      return () => clearTimeout(timer);
    },
  };
  const fleet = startFleet({ store: server.controllersStore, clock, members, tolerationMs: 3000 });
  const config = parse(server.kubeconfig()) as { users: { user: object }[] };
  for (const user of config.users) user.user = { token: FUNCTIONS };
  const kubeconfig = join(folder, 'kubeconfig');
  writeFileSync(kubeconfig, stringify(config));
  return {
    server,
    fleet,
    kubeconfig,
    now,
    dropped: () => dropped,
    close: async () => {
      fleet.close();
      await server.close();
      relay.close();
    },
  };
}

/** Carries the hub's audit events to the hook as an API server would, by the token and certificate in the data folder; 502 while the hook is down. */
async function startRelay({ data, port }: { data: string; port: number }): Promise<{ url: string; close(): void }> {
  const server = http.createServer((request, response) => {
    const badGateway = () => void response.writeHead(502).end();
    let access: { ca: string; token: string };
    try {
      const { cert } = JSON.parse(readFileSync(join(data, 'hook-tls.json'), 'utf8')) as { cert: string };
      access = { ca: cert, token: readFileSync(join(data, 'hook-token'), 'utf8') };
    } catch {
      return badGateway();
    }
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${access.token}` };
    const options = { host: '127.0.0.1', port: port + 1, path: '/hubs/karmada/audit', method: 'POST', headers };
    const onward = https.request({ ...options, ca: access.ca, agent: false }, (answer) => {
      response.writeHead(answer.statusCode ?? 502);
      answer.on('error', badGateway).pipe(response);
    });
    onward.on('error', badGateway);
    request.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
