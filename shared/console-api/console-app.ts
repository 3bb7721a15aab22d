/** The page and its API behind an OpenID Connect login: every logged-in user may read, and users in one of the groups may write. */
import { hkdfSync } from 'node:crypto';
import { serveStatic } from '@hono/node-server/serve-static';
import { getAuth, initOidcAuthMiddleware, oidcAuthMiddleware, revokeSession } from '@hono/oidc-auth';
import { type Context, Hono } from 'hono';
import { deleteCookie, getCookie } from 'hono/cookie';
import { createMiddleware } from 'hono/factory';
import { decode } from 'hono/jwt';
import { secureHeaders } from 'hono/secure-headers';
import type { ConsoleEnvironment } from '../core/environment.ts';
import { clock } from '../runtime/moment.ts';
import { type Answerers, operationsApp } from './operations-app.ts';

export interface ConsoleOptions
  extends Pick<ConsoleEnvironment, 'issuer' | 'clientId' | 'scopes' | 'groupsClaim' | 'commandGroups'> {
  readonly clientSecret: string;
  readonly answerers: Required<Pick<Answerers, 'query' | 'command'>>;
  /** Folder of the built page. */
  readonly folder: string;
  /** Called with the reason of a failed login, without secrets. */
  readonly onRejected: (why: string) => void;
}

/** A session ends after 12 hours; it is refreshed at the issuer every 15 minutes. */
const SESSION_SECONDS = 12 * 3600;
const REFRESH_SECONDS = 900;
const COOKIE = 'evenkeel-session';

export function consoleApp({ answerers, folder, commandGroups, onRejected, ...login }: ConsoleOptions): Hono {
  const app = new Hono();
  app.onError((error, c) => {
    onRejected(error.message);
    return c.text('The login failed. Load the page again; the log of serve-console contains the reason.\n', 500);
  });
  const readOnly = operationsApp({ query: answerers.query });
  const readWrite = operationsApp(answerers);
  app.use(secureHeaders({ contentSecurityPolicy: { defaultSrc: ["'self'"], frameAncestors: ["'none'"] } }));
  app.use(endSessions);
  app.use(keepGroups(login.groupsClaim));
  app.use(initOidcAuthMiddleware(settingsOf(login)));
  app.get('/logout', async (c) => {
    await revokeSession(c);
    return c.text('You are logged out.\n');
  });
  app.all('/api/*', async (c) => {
    const auth = await getAuth(c);
    // The page calls the API in the background, where a redirect to the login does not work.
    if (auth === null) return loggedOut(c);
    const groups = Array.isArray(auth.groups) ? (auth.groups as readonly unknown[]) : [];
    const mayCommand = commandGroups.some((group) => groups.includes(group));
    return withCookies(
      c,
      await (mayCommand ? readWrite : readOnly).fetch(c.req.raw, {
        by: { source: 'console', name: auth.email || auth.sub },
      }),
    );
  });
  app.use(oidcAuthMiddleware());
  app.use(serveStatic({ root: folder }));
  return app;
}

function loggedOut(c: Context): Response {
  return c.json({ status: 401, reason: 'LoggedOut', error: 'you are logged out; load the page again' }, 401);
}

/**
 * Deletes an expired session here: the middleware would revoke it at the issuer in the background, which a Lambda can't do. A forged
 * cookie can only log its sender out, so it is not verified first.
 */
const endSessions = createMiddleware(async (c, next) => {
  if (!isOver(getCookie(c, COOKIE))) return next();
  deleteCookie(c, COOKIE, { path: '/', secure: true });
  if (c.req.path.startsWith('/api/')) return loggedOut(c);
  // A location that begins with two slashes or a backslash names another host.
  return c.redirect(`/${c.req.path.replace(/^[/\\]+/, '')}`);
});

function isOver(session = ''): boolean {
  try {
    const { ssnexp } = decode(session).payload as { readonly ssnexp?: unknown };
    return typeof ssnexp === 'number' && ssnexp * 1000 < clock.now();
  } catch {
    // An invalid session is rejected by the middleware's verification.
    return false;
  }
}

/** Passes on the cookie of a session that was refreshed during the request. */
function withCookies(c: Context, answer: Response): Response {
  const response = new Response(answer.body, answer);
  for (const cookie of c.res.headers.getSetCookie()) response.headers.append('set-cookie', cookie);
  return response;
}

/** The claims of the id token that the session keeps. */
function keepGroups(claim: string) {
  return createMiddleware(async (c, next) => {
    c.set('oidcClaimsHook', async (before, claims) => {
      if (claims === undefined) return { ...before };
      const email = typeof claims.email === 'string' ? claims.email : '';
      return { ...before, sub: claims.sub, email, groups: claims[claim] ?? [] };
    });
    await next();
  });
}

function settingsOf({
  issuer,
  clientId,
  clientSecret,
  scopes,
}: Pick<ConsoleOptions, 'issuer' | 'clientId' | 'clientSecret' | 'scopes'>) {
  // Derived, so that no second secret is needed: a new client secret logs all users out, as intended.
  const key = Buffer.from(hkdfSync('sha256', clientSecret, clientId, 'evenkeel console session', 32)).toString('hex');
  return {
    OIDC_ISSUER: issuer,
    OIDC_CLIENT_ID: clientId,
    OIDC_CLIENT_SECRET: clientSecret,
    OIDC_SCOPES: scopes,
    OIDC_AUTH_SECRET: key,
    OIDC_AUTH_EXPIRES: String(SESSION_SECONDS),
    OIDC_AUTH_REFRESH_INTERVAL: String(REFRESH_SECONDS),
    OIDC_COOKIE_NAME: COOKIE,
  };
}
