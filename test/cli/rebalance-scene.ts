/** For tests of `evenkeel rebalance`: a practice hub in real time with members, workloads on two of three members, and a stand-in for our functions. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type SimulatedFleet, startFleet } from '../../local/practice-hub/fleet.ts';
import { type HubServer, startHubServer } from '../../local/practice-hub/hub-server.ts';
import type { KubeObject } from '../../local/practice-hub/store/objects.ts';
import { toTimestamp } from '../../shared/core/time.ts';
import { byAvailable, deployment, policy, user } from '../fakes/practice-fleet.ts';

export interface RebalanceScene {
  readonly hub: HubServer;
  readonly fleet: SimulatedFleet;
  readonly kubeconfig: string;
  readonly rebalancers: () => readonly KubeObject[];
  /** Cluster name → replicas. */
  readonly assigned: (name: string) => Record<string, number>;
  /** Whether objects created from now on are processed. */
  works: boolean;
  close(): Promise<void>;
}

interface Reference {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

/** Each workload of 6 replicas is on member2 and member3: member1 was down when they were created. */
export async function startRebalanceScene(workloads: readonly string[]): Promise<RebalanceScene> {
  const folder = mkdtempSync(join(tmpdir(), 'evenkeel-rebalance-'));
  const hub = await startHubServer({ port: 0 });
  const { store } = hub;
  const kubeconfig = join(folder, 'kubeconfig');
  writeFileSync(kubeconfig, hub.kubeconfig());
  store.create('namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } }, user);
  const members = ['member1', 'member2', 'member3'].map((name) => ({ name, capacity: 40, readyDelayMs: 1 }));
  const fleet = startFleet({ store, members, tolerationMs: 1 });
  fleet.fail('member1');
  await fleet.settled();
  for (const name of workloads) {
    store.create('deployments', deployment(name, { replicas: 6, labels: { app: name } }), user);
    store.create('propagationpolicies', policy(name, byAvailable), user);
  }
  await fleet.settled();
  fleet.recover('member1');
  await fleet.settled();
  const scene = { works: true };
  store.onChange(({ type, plural, object }) => {
    if (scene.works && type === 'ADDED' && plural === 'workloadrebalancers') trigger(hub, object);
  });
  return Object.assign(scene, {
    ...{ hub, fleet, kubeconfig },
    rebalancers: () => store.list('workloadrebalancers'),
    assigned: (name: string) => {
      const key = { namespace: 'shop', name: `${name}-deployment` };
      const clusters = (store.get('resourcebindings', key)?.spec?.clusters ?? []) as {
        name: string;
        replicas: number;
      }[];
      return Object.fromEntries(clusters.map((each) => [each.name, each.replicas]));
    },
    close: async () => {
      fleet.close();
      await hub.close();
      rmSync(folder, { recursive: true });
    },
  });
}

/** Like our functions: first sets a trigger on each binding, a second after it was scheduled if that was in this second; then writes the status. */
function trigger({ store }: HubServer, { metadata, spec }: KubeObject): void {
  const created = Date.parse(metadata.creationTimestamp);
  const observedWorkloads = (spec?.workloads as readonly Reference[]).map((workload) => {
    const key = { namespace: workload.namespace, name: `${workload.name}-${workload.kind}`.toLowerCase() };
    const binding = store.get('resourcebindings', key);
    if (binding === undefined) return { workload, result: 'Failed', reason: 'ReferencedBindingNotFound' };
    const scheduled = Date.parse(String(binding.status?.lastScheduledTime));
    const body = { spec: { rescheduleTriggeredAt: toTimestamp(scheduled >= created ? scheduled + 1000 : created) } };
    store.patch('resourcebindings', key, { type: 'merge', body }, user);
    return { workload, result: 'Successful' };
  });
  const body = { status: { observedWorkloads, observedGeneration: 1, finishTime: metadata.creationTimestamp } };
  const key = { namespace: '', name: metadata.name };
  store.patch('workloadrebalancers', key, { type: 'merge', body, subresource: 'status' }, user);
}
