/** A TCP proxy that delays everything that the server sends. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface SlowProxy {
  readonly port: number;
  /** Connections so far. */
  readonly connections: number;
  close(): Promise<void>;
}

export async function slowProxy(to: { host: string; port: number }, latencyMs: number): Promise<SlowProxy> {
  const open = new Set<Socket>();
  let connections = 0;
  const server = createServer((near) => {
    connections += 1;
    const far = connect(to);
    for (const socket of [near, far]) {
      open.add(socket);
      socket.on('close', () => open.delete(socket));
      // If one side closes, the other is closed too.
      socket.on('error', () => undefined);
    }
    near.pipe(far);
    far.on('data', (part) => setTimeout(() => near.write(part), latencyMs));
    far.on('close', () => setTimeout(() => near.destroy(), latencyMs));
    near.on('close', () => far.destroy());
  });
  // At the server's address, which its certificate contains.
  server.listen(0, to.host);
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    get connections() {
      return connections;
    },
    close: async () => {
      for (const socket of open) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
