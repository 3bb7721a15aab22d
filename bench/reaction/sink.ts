/** Receives and drops the audit events of the hub's API server: the benchmark posts each event itself. */
import { once } from 'node:events';
import https from 'node:https';
import type { Hook } from '../../test/rig/parts/hub.ts';

export async function startSink({ port, key, cert }: Hook): Promise<() => void> {
  const server = https.createServer({ key, cert }, (request, response) => {
    request.resume().once('end', () => response.end('{}'));
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return () => {
    server.close();
    server.closeAllConnections();
  };
}
