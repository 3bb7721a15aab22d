import { describe, expect, it } from 'vitest';
import { findDrift } from '../../../functions/resync/find-drift.ts';
import { listDigestOf } from '../../../shared/workload-rebalancer/rebalance-task.ts';
import type { WorkloadRebalancer } from '../../../shared/workload-rebalancer/workload-rebalancer.ts';
import { at, deployment, finishedTask, rebalancer, task } from '../../builders.ts';

const reported: WorkloadRebalancer = rebalancer({
  status: {
    observedGeneration: 1,
    finishTime: at(5),
    observedWorkloads: [{ workload: deployment('web'), result: 'Successful' }],
  },
});
const rescheduling = { state: 'Confirmed', confirmed: 1, waitingFor: [], checkedAt: at(20) } as const;
const settled = finishedTask({ rescheduling });
const later = { now: at(1000), stalledSeconds: 120 };

describe('drift', () => {
  it('is none where all is done', () => {
    expect(findDrift({ object: reported, task: settled, ...later })).toBeUndefined();
  });

  it.each([
    ['there is no task', rebalancer(), undefined, 'it has no task'],
    ['the task was abandoned', rebalancer(), task({ state: 'Abandoned' }), 'it has no task'],
    ['the object was edited', { ...reported, generation: 2 }, settled, 'its generation is not planned'],
    [
      'the hub was restored, and the object edited to another list of the same generation',
      reported,
      { ...settled, listDigest: listDigestOf([deployment('api')]) },
      'its generation is not planned',
    ],
    ['chunks stand still', rebalancer(), task(), 'its chunks stand still'],
    ['the finish is not on the object', rebalancer(), settled, 'its finish is not reported'],
    ['the scheduler has not acted', reported, finishedTask(), 'its rescheduling is not confirmed'],
    ['the ttl has passed', { ...reported, ttlSecondsAfterFinished: 60 }, settled, 'its ttl has passed'],
  ])('is seen where %s', (_, object, known, drift) => {
    expect(findDrift({ object, task: known, ...later })).toBe(drift);
  });

  it('is none where the finish on the object is of the same generation, and earlier than that of the task', () => {
    expect(findDrift({ object: reported, task: { ...settled, finishTime: at(9) }, ...later })).toBeUndefined();
  });

  it('leaves alone what a delivery may be mending right now', () => {
    const soon = { now: at(60), stalledSeconds: 120 };
    expect(findDrift({ object: rebalancer(), task: task({ updatedAt: at(0) }), ...soon })).toBeUndefined();
    expect(findDrift({ object: rebalancer(), task: settled, ...soon })).toBeUndefined();
  });

  it('leaves an object alone that is being deleted', () => {
    expect(findDrift({ object: rebalancer({ deletionTimestamp: at(1) }), task: undefined, ...later })).toBeUndefined();
    const unknownFields = ['spec.reschedule'];
    expect(findDrift({ object: rebalancer({ unknownFields }), task: undefined, ...later })).toBeUndefined();
  });
});
