/** Which replicas leave a drained cluster, and what else is written with that. */
import { describe, expect, it } from 'vitest';
import { drainStep } from '../../../functions/workload-rebalancer/drain-workload.ts';
import { deployment, pending } from '../../builders.ts';
import { type BindingParts, clusters, placedBinding } from '../../placed-objects.ts';
import { scheduled } from '../../shared/rebalance-policy/candidates.ts';

const all = clusters({ m1: 9, m2: 9 });
const workload = pending(deployment('web'));
const story: BindingParts = { replicas: 6, current: { m1: 4, m2: 2 }, scheduled };
const step = (parts: BindingParts) =>
  drainStep({ task: { name: 'wave', uid: 'u', drains: 'm1' }, workload, binding: placedBinding(parts) }, 'm1', all);
const result = (parts: BindingParts) => {
  const done = step(parts);
  return done.step === 'Done' ? done.triggered.workload : done.step;
};

describe('a workload of a wave of a drain', () => {
  it('keeps the replicas on other clusters, and has the reduction held for a week', () => {
    const moved = step(story);
    expect(moved).toMatchObject({
      step: 'Move',
      move: {
        what: 'its replicas on m1',
        keep: {
          clusters: [{ name: 'm2', replicas: 2 }],
          drained: 'm1',
          annotations: {
            'evenkeel.dev/replica-reduction-strategy': 'DelayWorkDeletion',
            'evenkeel.dev/replica-reduction-grace-period-seconds': '604800',
            'evenkeel.dev/replica-reduction-strategy-from': 'ClusterDrain of m1',
          },
        },
      },
    });
  });

  it('keeps a strategy of its own, with its grace period', () => {
    const annotations = { 'evenkeel.dev/replica-reduction-strategy': 'DelayWorkDeletion' };
    const binding = placedBinding(story);
    const own = { ...story, metadata: { annotations: { ...binding.metadata.annotations, ...annotations } } };
    expect(step(own)).toMatchObject({ step: 'Move', move: { keep: { annotations: {} } } });
  });

  it.each<[string, BindingParts, object]>([
    [
      'is done when it has none there',
      { ...story, current: { m2: 6 } },
      { result: 'Successful', why: 'it has no replicas on m1' },
    ],
    [
      'is left while its scheduler is about to act',
      { ...story, replicas: 9 },
      { result: 'Failed', reason: 'SchedulingInProgress' },
    ],
    [
      'is left while another cluster gives up its replicas',
      { ...story, spec: { gracefulEvictionTasks: [{ fromCluster: 'm9' }] } },
      { result: 'Failed', reason: 'SchedulingInProgress', why: 'not moved: cluster m9 is giving up replicas' },
    ],
  ])('%s', (_, parts, expected) => {
    expect(result(parts)).toMatchObject(expected);
  });

  it('without a binding is not found', () => {
    const task = { name: 'wave', uid: 'u', drains: 'm1' };
    expect(drainStep({ task, workload, binding: undefined }, 'm1', all)).toMatchObject({
      step: 'Done',
      triggered: { workload: { result: 'Failed', reason: 'ReferencedBindingNotFound' } },
    });
  });
});
