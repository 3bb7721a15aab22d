/** Room in a cluster by its own report, and the quantities it is written in. */
import { describe, expect, it } from 'vitest';
import { createAssumedRoom } from '../../../../shared/model/assignment/assumed-room.ts';
import { availableReplicas, roomOf } from '../../../../shared/model/assignment/available-replicas.ts';
import { quantityMilli, quantityValue } from '../../../../shared/model/assignment/quantity.ts';
import { placedBinding } from '../../../placed-objects.ts';

const summary = {
  allocatable: { cpu: '10', memory: '40Gi', pods: '50' },
  allocated: { cpu: '5500m', memory: '8Gi', pods: '28' },
  allocating: { cpu: '500m', pods: '2' },
};

describe('availableReplicas', () => {
  it('is the free pod slots where the workload asks for nothing', () => {
    expect(availableReplicas({ summary, request: undefined })).toBe(20);
  });
  it('is what the scarcest resource leaves: 4 free cores at 500m are 8, at 100m the 20 slots bind', () => {
    expect(availableReplicas({ summary, request: { cpu: '500m' } })).toBe(8);
    expect(availableReplicas({ summary, request: { cpu: '100m', memory: '1Gi' } })).toBe(20);
    expect(availableReplicas({ summary, request: { cpu: '100m', memory: '9Gi' } })).toBe(3);
  });
  it('divides thousandths exactly: three times 100m go into 300m', () => {
    expect(availableReplicas({ summary: { allocatable: { cpu: '0.3', pods: '9' } }, request: { cpu: '0.1' } })).toBe(3);
  });
  it('takes off what was placed since the report', () => {
    const assumed = new Map([
      ['pods', 18],
      ['cpu', 3000],
    ]);
    expect(availableReplicas({ summary, request: { cpu: '500m' }, assumed })).toBe(2);
  });
  it('is none where the cluster does not report what is asked for, is overcommitted, or reported nothing', () => {
    expect(availableReplicas({ summary, request: { 'nvidia.com/gpu': '1' } })).toBe(0);
    expect(
      availableReplicas({ summary: { allocatable: { pods: '3' }, allocated: { pods: '5' } }, request: undefined }),
    ).toBe(0);
    expect(availableReplicas({ summary: undefined, request: undefined })).toBe(0);
  });
  it('counts a replica as one pod, whatever it says of pods itself', () => {
    expect(availableReplicas({ summary, request: { pods: '5' } })).toBe(20);
  });
  it('passes over a request of zero', () => {
    expect(availableReplicas({ summary, request: { cpu: '0', 'nvidia.com/gpu': '0' } })).toBe(20);
  });
});

describe('the room of a cluster for a binding', () => {
  const asking = placedBinding({ spec: { replicaRequirements: { resourceRequest: { cpu: '500m' } } } });
  const m1 = { name: 'm1', resourceSummary: summary };
  const assumed = createAssumedRoom();
  assumed.add('m1', 3, { cpu: '500m' });

  it('is what its own report leaves for what one replica asks for', () => {
    expect([roomOf(asking)(m1), roomOf(placedBinding())(m1), roomOf(asking)({ name: 'm2' })]).toEqual([8, 20, 0]);
  });

  it('is what its estimator says where that is less, and its report where it says more or nothing', () => {
    const room = (estimated: Readonly<Record<string, number>>) =>
      roomOf(asking, { estimated: new Map(Object.entries(estimated)) })(m1);
    expect([room({ m1: 5 }), room({ m1: 50 }), room({ m2: 1 })]).toEqual([5, 8, 8]);
  });

  it('is without what was placed there since, of which each replica is a pod to the estimator', () => {
    expect(roomOf(asking, { assumed })(m1)).toBe(5);
    expect(roomOf(asking, { assumed, estimated: new Map([['m1', 7]]) })(m1)).toBe(4);
    expect(roomOf(asking, { assumed })({ ...m1, name: 'm2' })).toBe(8);
  });

  it('is none where more was placed than an estimator knew', () => {
    expect(roomOf(asking, { assumed, estimated: new Map([['m1', 2]]) })(m1)).toBe(0);
  });
});

describe('quantities', () => {
  it.each([
    ['100m', 100, 1],
    ['1.5', 1500, 2],
    ['0.1m', 1, 1],
    ['2e3', 2_000_000, 2000],
    ['12E', 12e21, 12e18],
    ['1Ki', 1_024_000, 1024],
    ['1.5Gi', 1_610_612_736_000, 1_610_612_736],
    ['-2500m', -2500, -2],
    ['0', 0, 0],
  ])('%s is %d thousandths and %d whole units', (text, milli, value) => {
    expect(quantityMilli(text)).toBe(milli);
    expect(quantityValue(text)).toBe(value);
  });
  it.each(['', 'x', '1 Gi', '1KB', '--1', '1e', 'Infinity'])('"%s" is no quantity', (text) => {
    expect(quantityMilli(text)).toBeUndefined();
    expect(quantityValue(text)).toBeUndefined();
  });
});
