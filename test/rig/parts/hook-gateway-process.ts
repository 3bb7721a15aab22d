/** The process of the gateway, with TLS on both sides. It changes only the host of a request, which names the API, and the base path, which is that of the deployment. */
import { readFileSync } from 'node:fs';
import https from 'node:https';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { hookKeyPair } from '../../../local/hook-access.ts';

const text = { type: 'string', default: '' } as const;
const { values } = parseArgs({
  options: { port: text, folder: text, host: text, base: text, upstream: text, ca: text },
});
const { key, cert } = await hookKeyPair(values.folder);
/**
 * Requests that are forwarded at once; others wait here. The emulator starts one more process of the function for each that finds none idle, and a machine that
 * is busy with such starts answers later still: 78 processes, and a load of 187 on two cores.
 */
const MOST_AT_ONCE = 4;
const agent = new https.Agent({ ca: readFileSync(values.ca), keepAlive: true, maxSockets: MOST_AT_ONCE });

const server = https.createServer({ key, cert }, (request, response) => {
  const onward = https.request({
    host: '127.0.0.1',
    port: Number(values.upstream),
    servername: 'localhost',
    agent,
    method: request.method,
    path: `${values.base}${request.url}`,
    headers: { ...request.headers, host: values.host },
  });
  onward.on('response', (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    pipeline(answer, response).catch(() => response.destroy());
  });
  onward.on('error', () => {
    if (response.headersSent) response.destroy();
    else response.writeHead(502).end();
  });
  pipeline(request, onward).catch(() => onward.destroy());
});
server.listen(Number(values.port), '127.0.0.1');
