/**
 * The resource metrics API of a hub, where karmada-metrics-adapter serves it: the pods that kwok simulates use no CPU, so their usage is made up.
 * A demand is divided among the ready pods, as load behind a Service is.
 */
import { createServer, type Server } from 'node:https';
import type { Rig } from '../rig.ts';
import type { ApiServer } from './api-server.ts';
import { pem } from './certificates.ts';
import { metricsApi } from './karmada-manifests.ts';
import { answers } from './probes.ts';

const API = '/apis/metrics.k8s.io/v1beta1';
const GROUP_VERSION = 'metrics.k8s.io/v1beta1';

export interface MeteredPod {
  readonly name: string;
  readonly namespace: string;
  readonly isReady: boolean;
}

export interface Metered {
  /** The CPU that all pods use together, in millicores. */
  demandMillis: number;
  /** The pods of all members. */
  readonly pods: () => Promise<readonly MeteredPod[]>;
}

export class PodMetrics {
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async on(rig: Rig, hub: ApiServer, metered: Metered): Promise<PodMetrics> {
    const [key, cert] = [pem(hub.folder, 'server.key'), pem(hub.folder, 'server.crt')];
    const server = createServer({ key, cert }, (request, response) => {
      void responseOf(new URL(request.url ?? '', 'https://localhost').pathname, metered)
        .catch((thrown: unknown) => ({ status: 500, body: { kind: 'Status', message: String(thrown) } }))
        .then(({ status, body }) => {
          response.writeHead(status, { 'content-type': 'application/json' });
          response.end(JSON.stringify(body));
        });
    });
    const port = await rig.port('pod-metrics');
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    await hub.kubectl.apply(await metricsApi(hub, port));
    await hub.kubectl.run('wait', '--for=condition=Available', 'apiservice/v1beta1.metrics.k8s.io', '--timeout=60s');
    await answers(`${hub.url}${API}/namespaces/default/pods`, hub.folder);
    return new PodMetrics(server);
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

async function responseOf(path: string, metered: Metered): Promise<{ status: number; body: object }> {
  if (path === API) return { status: 200, body: resources };
  const namespace = /\/namespaces\/([^/]+)\/pods$/.exec(path)?.[1];
  if (namespace === undefined) return { status: 404, body: { kind: 'Status', status: 'Failure', code: 404 } };
  const pods = (await metered.pods()).filter((pod) => pod.namespace === namespace && pod.isReady);
  // Rounded down: an autoscaler rounds the number of replicas up, and would keep 7 for a demand of 6 targets.
  const usage = { cpu: `${Math.floor(metered.demandMillis / pods.length)}m`, memory: '1Mi' };
  const timestamp = new Date().toISOString();
  const items = pods.map(({ name }) => ({
    metadata: { name, namespace, creationTimestamp: timestamp },
    ...{ timestamp, window: '1s', containers: [{ name: 'web', usage }] },
  }));
  return { status: 200, body: { kind: 'PodMetricsList', apiVersion: GROUP_VERSION, metadata: {}, items } };
}

const resources = {
  kind: 'APIResourceList',
  apiVersion: 'v1',
  groupVersion: GROUP_VERSION,
  resources: [{ name: 'pods', singularName: '', namespaced: true, kind: 'PodMetrics', verbs: ['get', 'list'] }],
};
