import { describe, expect, it } from 'vitest';
import { type Before, workloadProgress } from '../../../cli/rebalance/workload-progress.ts';
import { parsePlacedBinding } from '../../../shared/karmada/placed-binding.ts';

const second = (n: number) => Date.parse('2026-11-21T10:00:00Z') + n * 1000;
const stamp = (n: number) => new Date(second(n)).toISOString().replace('.000', '');

interface BindingTimes {
  readonly trigger?: number;
  readonly scheduled?: number;
  readonly suspended?: boolean;
  readonly rejected?: string;
  readonly observed?: number;
}

function bindingOf({ trigger, scheduled, suspended, rejected, observed = 2 }: BindingTimes) {
  return parsePlacedBinding({
    metadata: { name: 'web-deployment', namespace: 'shop', uid: 'u', generation: 2 },
    spec: {
      resource: { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: 'web' },
      replicas: 2,
      placement: { replicaScheduling: { replicaSchedulingType: 'Divided', replicaDivisionPreference: 'Weighted' } },
      ...(trigger !== undefined && { rescheduleTriggeredAt: stamp(trigger) }),
      ...(suspended && { suspension: { scheduling: true } }),
    },
    status: {
      ...(scheduled !== undefined && { lastScheduledTime: stamp(scheduled) }),
      schedulerObservedGeneration: observed,
      conditions: rejected === undefined ? [] : [{ type: 'Scheduled', status: 'False', message: rejected }],
    },
  });
}

const never: Before = { trigger: undefined, scheduled: undefined };
const stateOf = (times: BindingTimes, before: Before = never) =>
  workloadProgress({ binding: bindingOf(times), result: undefined, rebalancerGone: false }, before, second(7)).state;

describe('a workload of a rebalance', () => {
  it('of a rebalancer that preserves available replicas is rescheduled with its result, without a trigger', () => {
    const workload = { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: 'web' };
    const observation = { binding: bindingOf({ scheduled: 3 }), rebalancerGone: false };
    const scheduledBefore: Before = { trigger: undefined, scheduled: second(3) };
    const ofResult = (result: object) =>
      workloadProgress({ ...observation, result: { workload, ...result } }, scheduledBefore, second(7));
    expect(ofResult({ result: 'Successful' })).toEqual({
      state: 'rescheduled',
      reason: 'it needs no reassignment by the scheduler',
    });
    expect(ofResult({ result: 'Failed', reason: 'InsufficientCapacity' })).toEqual({
      state: 'failed',
      reason: 'no other cluster has capacity for all of its unschedulable replicas',
    });
    expect(ofResult({ result: 'Failed', reason: 'OfALaterVersion' }).reason).toBe('OfALaterVersion');
  });

  it.each<[string, BindingTimes, Before, string]>([
    ['without a trigger is waiting', {}, never, 'waiting'],
    ['with the trigger of an earlier rebalance is waiting', { trigger: 6, scheduled: 6 }, never, 'waiting'],
    ['with our trigger is triggered', { trigger: 7, scheduled: 3, observed: 1 }, never, 'triggered'],
    [
      'that a scheduler with a late clock has observed is rescheduled',
      { trigger: 7, scheduled: 3 },
      { trigger: undefined, scheduled: second(2) },
      'rescheduled',
    ],
    [
      'with an earlier trigger is waiting, although the clock of the hub was set back',
      { trigger: 3600, scheduled: 3600 },
      { trigger: second(3600), scheduled: second(3600) },
      'waiting',
    ],
    ['scheduled after its trigger is rescheduled', { trigger: 7, scheduled: 8 }, never, 'rescheduled'],
    ['scheduled in the second of its trigger is rescheduled', { trigger: 7, scheduled: 7 }, never, 'rescheduled'],
    [
      'scheduled in that second before its trigger is triggered: its trigger is lost',
      { trigger: 7, scheduled: 7 },
      { trigger: undefined, scheduled: second(7) },
      'triggered',
    ],
    ['never scheduled yet is triggered', { trigger: 7, observed: 0 }, never, 'triggered'],
    [
      'whose scheduling is suspended has failed',
      { trigger: 7, scheduled: 3, observed: 1, suspended: true },
      never,
      'failed',
    ],
    [
      'that the scheduler rejected has failed',
      { trigger: 7, scheduled: 3, observed: 1, rejected: 'no capacity' },
      never,
      'failed',
    ],
    [
      'that the scheduler rejected before its trigger is triggered',
      { trigger: 7, scheduled: 3, observed: 1, rejected: 'no capacity' },
      { trigger: undefined, scheduled: second(3), rejection: 'the scheduler found no place: no capacity' },
      'triggered',
    ],
  ])('%s', (_, times, before, state) => {
    expect(stateOf(times, before)).toBe(state);
  });

  it('that another rebalance rescheduled in the same second is rescheduled when the rebalancer reports it', () => {
    const before = { trigger: second(7), scheduled: second(7) };
    const workload = { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: 'web' };
    const observation = { binding: bindingOf({ trigger: 7, scheduled: 7 }), rebalancerGone: false };
    const result = { workload, result: 'Successful' } as const;
    expect(workloadProgress({ ...observation, result: undefined }, before, second(7)).state).toBe('waiting');
    expect(workloadProgress({ ...observation, result }, before, second(7)).state).toBe('rescheduled');
  });

  it('without a binding has failed, whether the status or the binding shows it first', () => {
    const workload = { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: 'web' };
    const result = { workload, result: 'Failed', reason: 'ReferencedBindingNotFound' } as const;
    const observation = { binding: bindingOf({}), result, rebalancerGone: false };
    expect(workloadProgress(observation, never, second(7))).toEqual({
      state: 'failed',
      reason: 'it has no binding',
    });
    const mismatch = { ...result, reason: 'ReferencedBindingMismatch' } as const;
    expect(workloadProgress({ ...observation, result: mismatch }, never, second(7)).reason).toBe(
      'its binding is of another object',
    );
    expect(workloadProgress({ ...observation, binding: undefined, result: undefined }, never, second(7)).reason).toBe(
      'its binding was deleted',
    );
  });

  it('that was not triggered before the rebalancer was deleted has failed', () => {
    const observation = { binding: bindingOf({ scheduled: 3 }), result: undefined, rebalancerGone: true };
    expect(workloadProgress(observation, never, second(7))).toEqual({
      state: 'failed',
      reason: 'the rebalancer was deleted before it was triggered',
    });
  });

  it('that was triggered continues when the rebalancer is deleted, for example by its ttl', () => {
    const observation = {
      binding: bindingOf({ trigger: 7, scheduled: 3, observed: 1 }),
      result: undefined,
      rebalancerGone: true,
    };
    expect(workloadProgress(observation, never, second(7)).state).toBe('triggered');
  });

  it('that the scheduler rejected may recover: the scheduler retries', () => {
    const binding = bindingOf({ trigger: 7, scheduled: 3, observed: 1, rejected: '0/3 clusters are available' });
    const evaluated = workloadProgress({ binding, result: undefined, rebalancerGone: false }, never, second(7));
    expect(evaluated).toEqual({
      state: 'failed',
      reason: 'the scheduler found no place: 0/3 clusters are available',
      mayRecover: true,
    });
  });
});
