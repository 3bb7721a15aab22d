import { describe, expect, it } from 'vitest';
import { afterDelete, decideExpiry } from '../../../functions/workload-rebalancer/expire-rebalancer.ts';
import type { WorkloadRebalancer } from '../../../shared/workload-rebalancer/workload-rebalancer.ts';
import { at, deployment, rebalancer } from '../../builders.ts';

const web = deployment('web');

function finished(over: Partial<WorkloadRebalancer> = {}): WorkloadRebalancer {
  return rebalancer({
    ttlSecondsAfterFinished: 60,
    status: { observedGeneration: 1, finishTime: at(10), observedWorkloads: [{ workload: web, result: 'Successful' }] },
    ...over,
  });
}

describe('whether a rebalancer has expired', () => {
  it('keeps one without a ttl for ever', () => {
    const { ttlSecondsAfterFinished: _, ...object } = finished();
    expect(decideExpiry(object, 'uid-demo', at(99_999))).toEqual({ action: 'Keep', reason: 'it has no ttl' });
  });

  it('waits until finishTime plus ttl', () => {
    expect(decideExpiry(finished(), 'uid-demo', at(69))).toMatchObject({ action: 'Wait', until: at(70) });
  });

  it('deletes at finishTime plus ttl', () => {
    expect(decideExpiry(finished(), 'uid-demo', at(70)).action).toBe('Delete');
  });

  it('deletes at once with a ttl of 0', () => {
    expect(decideExpiry(finished({ ttlSecondsAfterFinished: 0 }), 'uid-demo', at(10)).action).toBe('Delete');
  });

  it('defers by the refreshed finish time when a workload was added before the ttl expired (corner case 1)', () => {
    const status = { ...finished().status, observedGeneration: 2, finishTime: at(50) };
    expect(decideExpiry(finished({ generation: 2, status }), 'uid-demo', at(70))).toMatchObject({
      action: 'Wait',
      until: at(110),
    });
  });

  it('does not delete while the edit that added a workload is not observed (corner case 1)', () => {
    expect(decideExpiry(finished({ generation: 2 }), 'uid-demo', at(70))).toEqual({
      action: 'Keep',
      reason: 'an edit is not observed yet',
    });
  });

  it('goes by the latest ttl (corner case 2)', () => {
    const status = { ...finished().status, observedGeneration: 2 };
    expect(
      decideExpiry(finished({ generation: 2, ttlSecondsAfterFinished: 5, status }), 'uid-demo', at(20)).action,
    ).toBe('Delete');
    expect(
      decideExpiry(finished({ generation: 2, ttlSecondsAfterFinished: 600, status }), 'uid-demo', at(70)),
    ).toMatchObject({ until: at(610) });
  });

  it.each([
    ['is gone', undefined],
    ['has another uid: recreated under the same name', finished({ uid: 'uid-new' })],
    ['is being deleted already', finished({ deletionTimestamp: at(1) })],
    ['has no finishTime', finished({ status: { observedGeneration: 1, observedWorkloads: [] } })],
    [
      'has a workload without result',
      finished({ status: { observedGeneration: 1, finishTime: at(10), observedWorkloads: [{ workload: web }] } }),
    ],
  ])('leaves an object alone that %s', (_, object) => {
    expect(decideExpiry(object, 'uid-demo', at(99_999)).action).toBe('Keep');
  });

  it('deletes the object only in the version that was read', () => {
    const preconditions = { uid: 'uid-demo', resourceVersion: '7' };
    expect(decideExpiry(finished(), 'uid-demo', at(70))).toMatchObject({ action: 'Delete', preconditions });
  });

  it.each([
    ['done', { reason: 'deleted: why' }],
    ['missing', { reason: 'the object is gone already' }],
    ['conflict', undefined],
  ] as const)('after a delete that ended as %s', (result, outcome) => {
    expect(afterDelete(result, 'why')).toEqual(outcome);
  });
});
