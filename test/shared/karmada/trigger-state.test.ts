import { describe, expect, it } from 'vitest';
import {
  isAlwaysScheduled,
  isTriggerPending,
  type TriggerState,
  usesLaterTerm,
} from '../../../shared/karmada/trigger-state.ts';
import { at } from '../../builders.ts';

const divided = { replicaScheduling: { replicaSchedulingType: 'Divided' } };

describe('whether a trigger waits for the scheduler', () => {
  const [trigger, before] = [{ rescheduleTriggeredAt: at(5) }, { lastScheduledTime: at(2) }];
  it.each<[string, TriggerState, boolean]>([
    ['without a trigger', { generation: 2, schedulerObservedGeneration: 1, ...before }, false],
    ['not observed yet', { generation: 2, schedulerObservedGeneration: 1, ...trigger, ...before }, true],
    [
      'observed by a scheduler whose clock is behind',
      { generation: 2, schedulerObservedGeneration: 2, ...trigger, ...before },
      false,
    ],
    [
      'not observed, by a scheduler whose clock is ahead, which has acted on it and not on a later change',
      { generation: 3, schedulerObservedGeneration: 2, ...trigger, lastScheduledTime: at(3600) },
      false,
    ],
    [
      'of the second of the last scheduling, not observed, where every change is scheduled',
      {
        generation: 2,
        schedulerObservedGeneration: 1,
        ...trigger,
        lastScheduledTime: at(5),
        isAlwaysScheduled: true,
      },
      true,
    ],
    ['never scheduled', { generation: 2, ...trigger }, true],
    ['by time, of a scheduler that numbers nothing', { generation: 2, ...trigger, ...before }, true],
    ['by time, acted on', { generation: 2, ...trigger, lastScheduledTime: at(5) }, false],
  ])('%s', (_, state, expected) => {
    expect(isTriggerPending(state)).toBe(expected);
  });
});

describe('whether every change has a binding scheduled, with the result of a trigger', () => {
  it.each([
    ['a ClusterRole, whatever its placement', { placement: divided }, true],
    ['a Duplicated Deployment', { replicas: 3, placement: {} }, true],
    ['a divided Deployment', { replicas: 3, placement: divided }, false],
    ['one whose replicaScheduling has no type', { replicas: 3, placement: { replicaScheduling: {} } }, false],
    ['one scaled to 0', { replicas: 0, replicaRequirements: {}, placement: divided }, false],
    ['one of several components', { components: [{}], placement: divided }, false],
    [
      'one with clusterAffinities, which a trigger starts from the first',
      { placement: { clusterAffinities: [] } },
      false,
    ],
    ['one without a placement, which is not scheduled', { replicas: 3 }, false],
  ])('%s', (_, spec, expected) => {
    expect(isAlwaysScheduled(spec)).toBe(expected);
  });
});

describe('whether a binding uses a later term of clusterAffinities', () => {
  const terms = [{ affinityName: 'near' }, { affinityName: 'far' }];

  it.each([
    ['the first', terms, 'near', false],
    ['a later one', terms, 'far', true],
    ['one that is none of them, so that the scheduler starts from the first', terms, 'gone', false],
    ['none yet', terms, undefined, false],
    ['none, without terms', null, 'far', false],
  ])('%s', (_, given, inUse, expected) => {
    expect(usesLaterTerm(given, inUse)).toBe(expected);
  });
});
