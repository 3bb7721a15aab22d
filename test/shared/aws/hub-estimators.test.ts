/** The estimator that the connection of a hub selects: it follows changes of the connection, and counts pods if the connection states so. */
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startEstimatorServer } from '../../../local/practice-hub/estimator-server.ts';
import { HubEstimators } from '../../../shared/aws/hub-estimators.ts';
import { fromTimestamp } from '../../../shared/core/time.ts';
import type { EstimatorChoice } from '../../../shared/kubernetes/client/connection.ts';
import type { Hub, Within } from '../../../shared/kubernetes/hub.ts';
import { type Identities, identities } from '../../fakes/estimator-identities.ts';

const web = { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: 'web', replicas: 5 };
const now = fromTimestamp('2026-11-21T10:00:00Z') ?? 0;

let ids: Identities;
beforeAll(async () => {
  ids = await identities();
});
const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

interface Given {
  choice: EstimatorChoice | undefined;
}

function estimators(given: Given, hub?: Hub, timeoutMs = 10_000): HubEstimators {
  const made = new HubEstimators({
    hubs: {
      connect: async () => hub ?? ({ name: 'karmada' } as Hub),
      estimatorOf: async () => given.choice,
    },
    timeoutMs,
    now: () => now,
  });
  closing.push(() => made.close());
  return made;
}

async function server(answer: number) {
  const fleet = { unschedulable: () => answer, capacityFor: () => answer };
  const started = await startEstimatorServer({ fleet, identity: ids.known });
  closing.push(() => started.close());
  return started;
}

describe("a hub's estimator", () => {
  it('is absent if the connection names none', async () => {
    expect(await estimators({ choice: undefined }).of('karmada')).toBeUndefined();
  });

  it('keeps its connection between uses, and opens another when its address changes', async () => {
    const [first, second] = [await server(1), await server(2)];
    const given: Given = { choice: { kind: 'scheduler-estimator', ...first.estimator } };
    const subject = estimators(given);
    const ask = async () => (await subject.of('karmada'))?.unschedulableReplicas('member1', web, 300);
    expect([await ask(), await ask()]).toEqual([1, 1]);
    expect(first.connections).toBe(1);
    given.choice = { kind: 'scheduler-estimator', ...second.estimator };
    expect(await ask()).toBe(2);
    given.choice = undefined;
    expect(await subject.of('karmada')).toBeUndefined();
  });

  it('keeps the estimators of two hubs apart', async () => {
    const [first, second] = [await server(1), await server(2)];
    const choices: Record<string, EstimatorChoice> = {
      a: { kind: 'scheduler-estimator', ...first.estimator },
      b: { kind: 'scheduler-estimator', ...second.estimator },
    };
    const hubs = { connect: async () => ({}) as Hub, estimatorOf: async (name: string) => choices[name] };
    const subject = new HubEstimators({ hubs, timeoutMs: 10_000, now: () => now });
    closing.push(() => subject.close());
    const ask = async (hub: string) => (await subject.of(hub))?.maxAvailableReplicas('member1', {});
    expect([await ask('a'), await ask('b'), await ask('a')]).toEqual([1, 2, 1]);
  });
});

describe('counting pods', () => {
  interface Asked {
    readonly cluster: string;
    readonly within: Within;
  }

  /** A hub with one Deployment, each of whose members has as many pods that wait as its name ends with. */
  function hubOf(
    asked: (Asked | string)[],
    deployment: object | undefined,
    list?: () => Promise<readonly object[]>,
  ): Hub {
    const waiting = (cluster: string) => Array.from({ length: Number(cluster.at(-1)) }, (_, i) => podOf(`p${i}`));
    const get: Hub['get'] = async (resource, key) => {
      asked.push(`${resource.plural} ${key.namespace}/${key.name}`);
      return deployment && resource.parse(deployment);
    };
    const member = (cluster: string) => ({
      async *list(resource: Parameters<Hub['list']>[0], within: Within) {
        asked.push({ cluster, within });
        const found = await (list?.() ?? waiting(cluster));
        // A list that had to begin anew shows its first page twice.
        for (const page of [found, found]) yield page.map(resource.parse);
      },
    });
    return { name: 'karmada', get, member: member as unknown as Hub['member'] } as Hub;
  }

  const podOf = (name: string) => ({
    metadata: {
      name,
      uid: name,
      resourceVersion: '1',
      creationTimestamp: '2026-11-21T09:00:00Z',
      labels: { 'pod-template-hash': '6d4' },
      ownerReferences: [{ kind: 'ReplicaSet', name: 'web-6d4', controller: true }],
    },
    status: {
      conditions: [
        { type: 'PodScheduled', status: 'False', reason: 'Unschedulable', lastTransitionTime: '2026-11-21T09:00:00Z' },
      ],
    },
  });
  const deployment = { metadata: { name: 'web' }, spec: { selector: { matchLabels: { app: 'web' } } } };

  it("lists the pods that match the workload's selector in each member, and reads the selector once", async () => {
    const asked: (Asked | string)[] = [];
    const pods = await estimators({ choice: { kind: 'pods' } }, hubOf(asked, deployment)).of('karmada');
    const count = async (cluster: string) => pods?.unschedulableReplicas(cluster, web, 300);
    const counts = await Promise.all(['member1', 'member3', 'member0'].map(count));
    expect(counts).toEqual([1, 3, 0]);
    const within = { namespace: 'shop', labelSelector: 'app=web' };
    expect(asked).toEqual([
      'deployments shop/web',
      ...['member1', 'member3', 'member0'].map((cluster) => ({ cluster, within })),
    ]);
  });

  it('reads the selector again for a later request: the workload may have been recreated', async () => {
    const asked: (Asked | string)[] = [];
    const pods = await estimators({ choice: { kind: 'pods' } }, hubOf(asked, deployment)).of('karmada');
    await pods?.unschedulableReplicas('member1', web, 300);
    await pods?.unschedulableReplicas('member1', web, 300);
    expect(asked.filter((each) => each === 'deployments shop/web')).toHaveLength(2);
  });

  it('cannot compute the available replicas', async () => {
    const pods = await estimators({ choice: { kind: 'pods' } }, hubOf([], deployment)).of('karmada');
    expect(await pods?.maxAvailableReplicas('member1', {})).toBeUndefined();
  });

  it.each([
    ['a workload that is not on the hub', web, undefined, 'WorkloadMissing'],
    ['a kind whose pods it cannot identify', { ...web, kind: 'DaemonSet' }, deployment, 'ReplicasNotMovable'],
    ['another API’s Deployment', { ...web, apiVersion: 'example.com/v1' }, deployment, 'ReplicasNotMovable'],
  ])('reports for %s why it has no number', async (_, workload, found, reason) => {
    const pods = await estimators({ choice: { kind: 'pods' } }, hubOf([], found)).of('karmada');
    await expect(pods?.unschedulableReplicas('member1', workload, 300)).rejects.toMatchObject({ reason });
  });

  it('takes no longer than the request timeout', async () => {
    const never = () => new Promise<readonly object[]>(() => {});
    const pods = await estimators({ choice: { kind: 'pods' } }, hubOf([], deployment, never), 200).of('karmada');
    await expect(pods?.unschedulableReplicas('member1', web, 300)).rejects.toMatchObject({
      retryClass: 'retryable',
      reason: 'EstimatorTimeout',
      message: 'the pods of cluster member1 were not listed within 0.2 s',
    });
  });
});
