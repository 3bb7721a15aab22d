/** An API server that lets in who has one of its tokens, and makes tokens for its one ServiceAccount, evenkeel/evenkeel. */
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { accountToken } from '../builders.ts';

export interface TokenHub {
  readonly url: string;
  /** The tokens that are valid now. */
  readonly valid: Set<string>;
  /** "GET /path token" for each request, in order. */
  readonly seen: readonly string[];
  /** The lives asked for, in seconds. */
  readonly asked: readonly number[];
  /** The life that tokens get, whatever is asked for. */
  capHours: number | undefined;
  hasAccount: boolean;
  /** Parts of paths of kinds that it does not serve. */
  unserved: readonly string[];
  /** Parts of paths that it answers with 403. */
  forbidden: readonly string[];
  close(): Promise<void>;
}

const ACCOUNT = '/api/v1/namespaces/evenkeel/serviceaccounts/evenkeel';

export async function startTokenHub(...valid: readonly string[]): Promise<TokenHub> {
  const seen: string[] = [];
  const asked: number[] = [];
  const serve = async (request: http.IncomingMessage, response: http.ServerResponse) => {
    let body = '';
    for await (const part of request) body += String(part);
    const token = (request.headers.authorization ?? '').replace('Bearer ', '');
    seen.push(`${request.method} ${request.url} ${token}`);
    const [status, answer] = hub.valid.has(token) ? carryOut(request, body) : failure(401, 'Unauthorized');
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  };
  const carryOut = ({ method, url }: http.IncomingMessage, body: string): readonly [number, object] => {
    if (url === `${ACCOUNT}/token` && method === 'POST') {
      const { spec } = JSON.parse(body) as { spec: { expirationSeconds: number } };
      asked.push(spec.expirationSeconds);
      const hours = hub.capHours ?? spec.expirationSeconds / 3600;
      const token = accountToken({ issuedAt: '2026-11-22T12:00:00Z', hours, serial: asked.length });
      hub.valid.add(token);
      return [201, { status: { token } }];
    }
    if (url === ACCOUNT) return hub.hasAccount ? [200, { kind: 'ServiceAccount' }] : failure(404, 'NotFound');
    if (hub.forbidden.some((part) => url?.includes(part))) return failure(403, 'Forbidden');
    if (hub.unserved.some((part) => url?.includes(part))) return failure(404, 'NotFound');
    return [200, { items: [], metadata: {} }];
  };
  const server = http.createServer((request, response) => void serve(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const hub: TokenHub = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    valid: new Set(valid),
    seen,
    asked,
    capHours: undefined,
    hasAccount: true,
    unserved: [],
    forbidden: [],
    close: async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
  return hub;
}

function failure(code: number, reason: string): readonly [number, object] {
  return [code, { kind: 'Status', code, reason, message: reason }];
}
