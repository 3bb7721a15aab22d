/** An endpoint that speaks AWS's JSON protocols, so that adapters are tested over the wire. */
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';

export interface AwsCall {
  /** "PutEvents", or "POST /schedules/x" for REST services. */
  readonly operation: string;
  readonly input: Record<string, unknown>;
}

export interface AwsAnswer {
  readonly status?: number;
  readonly body?: object;
  /** Name of the exception, for an error. */
  readonly error?: string;
  /** The error message; the error's name by default. */
  readonly message?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface AwsEndpoint {
  readonly calls: readonly AwsCall[];
  /** For a client's constructor. */
  readonly config: { endpoint: string; region: string; credentials: { accessKeyId: string; secretAccessKey: string } };
  close(): Promise<void>;
}

export async function startAwsEndpoint(
  answer: (call: AwsCall, index: number) => AwsAnswer | Promise<AwsAnswer>,
): Promise<AwsEndpoint> {
  const calls: AwsCall[] = [];
  const server = http.createServer((request, response) => void serve(request, response));
  const serve = async (request: http.IncomingMessage, response: http.ServerResponse) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const target = request.headers['x-amz-target'];
    const text = Buffer.concat(parts).toString('utf8');
    const call = {
      operation: typeof target === 'string' ? (target.split('.')[1] ?? '') : `${request.method} ${request.url}`,
      input: (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>,
    };
    calls.push(call);
    const { status, body = {}, error, message = error, headers } = await answer(call, calls.length - 1);
    const errorBody = error === undefined ? body : { __type: error, Message: message, message };
    response.writeHead(status ?? (error === undefined ? 200 : 400), {
      'content-type': 'application/x-amz-json-1.1',
      ...(error !== undefined && { 'x-amzn-errortype': error }),
      ...headers,
    });
    response.end(JSON.stringify(errorBody));
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    calls,
    config: {
      endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      region: 'local',
      credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
