/** The bytes of this process's connections to a hub. */
import { subscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';

export interface Traffic {
  readonly bytesToHub: number;
  readonly bytesFromHub: number;
}

export class HubTraffic {
  readonly #sockets = new Set<Socket>();
  #taken: Traffic = { bytesToHub: 0, bytesFromHub: 0 };

  constructor(port: number) {
    subscribe('net.client.socket', (message) => {
      const { socket } = message as { readonly socket: Socket };
      socket.once('connect', () => socket.remotePort === port && this.#sockets.add(socket));
    });
  }

  /** Since the last call. */
  take(): Traffic {
    const total = { bytesToHub: 0, bytesFromHub: 0 };
    for (const { bytesWritten, bytesRead } of this.#sockets) {
      total.bytesToHub += bytesWritten;
      total.bytesFromHub += bytesRead;
    }
    const { bytesToHub, bytesFromHub } = this.#taken;
    this.#taken = total;
    return { bytesToHub: total.bytesToHub - bytesToHub, bytesFromHub: total.bytesFromHub - bytesFromHub };
  }
}
