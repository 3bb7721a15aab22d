/** How far a wave has come, by its bindings and its rebalancer. */
import { describe, expect, it } from 'vitest';
import { observeWave, unhealthyAmong } from '../../../functions/rebalance-policy/observe-wave.ts';
import { QUEUE } from '../../../shared/graceful-reduction/replica-reduction.ts';
import type { PlacedBinding } from '../../../shared/karmada/placed-binding.ts';
import type { WorkloadDecision } from '../../../shared/rebalance-policy/policy-run.ts';
import { workloadRebalancers } from '../../../shared/workload-rebalancer/workload-rebalancer.ts';
import { placedBinding } from '../../placed-objects.ts';

const workload = { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: 'web' };
const decision: WorkloadDecision = {
  workload,
  binding: { namespace: 'shop', name: 'web-deployment' },
  why: '',
  current: { m2: 4 },
  next: { m1: 2, m2: 2 },
  moves: 2,
  outcome: 'Moving',
};
const inFlight = { rebalancer: 'p-1', rebalancerUid: 'r', startedAt: 0, readyBy: 1 };

function rebalancer(result: string | undefined, reason?: string) {
  return workloadRebalancers.parse({
    metadata: { name: 'p-1', uid: 'r', resourceVersion: '1', creationTimestamp: '2026-11-21T10:00:00Z' },
    spec: { workloads: [workload] },
    status: { observedWorkloads: [{ workload, ...(result && { result }), ...(reason && { reason }) }] },
  });
}

interface Given {
  readonly ready?: Readonly<Record<string, number>>;
  readonly current?: Readonly<Record<string, number>>;
  readonly scheduledAt?: string;
  readonly conditions?: readonly object[];
  readonly triggeredBy?: string;
  readonly health?: string;
  /** Of m2: the replicas that it keeps. */
  readonly held?: object;
}

function binding({
  ready = { m1: 2, m2: 2 },
  current = { m1: 2, m2: 2 },
  scheduledAt = '10:00:05',
  triggeredBy = 'p-1/r',
  ...over
}: Given = {}): PlacedBinding {
  const aggregatedStatus = Object.entries(ready).map(([clusterName, readyReplicas]) => ({
    clusterName,
    health: over.health ?? 'Healthy',
    ...(over.health === undefined && { status: { replicas: 4, ...(readyReplicas > 0 && { readyReplicas }) } }),
  }));
  return placedBinding({
    replicas: 4,
    current,
    metadata: {
      annotations: {
        'evenkeel.dev/triggered-by': triggeredBy,
        ...(over.held && { [`${QUEUE}m2`]: JSON.stringify(over.held) }),
      },
    },
    spec: { rescheduleTriggeredAt: '2026-11-21T10:00:01Z' },
    status: { lastScheduledTime: `2026-11-21T${scheduledAt}Z`, conditions: over.conditions ?? [], aggregatedStatus },
  });
}

function look(
  found: PlacedBinding | undefined,
  made: ReturnType<typeof rebalancer> | 'deleted' = rebalancer('Successful'),
  unhealthy: ReadonlyMap<string, string> = new Map(),
) {
  const bindings = new Map(found ? [['shop/web-deployment', found]] : []);
  const { workloads, waitingFor, moved } = observeWave([decision], inFlight, {
    bindings,
    rebalancer: made === 'deleted' ? undefined : made,
    unhealthy,
  });
  return { outcome: workloads[0]?.outcome, reason: workloads[0]?.reason, waitingFor, moved };
}

describe('a workload of a wave is', () => {
  it('Moved when it is rescheduled, and every replica is ready where it is assigned', () => {
    expect(look(binding())).toEqual({ outcome: 'Moved', reason: 'rescheduled and ready', waitingFor: [], moved: 2 });
  });

  it.each<[string, Given, string]>([
    ['the scheduler has not acted', { scheduledAt: '10:00:00' }, 'the scheduler has not acted on its trigger'],
    ['replicas are not ready', { ready: { m1: 1, m2: 2 } }, '1 of 2 ready on m1'],
    ['a cluster has not reported', { ready: { m2: 2 } }, '0 of 2 ready on m1'],
    ['none is ready there', { ready: { m1: 0, m2: 2 } }, '0 of 2 ready on m1'],
    ['too few are assigned', { current: { m1: 2 }, ready: { m1: 2 } }, '2 of 4 replicas are assigned'],
    [
      'it cannot be placed',
      { conditions: [{ type: 'Scheduled', status: 'False', message: 'no capacity' }] },
      'the scheduler could not place it: no capacity',
    ],
    ['what counts no replicas is not healthy', { health: 'Unhealthy' }, '0 of 2 ready on m1'],
  ])('NotReady while %s', (_, given, reason) => {
    expect(look(binding(given))).toEqual({
      outcome: 'NotReady',
      reason,
      waitingFor: [`Deployment shop/web: ${reason}`],
      moved: 0,
    });
  });

  it('ready by its health where nothing counts its replicas, as of a Job', () => {
    expect(look(binding({ health: 'Healthy' })).outcome).toBe('Moved');
  });

  it('Unmoved if the scheduler left it, and Moved if its move differs from the plan', () => {
    expect(look(binding({ current: { m2: 4 }, ready: { m2: 4 } }))).toMatchObject({ outcome: 'Unmoved', moved: 0 });
    expect(look(binding({ current: { m1: 4 }, ready: { m1: 4 } }))).toMatchObject({
      outcome: 'Moved',
      moved: 4,
      reason: 'rescheduled and ready, otherwise than planned',
    });
  });

  it('Gone without a binding, by the hub or by what the rebalancer found', () => {
    expect(look(undefined)).toMatchObject({ outcome: 'Gone', waitingFor: [] });
    const other = binding({ triggeredBy: '' });
    expect(look(other, rebalancer('Failed', 'ReferencedBindingNotFound'))).toMatchObject({
      outcome: 'Gone',
      reason: 'ReferencedBindingNotFound',
    });
  });

  it('not ready before its trigger is written, whatever was scheduled before', () => {
    expect(look(binding({ triggeredBy: '' }), rebalancer(undefined))).toMatchObject({
      outcome: 'NotReady',
      reason: 'its trigger is not written yet',
    });
  });

  it('triggered by any user, if the rebalancer reports that it needs no trigger of its own', () => {
    expect(look(binding({ triggeredBy: 'mine/x' })).outcome).toBe('Moved');
  });

  it('followed to its end if a user deleted the rebalancer after the trigger, and Skipped if before', () => {
    expect(look(binding(), 'deleted').outcome).toBe('Moved');
    expect(look(binding({ triggeredBy: '' }), 'deleted')).toMatchObject({
      outcome: 'Skipped',
      reason: 'WorkloadRebalancer p-1 was deleted before it triggered the workload',
    });
  });
});

describe('a wave whose replicas are all ready', () => {
  it.each([
    [{ replicas: 4 }, 'NotReady', '2 replicas on m2 are held until they are replaced'],
    [{ replicas: 2 }, 'Moved', 'rescheduled and ready'],
    [{ replicas: 4, suppressDeletion: true }, 'Moved', 'rescheduled and ready'],
  ])('with the held reduction %j is %s', (held, outcome, reason) => {
    expect(look(binding({ held }))).toMatchObject({ outcome, reason });
  });
});

describe('a wave whose policy has a health expression', () => {
  it('is not ready while a workload is not healthy', () => {
    const unhealthy = new Map([['shop/web-deployment', 'strategy.waves.healthy is not true: false']]);
    expect(look(binding(), rebalancer('Successful'), unhealthy)).toMatchObject({
      outcome: 'NotReady',
      reason: 'strategy.waves.healthy is not true: false',
    });
    expect(look(binding({ ready: { m1: 1 } }), rebalancer('Successful'), unhealthy).reason).toBe('1 of 2 ready on m1');
    expect(look(binding(), rebalancer('Successful'), new Map([['shop/api-deployment', 'x']])).outcome).toBe('Moved');
  });

  it('has the unhealthy ones by key', () => {
    const health = (replicas: number) => ({ workload, replicas, clusters: [] });
    const reported = new Map([
      ['shop/a', health(1)],
      ['shop/b', health(3)],
    ]);
    expect(unhealthyAmong('replicas > 2', reported)).toEqual(
      new Map([['shop/a', 'strategy.waves.healthy is not true: replicas > 2']]),
    );
  });
});
