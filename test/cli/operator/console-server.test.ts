import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ConsoleServer, startConsoleServer } from '../../../cli/operator/console-server.ts';

let server: ConsoleServer;
const folder = mkdtempSync(join(tmpdir(), 'evenkeel-page-'));

beforeAll(async () => {
  writeFileSync(join(folder, 'index.html'), '<!doctype html><title>Evenkeel</title>');
  writeFileSync(join(tmpdir(), 'evenkeel-beside.txt'), 'not for pages');
  const question = async () => ({ answer: { hubs: [] } });
  server = await startConsoleServer({ port: 0, answerers: { question }, folder });
});

afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

/** With a Host header that fetch would not send. */
function statusFor(host: string): Promise<number | undefined> {
  const { hostname, port } = new URL(server.url);
  return new Promise((resolve, reject) => {
    const request = http.get({ hostname, port, path: '/api/hubs', headers: { host } }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    request.on('error', reject);
  });
}

describe("the local run's page", () => {
  it('is served at the root, and lets nothing in from elsewhere', async () => {
    const response = await fetch(server.url);
    expect(await response.text()).toContain('<title>Evenkeel</title>');
    expect(response.headers.get('content-type')).toContain('text/html');
    expect(response.headers.get('content-security-policy')).toBe("default-src 'self'; frame-ancestors 'none'");
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  });

  it('has its API beside it', async () => {
    expect(await (await fetch(`${server.url}/api/hubs`)).json()).toEqual({ hubs: [] });
  });

  it('gives no file from beside its folder', async () => {
    for (const path of ['/../evenkeel-beside.txt', '/%2e%2e/evenkeel-beside.txt', '/..%2fevenkeel-beside.txt'])
      expect((await fetch(`${server.url}${path}`)).status).toBe(404);
  });

  it('answers under no name but those of this machine', async () => {
    const { port } = new URL(server.url);
    expect(await Promise.all([`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`].map(statusFor))).toEqual([
      200, 200, 200,
    ]);
    expect(await Promise.all(['evil.example', `127.0.0.1.evil.example:${port}`].map(statusFor))).toEqual([403, 403]);
  });
});
