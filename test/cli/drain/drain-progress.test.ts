import { describe, expect, it } from 'vitest';
import { drainProgress } from '../../../cli/drain/drain-progress.ts';
import { parseClusterDrain } from '../../../shared/rebalance-policy/cluster-drain.ts';

describe('the progress of a drain', () => {
  it.each([
    ['Running', 'wave 2 of 3: 5 workloads not ready yet', 'wave 2 of 3: 5 workloads not ready yet, 7 replicas moved'],
    ['Finished', '7 replicas moved in 1 wave', '7 replicas moved in 1 wave'],
  ])('of a run that is %s has the replicas that were moved once', (state, message, text) => {
    const counts = { waves: 3, wavesDone: 1, workloads: 9, moved: 7, skipped: 0 };
    const lastRun = { name: 'r', triggers: [], state, startedAt: '2026-11-21T10:00:00Z', ...counts };
    const metadata = { name: 'm1', uid: 'u', resourceVersion: '1', creationTimestamp: '2026-11-21T09:00:00Z' };
    const status = { observedGeneration: 1, state: 'Running', message, lastRun };
    expect(drainProgress(parseClusterDrain({ metadata, spec: { cluster: 'm1' }, status }))).toEqual({ text });
  });
});
