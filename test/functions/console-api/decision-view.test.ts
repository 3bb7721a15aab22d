import { describe, expect, it } from 'vitest';
import { decisionView, runAnswer, runView } from '../../../functions/console-api/decision-view.ts';
import { found, noRun, runsOf, runsToRead } from '../../../functions/console-api/run-query.ts';
import type { DeschedulingDecision } from '../../../shared/descheduling/descheduling.ts';
import type { PolicyRun, RunRecord, WorkloadDecision } from '../../../shared/rebalance-policy/policy-run.ts';
import { at, deployment } from '../../builders.ts';

const run: Omit<PolicyRun, 'plan' | 'before'> = {
  run: 'run-1',
  triggers: [{ type: 'ClusterRecovered', cluster: 'member1', uid: 'uid-1', at: at(-300) }],
  state: 'Running',
  message: 'wave 1 of 2 is in flight',
  startedAt: at(0),
  waves: 2,
  wavesDone: 1,
  notBefore: at(0),
  workloads: 3,
  moved: 4,
  skipped: 1,
};
const record = (over: Partial<PolicyRun> = {}): RunRecord => ({
  hub: 'karmada',
  uid: 'uid-failback',
  name: 'failback',
  run: { ...run, ...over },
});
const decided = (name: string, over: Partial<WorkloadDecision> = {}): WorkloadDecision => ({
  workload: deployment(name),
  binding: { namespace: 'shop', name: `${name}-deployment` },
  why: 'member1 recovered',
  current: { member2: 6 },
  next: { member1: 6 },
  moves: 6,
  ...over,
});
const chunk = (number: number, workloads: readonly WorkloadDecision[]) => {
  return { hub: 'karmada', uid: 'uid-failback', run: 'run-1', number, workloads };
};
const shown = (name: string, outcome: string, reason: string) => {
  return { workload: deployment(name), outcome, moves: 6, current: { member2: 6 }, next: { member1: 6 }, reason };
};

describe('a decision of the descheduler', () => {
  it('is shown with its time, its clusters and what is left in each', () => {
    const clusters = [{ name: 'm1', assigned: 5, ready: 2, unschedulable: 3, taken: 3 }];
    const decision: DeschedulingDecision = {
      ...{ hub: 'karmada', run: 'run-1', binding: { namespace: 'shop', name: 'web' }, decidedAt: at(1) },
      ...{ resourceVersion: '7', clusters, next: [{ name: 'm1', replicas: 2 }], taken: 3 },
      ...{ outcome: 'Planned', reason: '3 are taken out' },
    };
    expect(decisionView(decision)).toEqual({
      ...{ run: 'run-1', outcome: 'Planned', taken: 3, reason: '3 are taken out' },
      ...{ decidedAt: '2026-11-21T10:00:01Z', binding: { namespace: 'shop', name: 'web' }, clusters, next: { m1: 2 } },
    });
  });
});

describe('a run of a RebalancePolicy', () => {
  const view = {
    ...{ run: 'run-1', policy: 'failback', state: 'Running', message: 'wave 1 of 2 is in flight' },
    ...{ waves: 2, wavesDone: 1, workloads: 3, moved: 4, skipped: 1, startedAt: '2026-11-21T10:00:00Z' },
    setOffBy: ['ClusterRecovered member1'],
  };

  it('is shown with what set it off, and with its end once it has one', () => {
    expect(runView(record())).toEqual(view);
    expect(runView(record({ finishedAt: at(9) }))).toEqual({ ...view, finishedAt: '2026-11-21T10:00:09Z' });
  });

  it('has its waves counted from 1, and after them what it skipped', () => {
    const waves = [chunk(0, [decided('a', { outcome: 'Moved', reason: 'all are ready' })]), chunk(1, [decided('b')])];
    const skipped = [chunk(0, [decided('c', { outcome: 'Skipped', reason: 'suspended' })])];
    expect(runAnswer(record(), { waves, skipped })).toEqual({
      run: view,
      decisions: [
        { wave: 1, ...shown('a', 'Moved', 'all are ready') },
        { wave: 2, ...shown('b', 'Waiting', 'member1 recovered') },
        shown('c', 'Skipped', 'suspended'),
      ],
    });
  });

  it('reports a workload whose wave never started as not started', () => {
    const { decisions } = runAnswer(record({ state: 'Stopped' }), { waves: [chunk(1, [decided('b')])], skipped: [] });
    expect(decisions.map(({ outcome }) => outcome)).toEqual(['NotBegun']);
  });
});

describe('the runs of a hub', () => {
  it('are those of one policy among many, if it is named', () => {
    const [own, other] = [record(), { ...record(), name: 'other' }];
    expect(runsOf([own, other, own], 1, undefined)).toEqual([own]);
    expect(runsOf([other, own, own], 1, 'failback')).toEqual([own]);
    expect([runsToRead(10, undefined), runsToRead(10, 'failback')]).toEqual([10, 500]);
  });

  it('are not found by an unknown name', () => {
    const missing = noRun('karmada', 'run-9');
    expect(found(record(), missing)).toEqual(record());
    expect(() => found(undefined, missing)).toThrow(missing);
  });
});
