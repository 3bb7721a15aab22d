/** The lower bound for every rebalancer: the same merge patches in a bare loop, without reads, decisions, reports or state. */
import https from 'node:https';
import type { Connection } from '../../shared/kubernetes/client/connection.ts';
import { answerRequests } from '../ask-process.ts';
import { bindingPath, MERGE_PATCH, trigger } from '../bindings.ts';

export interface FloorWork {
  readonly connection: Connection;
  readonly namespace: string;
  readonly names: readonly string[];
  readonly inFlight: number;
  readonly triggeredAt: string;
}

let agent: https.Agent | undefined;

async function patchAll({ connection, namespace, names, inFlight, triggeredAt }: FloorWork): Promise<number> {
  agent ??= new https.Agent({
    keepAlive: true,
    maxSockets: inFlight,
    ca: connection.caData,
    cert: connection.clientCertificateData,
    key: connection.clientKeyData,
  });
  const { hostname, port } = new URL(connection.server);
  const body = JSON.stringify(trigger(triggeredAt));
  const headers = { 'content-type': MERGE_PATCH, 'content-length': Buffer.byteLength(body) };
  const patch = (name: string) =>
    new Promise<void>((resolve, reject) => {
      const path = bindingPath(namespace, name);
      const sent = https.request({ agent, hostname, port, method: 'PATCH', path, headers }, (response) => {
        const done = response.statusCode === 200 ? resolve : () => reject(new Error(`status ${response.statusCode}`));
        response.resume().once('end', done).once('error', reject);
      });
      sent.once('error', reject).end(body);
    });
  const left = names.values();
  const work = async () => {
    for (const name of left) await patch(name);
  };
  const began = performance.now();
  await Promise.all(Array.from({ length: inFlight }, work));
  return performance.now() - began;
}

answerRequests(patchAll);
