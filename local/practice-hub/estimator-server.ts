/** karmada-scheduler-estimator's gRPC service for all members of the practice hub, on one loopback port with mutual TLS. */
import http2 from 'node:http2';
import type { AddressInfo } from 'node:net';
import { Code, ConnectError } from '@connectrpc/connect';
import { connectNodeAdapter } from '@connectrpc/connect-node';
import { Estimator } from '../../shared/estimator/estimator_pb.ts';
import type { Quantities } from '../../shared/karmada/assignment/quantity.ts';
import { bindingKey } from '../../shared/karmada/binding.ts';
import type { SchedulerEstimator } from '../../shared/kubernetes/client/connection.ts';
import type { SimulatedFleet } from './fleet.ts';

export interface EstimatorServerOptions {
  readonly fleet: Pick<SimulatedFleet, 'unschedulable' | 'capacityFor'>;
  /** For server and client: on loopback, one identity is enough for both. Names 127.0.0.1. */
  readonly identity: { readonly key: string; readonly cert: string };
}

export interface EstimatorServer {
  /** Its address and credentials. */
  readonly estimator: SchedulerEstimator;
  /** Number of open connections. */
  readonly connections: number;
  /** Closes at once, with every connection. */
  close(): Promise<void>;
}

const MS = 1_000_000n;
/** The messages' own type for numbers of replicas. */
const MAX_INT32 = 2 ** 31 - 1;

export async function startEstimatorServer({ fleet, identity }: EstimatorServerOptions): Promise<EstimatorServer> {
  const routes = connectNodeAdapter({
    grpcWeb: false,
    connect: false,
    routes: (router) =>
      router.service(Estimator, {
        getUnschedulableReplicas: ({ cluster, resource, unschedulableThreshold }) => {
          if (resource === undefined) throw new ConnectError('resource is missing', Code.InvalidArgument);
          const threshold = Number(unschedulableThreshold / MS);
          const unschedulableReplicas = known(cluster, fleet.unschedulable(cluster, bindingKey(resource), threshold));
          return { unschedulableReplicas };
        },
        maxAvailableReplicas: ({ cluster, replicaRequirements }) => {
          const request: Quantities = Object.fromEntries(
            Object.entries(replicaRequirements?.resourceRequest ?? {}).map(([name, { string }]) => [
              name,
              string ?? '',
            ]),
          );
          return { maxReplicas: Math.min(MAX_INT32, known(cluster, fleet.capacityFor(cluster, request))) };
        },
      }),
  });
  const { key, cert } = identity;
  const tls = { key, cert, ca: cert, requestCert: true, rejectUnauthorized: true, minVersion: 'TLSv1.3' } as const;
  const server = http2.createSecureServer(tls, (request, response) => {
    routes(request, response);
  });
  const sessions = new Set<http2.ServerHttp2Session>();
  server.on('session', (session) => {
    sessions.add(session);
    session.once('close', () => sessions.delete(session));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve);
  });
  const address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    estimator: { address, caData: cert, certificateData: cert, keyData: key },
    get connections() {
      return sessions.size;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const session of sessions) session.destroy();
      }),
  };
}

function known(cluster: string, answer: number | undefined): number {
  if (answer !== undefined) return answer;
  throw new ConnectError(`there is no member ${cluster}, or it has failed`, Code.Unavailable);
}
