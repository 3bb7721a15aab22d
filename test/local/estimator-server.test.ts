/** The estimators of the practice hub's members: our gRPC client, mutual TLS, and the pods of the simulated fleet. */
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type EstimatorServer, startEstimatorServer } from '../../local/practice-hub/estimator-server.ts';
import { GrpcEstimator } from '../../shared/estimator/grpc-estimator.ts';
import type { SchedulerEstimator } from '../../shared/kubernetes/client/connection.ts';
import { type Identities, identities } from '../fakes/estimator-identities.ts';
import { deployment, type PracticeFleet, policy, startPracticeFleet, user } from '../fakes/practice-fleet.ts';

const web = { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: 'web', replicas: 5 };

let ids: Identities;
beforeAll(async () => {
  ids = await identities();
});
let server: EstimatorServer;
let client: GrpcEstimator;
afterEach(async () => {
  client.close();
  await server.close();
});

/** Members for 3 and for 10 pods, and 5 replicas of "web" on each of them. */
async function crowded(): Promise<PracticeFleet> {
  const hub = startPracticeFleet({
    members: [
      { name: 'small', capacity: 3, readyDelayMs: 1000 },
      { name: 'large', capacity: 10, readyDelayMs: 1000 },
    ],
  });
  server = await startEstimatorServer({ fleet: hub.fleet, identity: ids.known });
  client = ask(server.estimator);
  const everywhere = { replicaScheduling: { replicaSchedulingType: 'Duplicated' } };
  hub.store.create('propagationpolicies', policy('web', everywhere), user);
  hub.store.create('deployments', deployment('web', { replicas: 5, requests: { cpu: '1' } }), user);
  hub.clock.runAll();
  return hub;
}

function ask(estimator: SchedulerEstimator): GrpcEstimator {
  return new GrpcEstimator(estimator, 2000);
}

const unschedulable = (seconds: number) =>
  Promise.all(['small', 'large'].map((cluster) => client.unschedulableReplicas(cluster, web, seconds)));

describe('the estimator of the practice hub', () => {
  it('counts the replicas that are unschedulable for longer than the threshold', async () => {
    const hub = await crowded();
    hub.clock.advance(60_000);
    expect([await unschedulable(30), await unschedulable(3600)]).toEqual([
      [2, 0],
      [0, 0],
    ]);
  });

  it('measures each replica from its creation, and removes the oldest first', async () => {
    const hub = await crowded();
    hub.clock.advance(60_000);
    const scale = (replicas: number) => {
      const at = { namespace: 'shop', name: 'web' };
      hub.store.patch('deployments', at, { type: 'merge', body: { spec: { replicas } } }, user);
      hub.clock.runAll();
    };
    scale(7);
    expect([await unschedulable(0), await unschedulable(30)]).toEqual([
      [4, 0],
      [2, 0],
    ]);
    hub.clock.advance(60_000);
    expect(await unschedulable(30)).toEqual([4, 0]);
    scale(4);
    expect(await unschedulable(100)).toEqual([1, 0]);
  });

  it('reports the capacity for pods of the requested size', async () => {
    await crowded();
    const capacity = (cluster: string, requests: Record<string, string>) =>
      client.maxAvailableReplicas(cluster, { resourceRequest: requests });
    expect(await capacity('large', { cpu: '1' })).toBe(5);
    expect(await capacity('large', { cpu: '2' })).toBe(2);
    expect(await capacity('small', { cpu: '1' })).toBe(0);
    expect(await client.maxAvailableReplicas('large', {})).toBe(5);
  });

  it('does not answer for a failed member or for an unknown one', async () => {
    const hub = await crowded();
    hub.fleet.fail('small');
    for (const cluster of ['small', 'nowhere'])
      await expect(client.unschedulableReplicas(cluster, web, 0)).rejects.toMatchObject({
        reason: 'EstimatorFailed',
        message: expect.stringContaining(`there is no member ${cluster}, or it has failed`) as string,
      });
    expect(await client.unschedulableReplicas('large', web, 0)).toBe(0);
  });

  it('rejects clients with an unknown certificate', async () => {
    await crowded();
    const stranger = ask({
      ...server.estimator,
      certificateData: ids.stranger.cert,
      keyData: ids.stranger.key,
    });
    await expect(stranger.unschedulableReplicas('large', web, 0)).rejects.toMatchObject({
      reason: 'EstimatorUntrusted',
    });
    stranger.close();
  });

  it('closes at once, with its open connections', async () => {
    await crowded();
    await unschedulable(0);
    expect(server.connections).toBe(1);
    await server.close();
    await expect(client.unschedulableReplicas('large', web, 0)).rejects.toMatchObject({
      reason: 'EstimatorUnreachable',
    });
  });
});
