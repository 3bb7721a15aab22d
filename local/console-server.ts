/** The page and its API on loopback, for users of this machine: of a local run, or of a deployment that the shell's credentials may query. */
import { timingSafeEqual } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import { serveStatic } from '@hono/node-server/serve-static';
import { Hono, type MiddlewareHandler } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { csrf } from 'hono/csrf';
import { secureHeaders } from 'hono/secure-headers';
import { type Answerers, operationsApp } from '../shared/console-api/operations-app.ts';
import { PROMETHEUS_TEXT } from '../shared/core/prometheus-metrics.ts';

export interface ConsoleServer {
  readonly url: string;
  close(): Promise<void>;
}

export interface ConsoleServerOptions {
  readonly port: number;
  readonly answerers: Answerers;
  /** Of the built page. */
  readonly folder: string;
  /** If set, served for Prometheus at /metrics. */
  readonly metrics?: () => string;
  /** If set, requests need the session token of the address: other users of this machine can reach its loopback too. */
  readonly token?: string;
}

export async function startConsoleServer({
  port,
  answerers,
  folder,
  token,
  metrics,
}: ConsoleServerOptions): Promise<ConsoleServer> {
  const app = new Hono();
  // Protects against DNS rebinding: the Host must be a loopback name.
  app.use(async (c, next) => (isLoopback(c.req.header('host')) ? next() : c.text('only on loopback\n', 403)));
  app.use(
    secureHeaders({
      contentSecurityPolicy: { defaultSrc: ["'self'"], frameAncestors: ["'none'"] },
      // This server does not use TLS.
      strictTransportSecurity: false,
    }),
  );
  // Protects against cross-site POST requests.
  app.use(csrf());
  if (token !== undefined) app.use(withToken(token));
  app.route('/', operationsApp(answerers));
  if (metrics !== undefined) app.get('/metrics', (c) => c.body(metrics(), 200, { 'content-type': PROMETHEUS_TEXT }));
  app.use(serveStatic({ root: folder }));
  const server = createAdaptorServer({ fetch: app.fetch });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve));
  const { port: bound } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${bound}${token === undefined ? '' : `/?token=${token}`}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        if ('closeAllConnections' in server) server.closeAllConnections();
      }),
  };
}

/** The token of the address is moved into a cookie, so that it stays out of the browser's history. */
function withToken(token: string): MiddlewareHandler {
  return async (c, next) => {
    const name = `evenkeel-console-${new URL(c.req.url).port}`;
    if (isSame(c.req.query('token'), token)) {
      setCookie(c, name, token, { path: '/', httpOnly: true, sameSite: 'Strict' });
      return c.redirect('/');
    }
    if (isSame(getCookie(c, name), token)) return next();
    return c.json({ status: 401, reason: 'NoSession', error: 'open the address that "evenkeel console" printed' }, 401);
  };
}

function isSame(given: string | undefined, token: string): boolean {
  const [a, b] = [Buffer.from(given ?? ''), Buffer.from(token)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function isLoopback(host = ''): boolean {
  return /^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/.test(host);
}
