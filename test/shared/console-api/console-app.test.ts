import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { consoleApp } from '../../../shared/console-api/console-app.ts';
import type { OperationCall } from '../../../shared/console-api/operation-task.ts';
import { type OidcIssuer, startOidcIssuer } from '../../fakes/oidc-issuer.ts';

const client = { id: 'evenkeel', secret: 'a-client-secret-of-the-issuer' };
const HOST = 'https://console.example';
const folder = mkdtempSync(join(tmpdir(), 'evenkeel-console-'));

let issuer: OidcIssuer;
beforeAll(() => writeFileSync(join(folder, 'index.html'), '<!doctype html><title>Evenkeel</title>'));
beforeEach(async () => {
  issuer = await startOidcIssuer(client);
});
afterEach(async () => {
  vi.useRealTimers();
  await issuer.close();
});
afterAll(() => rmSync(folder, { recursive: true }));

/** A browser as far as it matters here: it keeps cookies of the page's own origin, and follows redirects. */
class Visitor {
  readonly calls: OperationCall[] = [];
  readonly rejected: string[] = [];
  readonly cookies = new Map<string, string>();
  readonly #app: ReturnType<typeof consoleApp>;

  constructor(clientSecret = client.secret) {
    const answer = async (call: OperationCall) => {
      this.calls.push(call);
      return { answer: { may: { command: false, practice: false }, now: 'now' } };
    };
    this.#app = consoleApp({
      issuer: issuer.url,
      clientId: client.id,
      clientSecret,
      scopes: 'openid email groups',
      groupsClaim: 'groups',
      commandGroups: ['sre'],
      answerers: { query: answer, command: answer },
      folder,
      onRejected: (why) => this.rejected.push(why),
    });
  }

  async ask(path: string, init: RequestInit = {}): Promise<Response> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await this.#app.request(`${HOST}${path}`, { ...init, headers: { ...init.headers, cookie } });
    for (const line of response.headers.getSetCookie()) {
      const [pair = '', ...attributes] = line.split(/; */);
      const [name = '', value = ''] = pair.split(/=(.*)/);
      if (attributes.some((each) => /^max-age=0$/i.test(each))) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    return response;
  }

  /** The last answer, once nothing is redirected any more. */
  async visit(path: string): Promise<Response> {
    const first = await this.ask(path);
    if (first.status !== 302) return first;
    const login = await fetch(first.headers.get('location') ?? '', { redirect: 'manual' });
    const back = new URL(login.headers.get('location') ?? '');
    const callback = await this.ask(`${back.pathname}${back.search}`);
    if (callback.status !== 302) return callback;
    const { pathname } = new URL(callback.headers.get('location') ?? '', HOST);
    return this.ask(pathname);
  }

  async command(): Promise<Response> {
    const headers = { 'content-type': 'application/json' };
    return this.ask('/api/dead-letters/redrive', { method: 'POST', headers, body: '{}' });
  }
}

describe('the console behind a login', () => {
  it('is served to users that are logged in, and to no others', async () => {
    const visitor = new Visitor();
    const first = await visitor.ask('/');
    expect(first.status).toBe(302);
    expect(first.headers.get('location')).toContain(`${issuer.url}/authorize?client_id=evenkeel`);
    const page = await new Visitor().visit('/');
    expect([page.status, await page.text()]).toEqual([200, '<!doctype html><title>Evenkeel</title>']);
    expect(page.headers.get('content-security-policy')).toBe("default-src 'self'; frame-ancestors 'none'");
  });

  it('has its session in a cookie that no script reads', async () => {
    const visitor = new Visitor();
    const first = await visitor.ask('/');
    const login = await fetch(first.headers.get('location') ?? '', { redirect: 'manual' });
    const { pathname, search } = new URL(login.headers.get('location') ?? '');
    const callback = await visitor.ask(`${pathname}${search}`);
    const session = callback.headers.getSetCookie().find((line) => line.startsWith('evenkeel-session='));
    expect(session).toMatch(/; Path=\/; HttpOnly; Secure$/);
  });

  it('rejects API requests without a login, without a redirect', async () => {
    const visitor = new Visitor();
    const answer = await visitor.ask('/api/hubs');
    expect([answer.status, await answer.json()]).toEqual([
      401,
      { status: 401, reason: 'LoggedOut', error: 'you are logged out; load the page again' },
    ]);
    expect((await visitor.command()).status).toBe(401);
    expect(visitor.calls).toEqual([]);
  });

  it('lets users that are logged in read, and lets only users in one of the groups command', async () => {
    const visitor = new Visitor();
    issuer.user = { sub: 'user-1', email: 'one@example.com', groups: ['dev'] };
    await visitor.visit('/');
    expect(await (await visitor.ask('/api/about')).json()).toMatchObject({ may: { command: false } });
    expect((await visitor.command()).status).toBe(404);
    const onCall = new Visitor();
    issuer.user = { sub: 'user-2', email: 'two@example.com', groups: ['dev', 'sre'] };
    await onCall.visit('/');
    expect(await (await onCall.ask('/api/about')).json()).toMatchObject({ may: { command: true } });
    expect((await onCall.command()).status).toBe(200);
    expect(onCall.calls.map(({ operation }) => operation)).toEqual(['about', 'redriveDeadLetters']);
    expect(onCall.calls.at(-1)?.by).toEqual({ source: 'console', name: 'two@example.com' });
  });

  it.each([
    ['groups that are a text', 'sre'],
    ['no groups', undefined],
    ['groups that hold another thing', [{ name: 'sre' }]],
  ])('allows no commands with %s', async (_, groups) => {
    const visitor = new Visitor();
    issuer.user = { sub: 'user-1', groups };
    await visitor.visit('/');
    expect(await (await visitor.ask('/api/about')).json()).toMatchObject({ may: { command: false } });
  });

  it('rejects a session that was signed with another key', async () => {
    const visitor = new Visitor();
    await visitor.visit('/');
    const [session = ''] = [...visitor.cookies.values()];
    const other = new Visitor('another-secret-of-the-same-client');
    other.cookies.set('evenkeel-session', session);
    expect((await other.ask('/api/hubs')).status).toBe(401);
    const [head = '', body = ''] = session.split('.');
    visitor.cookies.set('evenkeel-session', `${head}.${body}.AAAA`);
    expect((await visitor.ask('/api/hubs')).status).toBe(401);
  });

  it('rejects a login response for a login that it did not start', async () => {
    const stranger = new Visitor();
    const begun = await stranger.ask('/');
    const login = await fetch(begun.headers.get('location') ?? '', { redirect: 'manual' });
    const { pathname, search } = new URL(login.headers.get('location') ?? '');
    const victim = new Visitor();
    const answer = await victim.ask(`${pathname}${search}`);
    expect([answer.status, await answer.text()]).toEqual([
      500,
      'The login failed. Load the page again; the log of serve-console contains the reason.\n',
    ]);
    expect(victim.rejected).toEqual(['unexpected "state" response parameter encountered']);
    expect(victim.cookies.has('evenkeel-session')).toBe(false);
  });

  it('refreshes the groups of the user from the issuer every 15 minutes', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const visitor = new Visitor();
    issuer.user = { sub: 'user-1', groups: ['sre'] };
    await visitor.visit('/');
    issuer.user = { sub: 'user-1', groups: [] };
    vi.setSystemTime(Date.now() + 16 * 60_000);
    expect(await (await visitor.ask('/api/about')).json()).toMatchObject({ may: { command: false } });
    expect(issuer.asked).toEqual(['code', 'refresh']);
    await visitor.ask('/api/about');
    expect(issuer.asked).toEqual(['code', 'refresh']);
  });

  it('keeps the user and the groups if the issuer answers a refresh without an id token', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const visitor = new Visitor();
    issuer.refreshesIdToken = false;
    issuer.user = { sub: 'user-1', email: 'one@example.com', groups: ['sre'] };
    await visitor.visit('/');
    vi.setSystemTime(Date.now() + 16 * 60_000);
    expect((await visitor.command()).status).toBe(200);
    expect(visitor.calls.at(-1)?.by).toEqual({ source: 'console', name: 'one@example.com' });
    expect(issuer.asked).toEqual(['code', 'refresh']);
  });

  it.each([
    ['one@example.com', 'one@example.com'],
    [undefined, 'user-1'],
    [7, 'user-1'],
  ])('names a user with the email %j as %s', async (email, name) => {
    const visitor = new Visitor();
    issuer.user = { sub: 'user-1', email, groups: ['sre'] };
    await visitor.visit('/');
    await visitor.command();
    expect(visitor.calls.at(-1)?.by).toEqual({ source: 'console', name });
  });

  it.each(['//evil.example/', '///evil.example', '/\\evil.example/'])(
    'sends a session that is over back to this site, never to the host in the path %j',
    async (path) => {
      const visitor = new Visitor();
      const over = Buffer.from(JSON.stringify({ ssnexp: 1 })).toString('base64url');
      visitor.cookies.set('evenkeel-session', `${Buffer.from('{"alg":"HS256"}').toString('base64url')}.${over}.x`);
      const response = await visitor.ask(path);
      const target = new URL(response.headers.get('location') ?? '', HOST);
      expect([response.status, target.origin]).toEqual([302, HOST]);
    },
  );

  it('deletes the cookie of a session that is over, as it was set, and keeps the path', async () => {
    const visitor = new Visitor();
    const over = Buffer.from(JSON.stringify({ ssnexp: 1 })).toString('base64url');
    visitor.cookies.set('evenkeel-session', `${Buffer.from('{"alg":"HS256"}').toString('base64url')}.${over}.x`);
    const response = await visitor.ask('/practice/tasks//x');
    expect(response.headers.get('location')).toBe('/practice/tasks//x');
    expect(response.headers.getSetCookie()).toEqual(['evenkeel-session=; Max-Age=0; Path=/; Secure']);
  });

  it('ends a session after twelve hours, or when the user logs out', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const visitor = new Visitor();
    await visitor.visit('/');
    expect((await visitor.ask('/api/about')).status).toBe(200);
    expect(await (await visitor.ask('/logout')).text()).toBe('You are logged out.\n');
    expect(issuer.asked).toEqual(['code', 'revoke']);
    expect((await visitor.ask('/api/about')).status).toBe(401);
    await visitor.visit('/');
    vi.setSystemTime(Date.now() + 13 * 3600_000);
    const session = visitor.cookies.get('evenkeel-session') ?? '';
    expect((await visitor.ask('/api/about')).status).toBe(401);
    expect(visitor.cookies.has('evenkeel-session')).toBe(false);
    visitor.cookies.set('evenkeel-session', session);
    const page = await visitor.ask('/');
    expect([page.status, page.headers.get('location')]).toEqual([302, '/']);
    expect(visitor.cookies.has('evenkeel-session')).toBe(false);
  });
});
