/** Recorded changes in words. */
import { describe, expect, it } from 'vitest';
import { causeText, changeText, clusterChanges } from '../../../shared/console-api/history-text.ts';
import type { ClusterHistoryAnswer, RecordedPlacement } from '../../../shared/console-api/operations/history.ts';
import { deployment } from '../../builders.ts';

function row(over: Partial<RecordedPlacement> = {}): RecordedPlacement {
  const key = { at: '2026-11-21T10:00:00Z', version: '1', total: 4 };
  return { ...key, assigned: { m1: 4 }, ready: {}, cause: { by: 'Scheduler' }, ...over } as RecordedPlacement;
}
/** Of ready replicas only. */
const { cause: _, ...uncaused } = row();

describe('the text of a change', () => {
  it.each<[string, RecordedPlacement, RecordedPlacement | undefined]>([
    ['m1 4→2, m2 0→2', row({ assigned: { m1: 2, m2: 2 } }), row()],
    ['m1 4', row(), undefined],
    ['m1 4', row({ cause: { by: 'FirstRecord' } }), row({ assigned: { m2: 4 } })],
    ['m1 4', row({ cause: { by: 'Created' } }), row({ assigned: { m2: 4 }, gone: true })],
    ['no replicas assigned', row(), row()],
    ['no replicas assigned', row({ assigned: {} }), undefined],
    ['deleted', row({ gone: true }), row()],
    ['ready: m1 1→3', { ...uncaused, ready: { m1: 3 } }, row({ ready: { m1: 1 } })],
    ['ready: m1 3', { ...uncaused, ready: { m1: 3 } }, undefined],
    ['-', { ...uncaused, ready: { m1: 3 } }, row({ ready: { m1: 3 } })],
  ])('is %j', (text, of, before) => {
    expect(changeText({ row: of, before })).toBe(text);
  });
});

describe('the text of a cause', () => {
  it.each([
    ['', undefined],
    ['Scheduler', { by: 'Scheduler' }],
    ['Scheduler (m1 is NotReady)', { by: 'Scheduler', why: 'm1 is NotReady' }],
    ['RebalancePolicy home (r-1)', { by: 'RebalancePolicy', name: 'home', why: 'r-1' }],
  ] as const)('is %j', (text, cause) => {
    expect(causeText(cause)).toBe(text);
  });
});

describe('the changes of a cluster', () => {
  const time = (minute: number) => `2026-11-21T10:${String(minute).padStart(2, '0')}:00Z`;
  const state = (minute: number, of: string, over: object = {}) => ({
    at: time(minute),
    state: of,
    taints: [],
    ...over,
  });
  const move = (minute: number) => {
    const binding = { namespace: 'shop', name: 'web-deployment' };
    return { at: time(minute), binding, workload: { ...deployment('web') }, from: 4, to: 0, cause: { by: 'Eviction' } };
  };
  const changes = (answer: object) => clusterChanges({ states: [], moves: [], ...answer } as ClusterHistoryAnswer);

  it('are states and moves, newest first', () => {
    const states = [state(5, 'Ready'), state(1, 'NotReady')];
    expect(changes({ states, moves: [move(3), move(2)] }).map(({ at, from, to, why }) => [at, from, to, why])).toEqual([
      [time(5), 'NotReady', 'Ready', ''],
      [time(3), '4', '0', 'Eviction'],
      [time(2), '4', '0', 'Eviction'],
      [time(1), undefined, 'NotReady', ''],
    ]);
  });

  it('of one time are in the order in which they are given', () => {
    const all = changes({ states: [state(1, 'Ready')], moves: [move(1)] });
    expect(all.map(({ move: of }) => of === undefined)).toEqual([true, false]);
  });

  it('begin with the state before the range', () => {
    const [first] = changes({ states: [state(5, 'Ready')], before: state(1, 'Cordoned') });
    expect(first?.from).toBe('Cordoned');
  });

  it('have no earlier state where only the taints changed', () => {
    const states = [
      state(5, 'Tainted', { taints: ['a:NoSchedule', 'b:NoExecute'] }),
      state(1, 'Tainted', { taints: ['a:NoSchedule'] }),
    ];
    expect(changes({ states })[0]).toEqual({ at: time(5), to: 'Tainted', why: 'a:NoSchedule, b:NoExecute' });
  });

  it('have the reason of a state before its taints', () => {
    const states = [state(5, 'NotReady', { why: 'Stopped: no lease', taints: ['x:NoExecute'] })];
    expect(changes({ states })[0]?.why).toBe('Stopped: no lease');
  });
});
