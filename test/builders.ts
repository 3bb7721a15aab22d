/** Objects for tests, each whole and plausible; a test names only what it is about. */
import type { HubRecord } from '../shared/kubernetes/hub-registry.ts';
import type { ObjectReference } from '../shared/kubernetes/object-reference.ts';
import type { Chunk, RebalanceTask, TaskWorkload } from '../shared/workload-rebalancer/rebalance-task.ts';
import type { WorkloadRebalancer } from '../shared/workload-rebalancer/workload-rebalancer.ts';
import { hubRecord } from './fakes/hub-records.ts';

/** A second of the clock of 2026-11-21, 10:00 UTC. */
export function at(seconds: number): number {
  return Date.UTC(2026, 10, 21, 10, 0, 0) + seconds * 1000;
}

export function deployment(name: string, namespace = 'shop'): ObjectReference {
  return { apiVersion: 'apps/v1', kind: 'Deployment', namespace, name };
}

/** Deployments w0000, w0001 and so on. */
export function deployments(count: number): readonly ObjectReference[] {
  return Array.from({ length: count }, (_, i) => deployment(`w${String(i).padStart(4, '0')}`));
}

export function clusterRole(name: string): ObjectReference {
  return { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', namespace: '', name };
}

export function rebalancer(over: Partial<WorkloadRebalancer> = {}): WorkloadRebalancer {
  return {
    name: 'demo',
    uid: 'uid-demo',
    resourceVersion: '7',
    generation: 1,
    creationTimestamp: at(0),
    workloads: [deployment('web')],
    status: { observedWorkloads: [], observedGeneration: 0 },
    ...over,
  };
}

export function pending(workload: ObjectReference, over: Partial<TaskWorkload> = {}): TaskWorkload {
  return { workload, wantedSince: at(0), ...over };
}

export function successful(workload: ObjectReference): TaskWorkload {
  return { workload, wantedSince: at(0), result: 'Successful' };
}

export function failed(workload: ObjectReference): TaskWorkload {
  return { workload, wantedSince: at(0), result: 'Failed', reason: 'ReferencedBindingNotFound' };
}

export function chunk(workloads: readonly TaskWorkload[], over: Partial<Chunk> = {}): Chunk {
  return { task: { hub: 'karmada', uid: 'uid-demo' }, plan: 'plan-1', number: 0, version: 0, workloads, ...over };
}

export function task(over: Partial<RebalanceTask> = {}): RebalanceTask {
  return {
    hub: 'karmada',
    uid: 'uid-demo',
    name: 'demo',
    creationTimestamp: at(0),
    generation: 1,
    plan: 'plan-1',
    state: 'Running',
    workloads: 3,
    successful: 0,
    failed: 0,
    chunks: 2,
    pendingChunks: [0, 1],
    updatedAt: at(0),
    expiresAt: at(30 * 24 * 3600),
    ...over,
  };
}

export function finishedTask(over: Partial<RebalanceTask> = {}): RebalanceTask {
  return task({ state: 'Finished', pendingChunks: [], successful: 3, finishTime: at(5), updatedAt: at(5), ...over });
}

/** A token of three parts that has no valid signature. */
export function jwt(claims: object): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return [part({ alg: 'RS256' }), part(claims), 'signature'].join('.');
}

export function accountToken(over: { issuedAt?: string; hours?: number; serial?: number } = {}): string {
  const { issuedAt = '2026-11-21T10:00:00Z', hours = 48, serial = 0 } = over;
  const iat = Date.parse(issuedAt) / 1000;
  return jwt({ sub: 'system:serviceaccount:evenkeel:evenkeel', iat, exp: iat + hours * 3600, jti: `token-${serial}` });
}

/** The record of hub karmada as a registry returns it. */
export function storedHub(over: Partial<HubRecord> = {}): HubRecord {
  const account = 'system:serviceaccount:evenkeel:evenkeel';
  return { ...hubRecord('karmada', { account }), revision: 1, ...over };
}
