/** The hub and the table in a separate process, so that their time is not counted as that of functions: bindings of our scheduler, and Karmada's writes to them. */
import { type HubServer, startHubServer } from '../../local/practice-hub/hub-server.ts';
import { startTable } from '../../local/table.ts';
import { toTimestamp } from '../../shared/core/time.ts';
import { EVENKEEL_SCHEDULER } from '../../shared/karmada/assignment/plan-scheduling.ts';
import type { ObjectKey } from '../../shared/kubernetes/object-key.ts';
import { answerRequests } from '../ask-process.ts';
import type { Backend } from '../function-cost/backend-process.ts';
import { fillHub } from '../policies/hub-objects.ts';

/** `start` answers with the backend; a write answers when it is done. */
export type HubRequest =
  | { readonly do: 'start'; readonly bindings: number }
  | { readonly do: 'scale' | 'report'; readonly index: number };

const karmada = { username: 'system:karmada:controller', manager: 'karmada-controller-manager' };
let server: HubServer | undefined;

async function start(bindings: number): Promise<Backend> {
  server = await startHubServer({ port: 0 });
  fillHub(server.store, { workloads: bindings, policies: 0 });
  for (let index = 0; index < bindings; index += 1) assign(keyOf(index));
  const table = await startTable();
  return { hub: server.url, table: table.endpoint };
}

/** The binding is ours, and settled: a resync finds nothing to do. */
function assign(key: ObjectKey): void {
  const spec = { type: 'merge', body: { spec: { schedulerName: EVENKEEL_SCHEDULER } } } as const;
  const { generation } = server?.store.patch('resourcebindings', key, spec, karmada).metadata ?? {};
  const lastTransitionTime = toTimestamp(Date.now());
  const conditions = [{ type: 'Scheduled', status: 'True', reason: 'Success', message: '', lastTransitionTime }];
  const body = { status: { conditions, schedulerObservedGeneration: generation } };
  server?.store.patch('resourcebindings', key, { type: 'merge', body, subresource: 'status' }, karmada);
  report(key);
}

/** The workload has more replicas, or fewer again: Karmada writes them to the binding. */
function scale(key: ObjectKey): void {
  const replicas = replicasOf(key) === 6 ? 9 : 6;
  server?.store.patch('resourcebindings', key, { type: 'merge', body: { spec: { replicas } } }, karmada);
}

/** The members run the replicas: Karmada writes it to the binding's status. */
function report(key: ObjectKey): void {
  const spec = server?.store.get('resourcebindings', key)?.spec ?? {};
  const { clusters = [] } = spec as { readonly clusters?: readonly ClusterAssignment[] };
  const aggregatedStatus = clusters.map(({ name, replicas }) => ({
    ...{ clusterName: name, applied: true, health: 'Healthy' },
    status: { replicas, readyReplicas: replicas, updatedReplicas: replicas, availableReplicas: replicas },
  }));
  const body = { status: { aggregatedStatus } };
  server?.store.patch('resourcebindings', key, { type: 'merge', body, subresource: 'status' }, karmada);
}

function keyOf(index: number): ObjectKey {
  return { namespace: 'shop', name: `web-${index}-deployment` };
}

interface ClusterAssignment {
  readonly name: string;
  readonly replicas: number;
}

function replicasOf(key: ObjectKey): unknown {
  return server?.store.get('resourcebindings', key)?.spec?.replicas;
}

answerRequests(async (input: HubRequest): Promise<Backend | undefined> => {
  if (input.do === 'start') return start(input.bindings);
  const key = keyOf(input.index);
  if (input.do === 'scale') scale(key);
  else report(key);
  return undefined;
});
