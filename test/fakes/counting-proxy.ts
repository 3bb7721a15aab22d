/** A TCP proxy in front of a server on this machine that counts what the server sends. */
import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';

export interface CountingProxy {
  readonly url: string;
  /** Since the last call. */
  take(): { readonly requests: number; readonly bytes: number };
  close(): void;
}

export async function startCountingProxy(target: string): Promise<CountingProxy> {
  const port = Number(new URL(target).port);
  let [requests, bytes] = [0, 0];
  const sockets = new Set<net.Socket>();
  const server = net.createServer((client) => {
    const upstream = net.connect(port, '127.0.0.1');
    for (const socket of [client, upstream]) sockets.add(socket.on('error', () => undefined));
    client.on('data', (data) => (requests += data.toString('latin1').match(/^[A-Z]+ \S+ HTTP\/1\.1/gm)?.length ?? 0));
    upstream.on('data', (data) => (bytes += data.byteLength));
    client.pipe(upstream).pipe(client);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    take: () => {
      const taken = { requests, bytes };
      [requests, bytes] = [0, 0];
      return taken;
    },
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
