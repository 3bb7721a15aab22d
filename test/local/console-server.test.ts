import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ConsoleServer, startConsoleServer } from '../../local/console-server.ts';

let server: ConsoleServer;
const folder = mkdtempSync(join(tmpdir(), 'evenkeel-page-'));

beforeAll(async () => {
  writeFileSync(join(folder, 'index.html'), '<!doctype html><title>Evenkeel</title>');
  writeFileSync(join(tmpdir(), 'evenkeel-beside.txt'), 'not for pages');
  const query = async () => ({ answer: { hubs: [] } });
  server = await startConsoleServer({ port: 0, answerers: { query }, folder, metrics: () => 'up 1\n' });
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

  it('has metrics for Prometheus beside it', async () => {
    const response = await fetch(`${server.url}/metrics`);
    expect(await response.text()).toBe('up 1\n');
    expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  });

  it('gives no file from beside its folder', async () => {
    for (const path of ['/../evenkeel-beside.txt', '/%2e%2e/evenkeel-beside.txt', '/..%2fevenkeel-beside.txt'])
      expect((await fetch(`${server.url}${path}`)).status).toBe(404);
  });

  it('takes no order of a page of another site', async () => {
    const command = (origin: string) =>
      fetch(`${server.url}/api/hubs/karmada/resync`, { method: 'POST', body: '{}', headers: { origin } });
    expect((await command('https://evil.example')).status).toBe(403);
    expect((await command(new URL(server.url).origin)).status).not.toBe(403);
  });

  it('answers under no name but those of this machine', async () => {
    const { port } = new URL(server.url);
    expect(await Promise.all([`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`].map(statusFor))).toEqual([
      200, 200, 200,
    ]);
    expect(await Promise.all(['evil.example', `127.0.0.1.evil.example:${port}`].map(statusFor))).toEqual([403, 403]);
  });
});

describe('a page with a session token', () => {
  it('answers only a browser that has opened the address with the token', async () => {
    const query = async () => ({ answer: { hubs: [] } });
    const guarded = await startConsoleServer({
      port: 0,
      answerers: { query },
      folder,
      token: 'a-token-of-32-bytes',
    });
    try {
      const { origin } = new URL(guarded.url);
      const statuses = ['/', '/api/hubs', '/?token=another'].map(
        async (path) => (await fetch(`${origin}${path}`)).status,
      );
      expect(await Promise.all(statuses)).toEqual([401, 401, 401]);
      const opened = await fetch(guarded.url, { redirect: 'manual' });
      expect([opened.status, opened.headers.get('location')]).toEqual([302, '/']);
      const [cookie = ''] = opened.headers.getSetCookie();
      expect(cookie).toMatch(/; HttpOnly; SameSite=Strict$/);
      const headers = { cookie: cookie.split(';')[0] ?? '' };
      expect((await fetch(`${origin}/api/hubs`, { headers })).status).toBe(200);
      expect(await (await fetch(origin, { headers })).text()).toContain('<title>Evenkeel</title>');
    } finally {
      await guarded.close();
    }
  });
});
