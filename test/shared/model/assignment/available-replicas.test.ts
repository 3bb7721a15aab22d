/** Room in a cluster by its own report, and the quantities it is written in. */
import { describe, expect, it } from 'vitest';
import { availableReplicas } from '../../../../shared/model/assignment/available-replicas.ts';
import { quantityMilli, quantityValue } from '../../../../shared/model/assignment/quantity.ts';

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
  it('passes over a request of zero', () => {
    expect(availableReplicas({ summary, request: { cpu: '0', 'nvidia.com/gpu': '0' } })).toBe(20);
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
