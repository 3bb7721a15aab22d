/** Which moves lose ready-minutes. */
import { describe, expect, it } from 'vitest';
import { followMove } from '../../../functions/placement-history/lost-readiness.ts';
import type { PlacedReplicas, PlacementCause, PlacementRow } from '../../../shared/placement-history/placement-row.ts';
import { at } from '../../builders.ts';

interface State {
  /** Seconds. */
  readonly time: number;
  readonly assigned: PlacedReplicas;
  readonly ready: PlacedReplicas;
  readonly by?: PlacementCause['by'];
  readonly total?: number;
}

function rowOf({ time, assigned, ready, by, total = 4 }: State, version: number): PlacementRow {
  return {
    at: at(time),
    version: String(version),
    lastVersion: String(version),
    binding: { namespace: 'shop', name: 'web-deployment' },
    uid: 'u1',
    workload: { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: 'web' },
    ...{ total, assigned, ready, marks: {} },
    ...(by && { cause: { by } }),
  };
}

/** The metrics that these states send, after one in which four replicas are ready in m1. */
function sentBy(states: readonly State[]): readonly string[] {
  let last = rowOf({ time: 0, assigned: { m1: 4 }, ready: { m1: 4 } }, 1);
  return states.flatMap((state, i) => {
    const { row, telemetry } = followMove(last, rowOf(state, i + 2));
    last = row;
    return telemetry.flatMap((entry) => ('metric' in entry ? [`${entry.metric} ${entry.value}`] : []));
  });
}

const assigned = { m2: 4 };
/** The reports are still those of m1. */
const moved = { time: 10, assigned, ready: { m1: 4 }, by: 'WorkloadRebalancer' } as const;

describe('a move', () => {
  it.each<[string, readonly State[], readonly string[]]>([
    ['that was just made has no result', [moved], []],
    [
      'whose replicas are held until the others are ready loses nothing',
      [moved, { time: 300, assigned, ready: { m1: 4, m2: 4 } }],
      ['MovesWithoutLoss 1'],
    ],
    [
      'that loses one minute of each replica is within the limit',
      [moved, { time: 20, assigned, ready: {} }, { time: 80, assigned, ready: { m2: 4 } }],
      ['MovesWithoutLoss 1'],
    ],
    [
      'that loses more is not',
      [moved, { time: 20, assigned, ready: {} }, { time: 81, assigned, ready: { m2: 4 } }],
      ['MovesWithLoss 1'],
    ],
    [
      'that loses more before it ends counts once',
      [
        moved,
        { time: 20, assigned, ready: {} },
        { time: 200, assigned, ready: { m2: 1 } },
        { time: 400, assigned, ready: { m2: 4 } },
      ],
      ['MovesWithLoss 1'],
    ],
    [
      'that another move continues counts once, with what both lost',
      [
        moved,
        { time: 20, assigned, ready: {} },
        { time: 60, assigned: { m3: 4 }, ready: {}, by: 'Descheduler' },
        { time: 100, assigned: { m3: 4 }, ready: { m3: 4 } },
      ],
      ['MovesWithLoss 1'],
    ],
    [
      'that a user changes has no result',
      [moved, { time: 20, assigned, ready: {} }, { time: 600, assigned: { m3: 4 }, ready: {}, by: 'User' }],
      [],
    ],
    [
      'of a workload that was scaled down meanwhile ends with the replicas that it has',
      [{ time: 20, assigned: { m2: 1 }, ready: { m2: 1 }, total: 1, by: 'RebalancePolicy' }],
      ['MovesWithoutLoss 1'],
    ],
    [
      'by the scheduler alone does not count',
      [
        { ...moved, by: 'Scheduler' },
        { time: 600, assigned, ready: { m2: 4 } },
      ],
      [],
    ],
  ])('%s', (_, states, sent) => {
    expect(sentBy(states)).toEqual(sent);
  });

  it('of unschedulable replicas, none of which was ready, loses nothing', () => {
    const last = rowOf({ time: 0, assigned: { m1: 4 }, ready: { m1: 1 } }, 1);
    const state = { time: 10, assigned: { m1: 1, m2: 3 }, ready: { m1: 1 }, by: 'Descheduler' } as const;
    expect(followMove(last, rowOf(state, 2)).telemetry).toEqual([{ metric: 'MovesWithoutLoss', value: 1 }]);
  });
});
