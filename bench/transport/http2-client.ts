/** One node:http2 session for the transport benchmark: the alternative for persistent connections without a library. */
import http2 from 'node:http2';
import type { BenchClient, Page, Target } from './client.ts';
import { bindingPath, countPages, MERGE_PATCH, pageQuery, trigger } from './client.ts';

interface Http2Request {
  readonly method: 'GET' | 'PATCH';
  readonly path: string;
  readonly body?: object;
}

export function openHttp2({ connection, namespace }: Target): BenchClient {
  const { server, caData: ca, clientCertificateData: cert, clientKeyData: key, token } = connection;
  const credentials = { ...(ca && { ca }), ...(cert && { cert }), ...(key && { key }) };
  let session: http2.ClientHttp2Session | undefined;
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const base = new URL(server).pathname.replace(/\/$/, '');

  async function send({ method, path, body }: Http2Request): Promise<unknown> {
    session ??= http2.connect(server, credentials);
    const stream = session.request({
      ':method': method,
      ':path': `${base}${path}`,
      accept: 'application/json',
      ...authorization,
      ...(body !== undefined && { 'content-type': MERGE_PATCH }),
    });
    let status: number | undefined;
    stream.on('response', (headers) => {
      status = headers[':status'];
    });
    stream.end(body === undefined ? undefined : JSON.stringify(body));
    const parts: Buffer[] = [];
    for await (const part of stream) parts.push(part as Buffer);
    if (status !== 200) throw new Error(`${method} ${path} was answered ${status ?? 'nothing'}`);
    return JSON.parse(Buffer.concat(parts).toString('utf8'));
  }

  return {
    patch: async (name, triggeredAt) => {
      await send({ method: 'PATCH', path: bindingPath(namespace, name), body: trigger(triggeredAt) });
    },
    list: () =>
      countPages(
        async (token) => (await send({ method: 'GET', path: `${bindingPath(namespace)}${pageQuery(token)}` })) as Page,
      ),
  };
}
