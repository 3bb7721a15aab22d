import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { reach } from '../../../cli/operator/reach.ts';

let server: http.Server | undefined;

afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

describe('an address whose response never ends', () => {
  it('is reported as not an Evenkeel API, and its connection is closed', async () => {
    const part = Buffer.alloc(1024 * 1024, ' ');
    let onClose: (value: unknown) => void = () => undefined;
    const closed = new Promise((resolve) => (onClose = resolve));
    server = http.createServer((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).on('close', onClose);
      const send = () => {
        while (!response.destroyed) if (!response.write(part)) return void response.once('drain', send);
      };
      send();
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    await expect(reach({ api: url, deployment: 'evenkeel' })('listHubs', {})).rejects.toMatchObject({
      reason: 'NotEvenkeel',
    });
    await closed;
  });
});
