/** karmada-scheduler-estimator over gRPC: one connection an address with mutual TLS, one request a call, each within its deadline. */

import { type Client, createClient } from '@connectrpc/connect';
import { createGrpcTransport } from '@connectrpc/connect-node';
import { Fault } from '../core/fault.ts';
import { NOT_MOVABLE } from '../descheduling/cluster-readings.ts';
import type { SchedulerEstimator } from '../kubernetes/client/connection.ts';
import { referenceLabel } from '../kubernetes/object-reference.ts';
import { onceMore } from './closed-stream.ts';
import { type AssignedWorkload, type ClusterEstimator, type ReplicaRequirements } from './estimator.ts';
import { Estimator } from './estimator_pb.ts';
import { estimatorFault } from './estimator-fault.ts';
import { maxAvailableRequest, unschedulableRequest } from './estimator-requests.ts';
import { EstimatorSessions } from './estimator-sessions.ts';

/** Fraction of a call's timeout, so that a retry over a new connection fits. */
const PING_SHARE = 1 / 3;

interface EstimatorConnection {
  readonly line: EstimatorSessions;
  readonly client: Client<typeof Estimator>;
}

export class GrpcEstimator implements ClusterEstimator {
  readonly #estimator: SchedulerEstimator;
  readonly #timeoutMs: number;
  readonly #ways = new Map<string, EstimatorConnection>();

  constructor(estimator: SchedulerEstimator, timeoutMs: number) {
    this.#estimator = estimator;
    this.#timeoutMs = timeoutMs;
  }

  async unschedulableReplicas(cluster: string, workload: AssignedWorkload, thresholdSeconds: number): Promise<number> {
    if (workload.kind !== 'Deployment')
      throw new Fault(
        'terminal',
        `karmada-scheduler-estimator counts the pods of Deployments only; register the hub with --estimator pods for ${referenceLabel(workload)}`,
        { reason: NOT_MOVABLE },
      );
    const request = unschedulableRequest(cluster, workload, thresholdSeconds);
    const { unschedulableReplicas } = await this.#ask(cluster, (client, options) =>
      client.getUnschedulableReplicas(request, options),
    );
    return unschedulableReplicas;
  }

  async maxAvailableReplicas(cluster: string, requirements: ReplicaRequirements): Promise<number> {
    const request = maxAvailableRequest(cluster, requirements);
    const { maxReplicas } = await this.#ask(cluster, (client, options) =>
      client.maxAvailableReplicas(request, options),
    );
    return maxReplicas;
  }

  /** Immediate: calls in progress fail, and no open handles remain. */
  close(): void {
    for (const { line } of this.#ways.values()) line.close();
    this.#ways.clear();
  }

  async #ask<T>(
    cluster: string,
    call: (client: Client<typeof Estimator>, options: { timeoutMs: number }) => Promise<T>,
  ): Promise<T> {
    const address = this.#estimator.address.replaceAll('{cluster}', cluster);
    const { line, client } = this.#wayTo(address);
    try {
      return await onceMore(() => call(client, { timeoutMs: this.#timeoutMs }));
    } catch (thrown) {
      const brokenBy = await line.brokenBy();
      const fault = estimatorFault(thrown, { cluster, address, timeoutMs: this.#timeoutMs, brokenBy });
      if (fault.reason === 'EstimatorTimeout') line.doubt();
      throw fault;
    }
  }

  #wayTo(address: string): EstimatorConnection {
    const known = this.#ways.get(address);
    if (known !== undefined) return known;
    const { caData, certificateData, keyData } = this.#estimator;
    // Karmada's estimators speak no older TLS. The name in their certificate is checked against the address.
    const tls = { ca: caData, cert: certificateData, key: keyData, minVersion: 'TLSv1.3' } as const;
    const line = new EstimatorSessions(address, tls, this.#timeoutMs * PING_SHARE);
    const transport = createGrpcTransport({
      baseUrl: `https://${address}`,
      sessionManager: line,
      acceptCompression: [],
      // Answers are a number each.
      readMaxBytes: 1024 * 1024,
    });
    const way = { line, client: createClient(Estimator, transport) };
    this.#ways.set(address, way);
    return way;
  }
}
