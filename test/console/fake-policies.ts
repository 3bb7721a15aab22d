/** RebalancePolicies, ClusterDrains, MoveBudgets and objects of the fake world. */
import type { InputOf, OutputOf } from '../../shared/console-api/operations.ts';
import { deployment } from '../builders.ts';
import { laterThan } from './fake-fleet.ts';

export function fakePolicies(start: string): OutputOf<'listPolicies'> {
  const idle = { state: 'Idle', suspended: false, dryRun: false, message: 'waits for a cluster to recover' };
  const lastRun = {
    ...{ run: 'r-7f3a', state: 'Finished', startedAt: laterThan(start, -300), finishedAt: laterThan(start, -200) },
    ...{ waves: 3, wavesDone: 3, moved: 24 },
  };
  return {
    policies: [
      {
        ...{ name: 'come-home', ...idle, lastRun },
        triggers: ['when a cluster has been healthy again for 5m'],
        windows: ['4h from 0 22 * * 1-5 (Europe/Berlin)'],
        windowOpensAt: laterThan(start, 7200),
        conditions: [
          {
            ...{ type: 'Ready', status: 'True', reason: 'Valid', message: 'every field can be used' },
            changedAt: laterThan(start, -900),
          },
        ],
      },
      {
        ...{ name: 'nightly', suspended: true, dryRun: true, state: 'Suspended', message: 'spec.suspend is true' },
        ...{ nextRunAt: laterThan(start, 3600), triggers: ['on the schedule 0 3 * * * (UTC)'] },
        ...{ windows: [], conditions: [] },
      },
    ],
    drains: [
      {
        ...{ name: 'maintenance', cluster: 'member2', state: 'Running', message: 'wave 2 of 5' },
        ...{ suspended: false, dryRun: false },
        lastRun: {
          ...{ run: 'd-1', state: 'Running', startedAt: laterThan(start, -60), waves: 5, wavesDone: 1, moved: 7 },
        },
      },
    ],
  };
}

export function fakePreview(): OutputOf<'previewPolicy'> {
  const move = (name: string, moves: number, reason: string) => ({
    ...{ workload: { ...deployment(name) }, binding: { namespace: 'shop', name: `${name}-deployment` } },
    ...{ current: { member1: 0, member2: 8 }, next: { member1: moves, member2: 8 - moves }, moves, reason },
  });
  return {
    triggers: ['ClusterRecovered member1'],
    waves: [[move('web', 4, 'member1 has capacity again')], [move('api', 2, 'member1 has capacity again')]],
    skipped: [move('batch', 3, 'MoveBudget fleet: at most 1 replica of the workload at once')],
    ...{ workloads: 2, replicas: 6, still: 30, unselected: 1, notes: [] },
  };
}

export function fakeBudgets(start: string): OutputOf<'listBudgets'> {
  return {
    budgets: [
      {
        name: 'fleet',
        limits: [
          { per: 'Hub', replicas: '50', applies: true, left: 38 },
          {
            ...{ per: 'Cluster', replicas: '10%', windowSeconds: 3600, applies: true },
            leftByCluster: { member1: 4, member2: 0 },
          },
          { per: 'Workload', replicas: '1', reasons: ['Policy', 'Drain'], applies: false },
        ],
      },
    ],
    moves: [
      {
        ...{
          binding: { namespace: 'shop', name: 'web-deployment' },
          reason: 'Drain',
          mover: 'ClusterDrain maintenance',
        },
        ...{ leaves: { member2: 2 }, allowedAt: laterThan(start, -20) },
      },
    ],
  };
}

export function fakeObject({ kind, namespace, name }: InputOf<'getObject'>): OutputOf<'getObject'> {
  return {
    object: {
      apiVersion: 'example/v1',
      kind,
      metadata: {
        ...(namespace !== '-' && { namespace }),
        name,
        managedFields: [{ manager: 'kubectl', operation: 'Apply', fieldsV1: { 'f:spec': {} } }],
      },
      spec: { note: 'as the API server sends it' },
    },
  };
}
