/** The clients that the transport bench compares, by name. */
import type { OpenClient } from './client.ts';

/** Evenkeel's is first: the others are compared with it. Loaded one by one, so that a client adds no load to another's process. */
export const clients = {
  'own transport': async () => (await import('./own-clients.ts')).openTransport,
  'own hub, with pacing': async () => (await import('./own-clients.ts')).openHub,
  'client-node as shipped': async () => (await import('./client-node-clients.ts')).openAsShipped,
  'client-node, one shared dispatcher': async () => (await import('./client-node-clients.ts')).openShared,
  'node:http2, one session': async () => (await import('./http2-client.ts')).openHttp2,
} as const satisfies Record<string, () => Promise<OpenClient>>;

export type ClientName = keyof typeof clients;
export const clientNames = Object.keys(clients) as ClientName[];
