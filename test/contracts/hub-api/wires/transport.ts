/** The functions' own transport. It sends objects and reads whole answers; it hands on no headers but Retry-After. */
import { type ApiRequest, createTransport } from '../../../../shared/kubernetes/client/transport.ts';
import type { OpenWire } from './wire.ts';

export const transportWire: OpenWire = (connection) => {
  const transport = createTransport(connection, { maxSockets: 4, timeoutMs: 20_000 });
  return ({ method, path, headers, body }) => {
    if (typeof body === 'string') return undefined;
    const { accept, 'content-type': contentType } = headers;
    const request: ApiRequest = {
      method: method as ApiRequest['method'],
      path,
      ...(body !== undefined && { body: body as object }),
      ...(contentType !== undefined && { contentType }),
      ...(accept !== undefined && { accept }),
    };
    return transport.send(request).then((response) => ({
      code: response.status,
      headers: { 'content-type': 'application/json' },
      text: JSON.stringify(response.body),
    }));
  };
};
