/** The page and its API on loopback, for this machine's people only: of a local run, or of a deployment that a shell may ask. */
import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import { serveStatic } from '@hono/node-server/serve-static';
import { Hono } from 'hono';
import { secureHeaders } from 'hono/secure-headers';
import { type Answerers, operatorApp } from '../../shared/edge/operator-app.ts';

export interface ConsoleServer {
  readonly url: string;
  close(): Promise<void>;
}

export interface ConsoleOptions {
  readonly port: number;
  readonly answerers: Answerers;
  /** Of the built page. */
  readonly folder: string;
}

export async function startConsoleServer({ port, answerers, folder }: ConsoleOptions): Promise<ConsoleServer> {
  const app = new Hono();
  // A name that another site has point to this machine is not this machine's name.
  app.use(async (c, next) => (isLoopback(c.req.header('host')) ? next() : c.text('only on loopback\n', 403)));
  app.use(
    secureHeaders({
      contentSecurityPolicy: { defaultSrc: ["'self'"], frameAncestors: ["'none'"] },
      // Over TLS this server never speaks.
      strictTransportSecurity: false,
    }),
  );
  app.route('/', operatorApp(answerers));
  app.use(serveStatic({ root: folder }));
  const server = createAdaptorServer({ fetch: app.fetch });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve));
  const { port: bound } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${bound}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        if ('closeAllConnections' in server) server.closeAllConnections();
      }),
  };
}

function isLoopback(host = ''): boolean {
  return /^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/.test(host);
}
