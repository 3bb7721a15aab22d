/** The cost of one WorkloadRebalancer, from its audit event to its deletion at its TTL. */
import { setTimeout as wait } from 'node:timers/promises';
import { askProcess, startProcess } from '../ask-process.ts';
import { send } from '../bindings.ts';
import type { Backend } from './backend-process.ts';
import { Counter, type InvocationCounts } from './counts.ts';
import { deploy } from './deployment.ts';

const TTL_SECONDS = 4;
const TIMEOUT_MS = 120_000;
const REBALANCERS = '/apis/apps.karmada.io/v1alpha1/workloadrebalancers';

/** Once per round, on the same workloads. */
export async function rebalanceCosts(workloads: number, rounds: number): Promise<readonly InvocationCounts[]> {
  const child = startProcess(new URL('./backend-process.ts', import.meta.url));
  try {
    const backend = await askProcess<Backend>(child, workloads, TIMEOUT_MS);
    const costs: InvocationCounts[] = [];
    for (let round = 0; round < rounds; round += 1)
      costs.push(await rebalanceCost(backend, `round-${round}`, workloads));
    return costs;
  } finally {
    child.kill();
  }
}

async function rebalanceCost(backend: Backend, name: string, workloads: number): Promise<InvocationCounts> {
  const counter = new Counter();
  const deployment = deploy(backend, counter);
  try {
    const { transport } = deployment;
    await send(transport, { method: 'POST', path: REBALANCERS, body: rebalancer(name, workloads) });
    await deployment.postAudit([auditEvent(name)]);
    const until = performance.now() + TIMEOUT_MS;
    const isGone = async () => (await transport.send({ method: 'GET', path: `${REBALANCERS}/${name}` })).status === 404;
    while (!(deployment.isIdle() && (await isGone()))) {
      if (performance.now() > until) throw new Error(`the rebalancer ${name} is still there after ${TIMEOUT_MS} ms`);
      await wait(100);
    }
    return counter.counts();
  } finally {
    await deployment.close();
  }
}

function rebalancer(name: string, count: number): object {
  const workloads = Array.from({ length: count }, (_, index) => ({
    ...{ apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: `web-${index}` },
  }));
  return {
    apiVersion: 'apps.karmada.io/v1alpha1',
    kind: 'WorkloadRebalancer',
    metadata: { name },
    spec: { workloads, ttlSecondsAfterFinished: TTL_SECONDS },
  };
}

function auditEvent(name: string): object {
  const at = new Date().toISOString();
  return {
    ...{ level: 'Metadata', auditID: name, stage: 'ResponseComplete', requestURI: REBALANCERS, verb: 'create' },
    user: { username: 'user' },
    objectRef: { resource: 'workloadrebalancers', name, apiGroup: 'apps.karmada.io', apiVersion: 'v1alpha1' },
    responseStatus: { code: 201 },
    requestReceivedTimestamp: at,
    stageTimestamp: at,
  };
}
