/** The page and its API behind a login of OpenID Connect: who is logged in may look, and who is in one of the groups may order. */
import { hkdfSync } from 'node:crypto';
import { serveStatic } from '@hono/node-server/serve-static';
import { getAuth, initOidcAuthMiddleware, oidcAuthMiddleware, revokeSession } from '@hono/oidc-auth';
import { type Context, Hono } from 'hono';
import { deleteCookie, getCookie } from 'hono/cookie';
import { createMiddleware } from 'hono/factory';
import { decode } from 'hono/jwt';
import { secureHeaders } from 'hono/secure-headers';
import type { ConsoleWiring } from '../wiring.ts';
import { clock } from './moment.ts';
import { type Answerers, operatorApp } from './operator-app.ts';

export interface ConsoleOptions
  extends Pick<ConsoleWiring, 'issuer' | 'clientId' | 'scopes' | 'groupsClaim' | 'orderGroups'> {
  readonly clientSecret: string;
  readonly answerers: Required<Pick<Answerers, 'question' | 'order'>>;
  /** Of the built page. */
  readonly folder: string;
  /** Told why somebody could not log in; never with what was secret in it. */
  readonly onRefused: (why: string) => void;
}

/** A session ends after a working day; every quarter of an hour the issuer is asked whether it still holds. */
const SESSION_SECONDS = 12 * 3600;
const REFRESH_SECONDS = 900;
const COOKIE = 'evenkeel-session';

export function consoleApp({ answerers, folder, orderGroups, onRefused, ...login }: ConsoleOptions): Hono {
  const app = new Hono();
  app.onError((error, c) => {
    onRefused(error.message);
    return c.text('The login did not go through. Load the page again; the log of serve-console says why.\n', 500);
  });
  const toLook = operatorApp({ question: answerers.question });
  const toOrder = operatorApp(answerers);
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
    // The page asks in the background: a redirect to the login would be of no use there.
    if (auth === null) return loggedOut(c);
    const groups = Array.isArray(auth.groups) ? (auth.groups as readonly unknown[]) : [];
    const mayOrder = orderGroups.some((group) => groups.includes(group));
    return withCookies(c, await (mayOrder ? toOrder : toLook).fetch(c.req.raw));
  });
  app.use(oidcAuthMiddleware());
  app.use(serveStatic({ root: folder }));
  return app;
}

function loggedOut(c: Context): Response {
  return c.json({ status: 401, reason: 'LoggedOut', error: 'you are logged out; load the page again' }, 401);
}

/**
 * One whose time is over is dropped here: the middleware would tell the issuer of it in the background, and a Lambda has none. Who makes
 * a cookie up that says so logs out and nothing else, so that it need not be verified first.
 */
const endSessions = createMiddleware(async (c, next) => {
  if (!isOver(getCookie(c, COOKIE))) return next();
  deleteCookie(c, COOKIE, { path: '/', secure: true });
  return c.req.path.startsWith('/api/') ? loggedOut(c) : c.redirect(c.req.path);
});

function isOver(session = ''): boolean {
  try {
    const { ssnexp } = decode(session).payload as { readonly ssnexp?: unknown };
    return typeof ssnexp === 'number' && ssnexp * 1000 < clock.now();
  } catch {
    // What is no session at all is refused where it is verified.
    return false;
  }
}

/** A session that was renewed meanwhile is in a cookie of the answer. */
function withCookies(c: Context, answer: Response): Response {
  const response = new Response(answer.body, answer);
  for (const cookie of c.res.headers.getSetCookie()) response.headers.append('set-cookie', cookie);
  return response;
}

/** What of the id token stays in the session. */
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
  // Nobody has to keep a second secret: another client secret logs everybody out, as it should.
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
