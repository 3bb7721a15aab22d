/** An OpenID provider on loopback: logs in every caller as the user that the test names, and checks the client as a real one does. */
import { createHash, generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';

export interface OidcIssuer {
  readonly url: string;
  /** Claims of the next login. */
  user: Readonly<Record<string, unknown>>;
  /** "code", "refresh", "revoke": what was asked of it, in order. */
  readonly asked: readonly string[];
  /** Whether a refresh answers with an id token: OpenID Connect leaves that to the issuer. */
  refreshesIdToken: boolean;
  close(): Promise<void>;
}

export interface OidcClient {
  readonly id: string;
  readonly secret: string;
}

interface Login {
  readonly challenge: string;
  readonly nonce: string;
  readonly redirectUri: string;
}

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });

export async function startOidcIssuer(client: OidcClient): Promise<OidcIssuer> {
  const asked: string[] = [];
  const logins = new Map<string, Login>();
  const issuer = { url: '', user: { sub: 'user-1' } as OidcIssuer['user'], asked, refreshesIdToken: true };
  const answers: Readonly<Record<string, (url: URL, form: URLSearchParams) => [number, object | string]>> = {
    '/.well-known/openid-configuration': () => [200, discovery(issuer.url)],
    '/authorize': ({ searchParams }) => {
      const given = (name: string) => searchParams.get(name) ?? '';
      if (given('client_id') !== client.id || given('code_challenge_method') !== 'S256') return [400, {}];
      const code = randomUUID();
      const redirectUri = given('redirect_uri');
      logins.set(code, { challenge: given('code_challenge'), nonce: given('nonce'), redirectUri });
      return [302, `${redirectUri}?code=${code}&state=${encodeURIComponent(given('state'))}`];
    },
    '/token': (_, form) => {
      if (form.get('grant_type') === 'refresh_token') {
        asked.push('refresh');
        const { id_token, ...rest } = tokens(issuer, client.id);
        return [200, issuer.refreshesIdToken ? { ...rest, id_token } : rest];
      }
      asked.push('code');
      const login = logins.get(form.get('code') ?? '');
      logins.delete(form.get('code') ?? '');
      const proof = createHash('sha256')
        .update(form.get('code_verifier') ?? '')
        .digest('base64url');
      const isRight = login?.challenge === proof && login.redirectUri === form.get('redirect_uri');
      return isRight ? [200, tokens(issuer, client.id, login.nonce)] : [400, { error: 'invalid_grant' }];
    },
    '/revoke': () => (asked.push('revoke'), [200, {}]),
  };
  const basic = `Basic ${Buffer.from(`${client.id}:${client.secret}`).toString('base64')}`;
  const server = http.createServer((request, response) => void serve(request, response));
  const serve = async (request: http.IncomingMessage, response: http.ServerResponse) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const url = new URL(request.url ?? '/', issuer.url);
    const isKnown = request.method === 'GET' || request.headers.authorization === basic;
    const answer = answers[url.pathname];
    const [status, body] = !isKnown
      ? ([401, { error: 'invalid_client' }] as const)
      : (answer?.(url, new URLSearchParams(Buffer.concat(parts).toString())) ?? ([404, {}] as const));
    if (typeof body === 'string') response.writeHead(status, { location: body }).end();
    else response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  issuer.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return Object.assign(issuer, {
    close: async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  });
}

function discovery(url: string): object {
  return {
    issuer: url,
    authorization_endpoint: `${url}/authorize`,
    token_endpoint: `${url}/token`,
    revocation_endpoint: `${url}/revoke`,
    jwks_uri: `${url}/jwks`,
    scopes_supported: ['openid', 'email', 'groups'],
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
  };
}

function tokens({ url, user }: Pick<OidcIssuer, 'url' | 'user'>, audience: string, nonce?: string) {
  const now = Math.floor(Date.now() / 1000);
  const claims = { iss: url, aud: audience, iat: now, exp: now + 300, ...(nonce && { nonce }), ...user };
  const encoded = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
  const text = `${encoded({ alg: 'RS256', typ: 'JWT' })}.${encoded(claims)}`;
  const id = `${text}.${sign('RSA-SHA256', Buffer.from(text), privateKey).toString('base64url')}`;
  return {
    access_token: randomUUID(),
    token_type: 'Bearer',
    expires_in: 300,
    id_token: id,
    refresh_token: randomUUID(),
  };
}
