/** The lower bound for every client: the same merge patches in a bare loop, without reads, decisions, reports or state. */
import https from 'node:https';
import type { Connection } from '../../shared/kubernetes/client/connection.ts';
import { answerRequests } from '../ask-process.ts';
import { bindingPath, MERGE_PATCH } from '../bindings.ts';

export interface FloorWork {
  readonly connection: Connection;
  readonly namespace: string;
  readonly names: readonly string[];
  readonly inFlight: number;
  /** Of each binding, one after another. */
  readonly patches: readonly BarePatch[];
}

export interface BarePatch {
  readonly subresource?: 'status';
  readonly merge: object;
}

let agent: https.Agent | undefined;

async function patchAll({ connection, namespace, names, inFlight, patches }: FloorWork): Promise<number> {
  agent ??= new https.Agent({
    keepAlive: true,
    maxSockets: inFlight,
    ca: connection.caData,
    cert: connection.clientCertificateData,
    key: connection.clientKeyData,
  });
  const { hostname, port } = new URL(connection.server);
  const texts = patches.map(({ subresource, merge }) => ({
    suffix: subresource ? `/${subresource}` : '',
    body: JSON.stringify(merge),
  }));
  const patch = (name: string, { suffix, body }: { readonly suffix: string; readonly body: string }) =>
    new Promise<void>((resolve, reject) => {
      const path = `${bindingPath(namespace, name)}${suffix}`;
      const headers = { 'content-type': MERGE_PATCH, 'content-length': Buffer.byteLength(body) };
      const sent = https.request({ agent, hostname, port, method: 'PATCH', path, headers }, (response) => {
        const done = response.statusCode === 200 ? resolve : () => reject(new Error(`status ${response.statusCode}`));
        response.resume().once('end', done).once('error', reject);
      });
      sent.once('error', reject).end(body);
    });
  const left = names.values();
  const work = async () => {
    for (const name of left) for (const text of texts) await patch(name, text);
  };
  const began = performance.now();
  await Promise.all(Array.from({ length: inFlight }, work));
  return performance.now() - began;
}

answerRequests(patchAll);
