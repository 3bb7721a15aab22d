/** The available replicas of a cluster by its own report, and the quantities in that report. */
import { describe, expect, it } from 'vitest';
import { createAssumeCache } from '../../../../shared/karmada/assignment/assume-cache.ts';
import { availableReplicas, capacityOf } from '../../../../shared/karmada/assignment/available-replicas.ts';
import { quantityMilli, quantityValue } from '../../../../shared/karmada/assignment/quantity.ts';
import { placedBinding } from '../../../placed-objects.ts';

const summary = {
  allocatable: { cpu: '10', memory: '40Gi', pods: '50' },
  allocated: { cpu: '5500m', memory: '8Gi', pods: '28' },
  allocating: { cpu: '500m', pods: '2' },
};

describe('availableReplicas', () => {
  const placed = new Map([
    ['pods', 18],
    ['cpu', 3000],
  ]);

  it.each<[string, Parameters<typeof availableReplicas>[0], number]>([
    ['is the free pod slots where the workload asks for nothing', { summary, request: undefined }, 20],
    ['is what the scarcest resource leaves: 4 free cores at 500m', { summary, request: { cpu: '500m' } }, 8],
    ['is the 20 slots where they are scarcer', { summary, request: { cpu: '100m', memory: '1Gi' } }, 20],
    ['is what memory leaves where that is scarcest', { summary, request: { cpu: '100m', memory: '9Gi' } }, 3],
    [
      'divides thousandths exactly: three times 100m go into 300m',
      { summary: { allocatable: { cpu: '0.3', pods: '9' } }, request: { cpu: '0.1' } },
      3,
    ],
    ['takes off what was placed since the report', { summary, request: { cpu: '500m' }, assumed: placed }, 2],
    ['is none where it does not report what is asked for', { summary, request: { 'nvidia.com/gpu': '1' } }, 0],
    [
      'is none where it is overcommitted',
      { summary: { allocatable: { pods: '3' }, allocated: { pods: '5' } }, request: undefined },
      0,
    ],
    ['is none where it reported nothing', { summary: undefined, request: undefined }, 0],
    ['counts a replica as one pod, regardless of its own pods request', { summary, request: { pods: '5' } }, 20],
    ['passes over a request of zero', { summary, request: { cpu: '0', 'nvidia.com/gpu': '0' } }, 20],
  ])('%s', (_, given, replicas) => {
    expect(availableReplicas(given)).toBe(replicas);
  });
});

describe('the available replicas of a cluster for a binding', () => {
  const asking = placedBinding({ spec: { replicaRequirements: { resourceRequest: { cpu: '500m' } } } });
  const m1 = { name: 'm1', resourceSummary: summary };
  const assumed = createAssumeCache();
  assumed.add('m1', 3, { cpu: '500m' });

  it('is the reported remainder divided by the request of one replica', () => {
    expect([capacityOf(asking)(m1), capacityOf(placedBinding())(m1), capacityOf(asking)({ name: 'm2' })]).toEqual([
      8, 20, 0,
    ]);
  });

  it('is the estimate if that is lower, and the report of the cluster if the estimate is higher or missing', () => {
    const capacity = (estimated: Readonly<Record<string, number>>) =>
      capacityOf(asking, { estimated: new Map(Object.entries(estimated)) })(m1);
    expect([capacity({ m1: 5 }), capacity({ m1: 50 }), capacity({ m2: 1 })]).toEqual([5, 8, 8]);
  });

  it('excludes replicas that were assigned since, each of which is one pod to the estimator', () => {
    expect(capacityOf(asking, { assumed })(m1)).toBe(5);
    expect(capacityOf(asking, { assumed, estimated: new Map([['m1', 7]]) })(m1)).toBe(4);
    expect(capacityOf(asking, { assumed })({ ...m1, name: 'm2' })).toBe(8);
  });

  it('is none where more was placed than an estimator knew', () => {
    expect(capacityOf(asking, { assumed, estimated: new Map([['m1', 2]]) })(m1)).toBe(0);
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
