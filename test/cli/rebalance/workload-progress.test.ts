import { describe, expect, it } from 'vitest';
import { type Before, workloadProgress } from '../../../cli/rebalance/workload-progress.ts';
import { parsePlacedBinding } from '../../../shared/model/placed-binding.ts';

const second = (n: number) => Date.parse('2026-11-21T10:00:00Z') + n * 1000;
const stamp = (n: number) => new Date(second(n)).toISOString().replace('.000', '');

interface Told {
  readonly trigger?: number;
  readonly scheduled?: number;
  readonly suspended?: boolean;
  readonly rejected?: string;
  readonly observed?: number;
}

function bindingOf({ trigger, scheduled, suspended, rejected, observed = 2 }: Told) {
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
const judge = (told: Told, before: Before = never) =>
  workloadProgress({ binding: bindingOf(told), result: undefined, rebalancerGone: false }, before, second(7)).state;

describe('a workload of a rebalance', () => {
  it.each<[string, Told, Before, string]>([
    ['without a trigger waits', {}, never, 'waiting'],
    ['with the trigger of an earlier rebalance waits', { trigger: 6, scheduled: 6 }, never, 'waiting'],
    ['with our trigger is triggered', { trigger: 7, scheduled: 3, observed: 1 }, never, 'triggered'],
    [
      'that a scheduler has observed whose clock is behind is rescheduled',
      { trigger: 7, scheduled: 3 },
      { trigger: undefined, scheduled: second(2) },
      'rescheduled',
    ],
    [
      'with a trigger of before waits for ours, although the clock of the hub was set back',
      { trigger: 3600, scheduled: 3600 },
      { trigger: second(3600), scheduled: second(3600) },
      'waiting',
    ],
    ['scheduled after its trigger is rescheduled', { trigger: 7, scheduled: 8 }, never, 'rescheduled'],
    ['scheduled in the second of its trigger is rescheduled', { trigger: 7, scheduled: 7 }, never, 'rescheduled'],
    [
      'scheduled in that second already before it was asked is not: its trigger is lost',
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
      'for which there is no place has failed',
      { trigger: 7, scheduled: 3, observed: 1, rejected: 'no room' },
      never,
      'failed',
    ],
    [
      'for which there was no place before it was triggered is triggered',
      { trigger: 7, scheduled: 3, observed: 1, rejected: 'no room' },
      { trigger: undefined, scheduled: second(3), rejection: 'the scheduler found no place: no room' },
      'triggered',
    ],
  ])('%s', (_, told, before, state) => {
    expect(judge(told, before)).toBe(state);
  });

  it('that another has had rescheduled in the very second is rescheduled once the rebalancer counts it', () => {
    const before = { trigger: second(7), scheduled: second(7) };
    const workload = { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: 'web' };
    const observation = { binding: bindingOf({ trigger: 7, scheduled: 7 }), rebalancerGone: false };
    const result = { workload, result: 'Successful' } as const;
    expect(workloadProgress({ ...observation, result: undefined }, before, second(7)).state).toBe('waiting');
    expect(workloadProgress({ ...observation, result }, before, second(7)).state).toBe('rescheduled');
  });

  it('without a binding has failed, whoever says so first', () => {
    const workload = { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: 'web' };
    const result = { workload, result: 'Failed', reason: 'ReferencedBindingNotFound' } as const;
    const observation = { binding: bindingOf({}), result, rebalancerGone: false };
    expect(workloadProgress(observation, never, second(7))).toEqual({
      state: 'failed',
      reason: 'it has no binding',
    });
    expect(workloadProgress({ ...observation, binding: undefined, result: undefined }, never, second(7)).reason).toBe(
      'its binding was deleted',
    );
  });

  it('that was not triggered before the rebalancer went will not be', () => {
    const observation = { binding: bindingOf({ scheduled: 3 }), result: undefined, rebalancerGone: true };
    expect(workloadProgress(observation, never, second(7))).toEqual({
      state: 'failed',
      reason: 'the rebalancer was deleted before it was triggered',
    });
  });

  it('that was triggered goes on when the rebalancer goes, as by its ttl', () => {
    const observation = {
      binding: bindingOf({ trigger: 7, scheduled: 3, observed: 1 }),
      result: undefined,
      rebalancerGone: true,
    };
    expect(workloadProgress(observation, never, second(7)).state).toBe('triggered');
  });

  it('may yet find a place: the scheduler tries again', () => {
    const binding = bindingOf({ trigger: 7, scheduled: 3, observed: 1, rejected: '0/3 clusters are available' });
    const evaluated = workloadProgress({ binding, result: undefined, rebalancerGone: false }, never, second(7));
    expect(evaluated).toEqual({
      state: 'failed',
      reason: 'the scheduler found no place: 0/3 clusters are available',
      mayRecover: true,
    });
  });
});
