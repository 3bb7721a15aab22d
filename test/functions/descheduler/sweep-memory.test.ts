/** What a sweep of a large hub takes: bindings as heavy as real ones, over HTTP, in a process of its own. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RESCHEDULING_POLICY } from '../../../shared/karmada/rescheduling-policy.ts';
import { bindingObject, statusOf } from './scene.ts';

const BINDINGS = 10_000;
/** Half a page's worth of nothing: what managedFields weigh on real ones. */
const WEIGHT = 'x'.repeat(3000);

let server: Server;
let requests = 0;
let mostAtOnce = 0;

/** Every tenth has a pending replica; every fifth asked for it. */
function binding(index: number): object {
  const held = { m1: [5, index % 10 === 0 ? 4 : 5], m2: [3, 3] } as const;
  const annotations = index % 5 === 0 ? { [RESCHEDULING_POLICY]: 'OnUnschedulable' } : {};
  const { metadata, ...object } = bindingObject(held, { name: `w${index}`, annotations });
  const uid = `uid-${index}`;
  const written = { uid, resourceVersion: '1', generation: 1, creationTimestamp: '2026-11-21T08:00:00Z' };
  return {
    ...object,
    metadata: { ...metadata, ...written, managedFields: [{ manager: WEIGHT }] },
    status: statusOf(held),
  };
}

function page(url: URL): object {
  if (!url.pathname.endsWith('/resourcebindings')) return { items: [], metadata: {} };
  const from = Number(url.searchParams.get('continue') ?? 0);
  const to = Math.min(BINDINGS, from + Number(url.searchParams.get('limit')));
  const items = Array.from({ length: to - from }, (_, i) => binding(from + i));
  return { items, metadata: to < BINDINGS ? { continue: String(to) } : {} };
}

beforeAll(async () => {
  let open = 0;
  server = createServer((request, response) => {
    requests += 1;
    mostAtOnce = Math.max(mostAtOnce, ++open);
    response.on('close', () => (open -= 1));
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(page(new URL(request.url ?? '', 'http://hub'))));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

describe('a sweep of 10,000 bindings of 5 KB', () => {
  it('stays under 256 MB, with a request a page and one at a time', async () => {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const args = [join(import.meta.dirname, 'sweep-process.ts'), url];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    const output = JSON.parse(stdout) as { seen: number; candidates: number; peakMb: number };
    expect(output).toMatchObject({ seen: BINDINGS, candidates: 1000 });
    expect(output.peakMb).toBeLessThan(256);
    // 20 pages of bindings, and one of each kind besides.
    expect([requests, mostAtOnce]).toEqual([23, 1]);
  });
});
