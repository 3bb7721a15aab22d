import { describe, expect, it } from 'vitest';
import { createAssumeCache } from '../../../../shared/karmada/assignment/assume-cache.ts';

describe('the assume cache', () => {
  it('adds up by cluster and resource, in thousandths of a core and whole units, with a pod for each replica', () => {
    const capacity = createAssumeCache();
    capacity.add('m1', 2, { cpu: '250m', memory: '1Gi', pods: '9' });
    capacity.add('m1', 1, { cpu: '1' });
    capacity.add('m2', 3, undefined);
    expect(capacity.assumed()).toEqual({ m1: { pods: 3, cpu: 1500, memory: 2 * 1024 ** 3 }, m2: { pods: 3 } });
    expect([...capacity.on('m2')]).toEqual([['pods', 3]]);
  });

  it.each([0, -1])('is none for %i replicas', (replicas) => {
    const capacity = createAssumeCache();
    capacity.add('m1', replicas, { cpu: '1' });
    expect(capacity.assumed()).toEqual({});
  });

  it('has no assumed replicas on a cluster without assignments, and none once they are reported', () => {
    const capacity = createAssumeCache({ m1: { pods: 2 } });
    expect([...capacity.on('m9')]).toEqual([]);
    capacity.clear();
    expect(capacity.assumed()).toEqual({});
  });

  it('goes on from what was promised elsewhere, and leaves that as it is', () => {
    const before = { m1: { pods: 2, cpu: 500 } };
    const capacity = createAssumeCache(before);
    capacity.add('m1', 1, { cpu: '500m' });
    expect(capacity.assumed()).toEqual({ m1: { pods: 3, cpu: 1000 } });
    expect(before).toEqual({ m1: { pods: 2, cpu: 500 } });
  });
});
