/** Which bindings of a sweep become candidates, and which of them are queried. */
import { describe, expect, it } from 'vitest';
import { CandidateSweep } from '../../../functions/descheduler/find-candidates.ts';
import {
  type Asked,
  candidateOf,
  clustersToEstimate,
  queryTelemetry,
  withoutPaused,
} from '../../../functions/descheduler/query-candidates.ts';
import { Fault } from '../../../shared/core/fault.ts';
import { DESCHEDULED_AT, type DeschedulingDecision } from '../../../shared/descheduling/descheduling.ts';
import { RESCHEDULING_POLICY } from '../../../shared/karmada/rescheduling-policy.ts';
import { clustersWith, type Held, placed } from './scene.ts';

const now = Date.parse('2026-11-21T10:00:00Z');
const clusters = clustersWith({ m1: 0, m2: 5, m3: 0 });
const context = { run: 'r', clusters, now, cooldownSeconds: 60 };
const story: Held = { m1: [5, 2], m2: [3, 3], m3: [2, 2] };
const last = (fields: Partial<DeschedulingDecision>) =>
  ({ run: 'earlier', outcome: 'Written', decidedAt: now - 61_000, ...fields }) as DeschedulingDecision;

describe('a binding of a chunk', () => {
  it.each([
    ['is queried', story, undefined, true],
    ['is queried after its cooldown', story, last({}), true],
    ['is skipped during its cooldown', story, last({ decidedAt: now - 59_000 }), false],
    ['is queried soon after a dry run', story, last({ decidedAt: now, outcome: 'DryRun' }), true],
    ['is skipped if this run has decided on it', story, last({ run: 'r' }), false],
    ['is skipped if all replicas are ready', { m1: [5, 5] } satisfies Held, undefined, false],
  ] as const)('%s', (_, held, decision, isQueried) => {
    expect(candidateOf(placed(held), decision, context) !== undefined).toBe(isQueried);
  });

  it('is skipped if it is gone, was rebalanced a short while ago, or its namespace is paused', () => {
    expect(candidateOf(undefined, undefined, context)).toBeUndefined();
    const rebalanced = placed(story, { spec: { rescheduleTriggeredAt: '2026-11-21T08:59:30Z' } });
    expect(candidateOf(rebalanced, undefined, { ...context, cooldownSeconds: 7200 })).toBeUndefined();
    const [shop, blog] = [
      { namespace: 'shop', name: 'web' },
      { namespace: 'blog', name: 'web' },
    ];
    expect(withoutPaused([shop, blog], new Map([['blog', 'Paused']]))).toEqual([shop]);
  });

  it('needs capacity only if a cluster reports unschedulable replicas', () => {
    const binding = placed(story);
    expect(clustersToEstimate(binding, new Map([['m1', 0]]), clusters)).toEqual([]);
    expect(clustersToEstimate(binding, new Map([['m1', 1]]), clusters)).not.toEqual([]);
  });
});

it('logs one line per failed binding and per silent cluster', () => {
  const fault = new Fault('retryable', 'no answer', { reason: 'EstimatorTimeout' });
  const value = { faults: new Map([['m1', fault]]) } as unknown as Asked;
  const item = { namespace: 'shop', name: 'web' };
  expect(queryTelemetry('h', [{ item, value }, { item, value }, { item, fault }, { item }])).toEqual([
    { code: 'EK311', fields: { hub: 'h', binding: 'shop/web', reason: 'EstimatorTimeout', error: 'no answer' } },
    { code: 'EK310', fields: { hub: 'h', cluster: 'm1', reason: 'EstimatorTimeout', error: 'no answer' } },
    { metric: 'EstimatorsSilent', value: 1, dimensions: { hub: 'h' } },
  ]);
  expect(queryTelemetry('h', [{ item }])).toEqual([]);
});

describe('a sweep', () => {
  it('closes a chunk after 50 candidates and at its end, and counts the others', () => {
    const sweep = new CandidateSweep({ annotations: new Map(), switches: new Map(), startedAt: 0 });
    const candidate = placed(story, { annotations: { [RESCHEDULING_POLICY]: 'OnUnschedulable' } });
    const page = (length: number, binding = candidate) => Array.from({ length }, () => binding);
    expect(sweep.add([...page(30), ...page(5, placed(story))])).toEqual([]);
    expect(sweep.add(page(75)).map(({ number, bindings }) => [number, bindings.length])).toEqual([
      [0, 50],
      [1, 50],
    ]);
    expect(sweep.end().map(({ number, bindings }) => [number, bindings.length])).toEqual([[2, 5]]);
    expect(sweep.end()).toEqual([]);
    expect(sweep.totals).toEqual({ seen: 110, candidates: 105, chunks: [0, 1, 2] });
    expect(sweep.outcome.reason).toBe('105 of 110 bindings may have replicas to take out');
  });

  // All deliveries of its chunk may have failed between the write and the record of it.
  it('has a binding without need read again for an hour after replicas were taken out of it', () => {
    const at = Date.parse('2026-11-21T10:00:00Z');
    const candidates = (startedAt: number, policy = 'OnUnschedulable') => {
      const annotations = { [RESCHEDULING_POLICY]: policy, [DESCHEDULED_AT]: '2026-11-21T10:00:00Z' };
      const whole = placed({ m1: [5, 5] }, { annotations });
      const sweep = new CandidateSweep({ annotations: new Map(), switches: new Map(), startedAt });
      sweep.add([whole]);
      return sweep.totals.candidates;
    };
    expect([candidates(at + 3_599_000), candidates(at + 3_600_000), candidates(at, 'Never')]).toEqual([1, 0, 0]);
  });
});
