import { describe, expect, it } from 'vitest';
import { workloadRebalancers, writeStatus } from '../../../shared/model/workload-rebalancer.ts';
import { at } from '../../builders.ts';

const metadata = {
  name: 'demo',
  uid: 'u',
  resourceVersion: '5',
  generation: 2,
  creationTimestamp: '2026-11-21T10:00:00Z',
};
const workloads = [{ apiVersion: 'v1', kind: 'Namespace', name: 'x' }];

describe('reading a WorkloadRebalancer', () => {
  it('takes an absent namespace as cluster-scoped', () => {
    expect(workloadRebalancers.parse({ metadata, spec: { workloads } }).workloads[0]?.namespace).toBe('');
  });

  it('tells a ttl of 0 from none', () => {
    expect(
      workloadRebalancers.parse({ metadata, spec: { workloads, ttlSecondsAfterFinished: 0 } }).ttlSecondsAfterFinished,
    ).toBe(0);
    expect(workloadRebalancers.parse({ metadata, spec: { workloads } })).not.toHaveProperty('ttlSecondsAfterFinished');
  });

  it('takes the time of the last change from managedFields, and none of a status write', () => {
    const managedFields = [
      { manager: 'kubectl', operation: 'Update', time: '2026-11-21T10:00:09Z' },
      { manager: 'kubectl', operation: 'Apply', time: '2026-11-21T10:00:04Z' },
      { manager: 'evenkeel', operation: 'Update', subresource: 'status', time: '2026-11-21T10:00:30Z' },
      { manager: 'odd' },
    ];
    expect(workloadRebalancers.parse({ metadata: { ...metadata, managedFields }, spec: { workloads } }).changedAt).toBe(
      at(9),
    );
  });

  it('reads back the status it writes', () => {
    const status = {
      observedWorkloads: [
        { workload: { apiVersion: 'v1', kind: 'Namespace', namespace: '', name: 'x' }, result: 'Successful' as const },
        {
          workload: { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: 'y' },
          result: 'Failed' as const,
          reason: 'ReferencedBindingNotFound' as const,
        },
      ],
      observedGeneration: 2,
      finishTime: at(5),
    };
    const written: unknown = JSON.parse(JSON.stringify(writeStatus(status)));
    expect(workloadRebalancers.parse({ metadata, spec: { workloads }, status: written }).status).toEqual(status);
  });
});
