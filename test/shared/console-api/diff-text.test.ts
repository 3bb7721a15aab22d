import { describe, expect, it } from 'vitest';
import { clusterDiffs, diffSummary, diffText } from '../../../shared/console-api/diff-text.ts';
import type { WorkloadDiff } from '../../../shared/console-api/operations/diffs.ts';
import { deployment } from '../../builders.ts';

const workload = { ...deployment('web') };

function diff(over: Partial<WorkloadDiff> = {}): WorkloadDiff {
  const numbers = { before: { m1: 4 }, after: { m1: 1, m2: 3 }, moves: 3 };
  return { workload, outcome: 'Moved', source: 'Recorded', ...numbers, ...over };
}
/** Without placements. */
const only = (outcome: WorkloadDiff['outcome']): WorkloadDiff => ({ workload, outcome, moves: 0 });

describe('the text of a workload', () => {
  it.each([
    ['m1 4→1, m2 0→3', diff()],
    ['m1 4', diff({ outcome: 'Unchanged', after: { m1: 4 } })],
    ['m1 4→1, m2 0→3', diff({ source: 'Planned' })],
    ['m1 4→1, m2 0→3 (planned)', diff({ outcome: 'Pending', source: 'Planned' })],
    ['m1 4→1, m2 0→3 (planned)', diff({ outcome: 'Skipped', source: 'Planned' })],
    ['m1 1, m2 3 (before is not known)', { ...only('Moved'), after: { m1: 1, m2: 3 } }],
    ['none (before is not known)', { ...only('Moved'), after: {} }],
    ['m1 4', { ...only('Pending'), before: { m1: 4 } }],
    ['', only('Rescheduled')],
  ])('is %j', (text, of) => {
    expect(diffText(of)).toBe(text);
  });
});

describe('the clusters of a diff', () => {
  it('have the sums of all workloads, the largest change first, and equal ones by name', () => {
    const more = diff({ before: { m3: 10 }, after: { m3: 10 }, outcome: 'Unchanged' });
    expect(clusterDiffs([diff(), diff({ after: { m2: 4 } }), more])).toEqual([
      { cluster: 'm1', before: 8, after: 1 },
      { cluster: 'm2', before: 0, after: 7 },
      { cluster: 'm3', before: 10, after: 10 },
    ]);
  });

  it('are in the order of their change, whether replicas came or went, and of their names', () => {
    const sums = diff({ before: { m4: 1, m3: 1, m2: 9, m1: 2 }, after: { m4: 3, m3: 3, m2: 2, m1: 12 } });
    expect(clusterDiffs([sums]).map(({ cluster }) => cluster)).toEqual(['m1', 'm2', 'm3', 'm4']);
  });

  it.each<[string, WorkloadDiff, number]>([
    ['recorded, whatever the outcome', diff({ outcome: 'Failed' }), 2],
    ['planned and moved', diff({ source: 'Planned' }), 2],
    ['planned and unchanged', diff({ source: 'Planned', outcome: 'Unchanged' }), 2],
    ['planned and pending', diff({ source: 'Planned', outcome: 'Pending' }), 0],
    ['recorded without the placement before', { ...only('Moved'), source: 'Recorded', after: { m1: 4 } }, 0],
    ['recorded without the placement after', { ...only('Moved'), source: 'Recorded', before: { m1: 4 } }, 0],
  ])('of a workload that is %s are %#', (_, of, clusters) => {
    expect(clusterDiffs([of])).toHaveLength(clusters);
  });

  it('do not count what is only planned, and what is not known', () => {
    const planned = (['Pending', 'Skipped', 'Failed'] as const).map((outcome) => diff({ outcome, source: 'Planned' }));
    const unknown = [only('Rescheduled'), { ...only('Pending'), before: { m1: 4 } }];
    expect(clusterDiffs([...planned, ...unknown])).toEqual([]);
    expect(clusterDiffs([diff({ outcome: 'Failed' }), diff({ source: 'Planned' })])).toHaveLength(2);
  });

  it('may have the names of properties of every object', () => {
    const after = Object.fromEntries([['__proto__', 1]]) as Record<string, number>;
    Object.defineProperty(after, 'constructor', { value: 2, enumerable: true });
    expect(clusterDiffs([diff({ before: {}, after })]).map(({ cluster }) => cluster)).toContain('constructor');
  });
});

describe('the summary', () => {
  it('counts the moved replicas, and the workloads by outcome', () => {
    expect(diffSummary([diff()])).toBe('3 replicas moved in 1 of 1 workload');
    expect(diffSummary([])).toBe('0 replicas moved in 0 of 0 workloads');
    const all = (['Skipped', 'Failed', 'Rescheduled', 'Pending', 'Unchanged', 'Pending'] as const).map(only);
    expect(diffSummary([diff({ moves: 1 }), ...all])).toBe(
      '1 replica moved in 1 of 7 workloads; 1 unchanged, 2 pending, 1 rescheduled without a record, 1 failed, 1 skipped',
    );
    expect(diffSummary([diff({ moves: 1234 })])).toContain('1,234 replicas');
  });
});
