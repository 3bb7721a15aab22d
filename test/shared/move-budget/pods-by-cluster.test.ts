import { expect, it } from 'vitest';
import { podsByCluster } from '../../../shared/move-budget/pods-by-cluster.ts';

it('pods are those that a cluster reports as allocated; one that reports none is left out', () => {
  const clusters = [
    { name: 'm1', resourceSummary: { allocatable: { pods: '110' }, allocated: { pods: '40', cpu: '3' } } },
    { name: 'm2', resourceSummary: { allocatable: { pods: '110' }, allocated: { pods: '0' } } },
    { name: 'm3', resourceSummary: { allocatable: { pods: '110' }, allocated: { cpu: '3' } } },
    { name: 'm4', resourceSummary: { allocatable: { pods: '110' } } },
    { name: 'm5' },
  ];
  expect([...podsByCluster(clusters as Parameters<typeof podsByCluster>[0])]).toEqual([
    ['m1', 40],
    ['m2', 0],
  ]);
});
