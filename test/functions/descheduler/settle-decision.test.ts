/** How a recorded decision ends. */
import { describe, expect, it } from 'vitest';
import { afterError, afterResponse, resumeDecision } from '../../../functions/descheduler/settle-decision.ts';
import { Fault } from '../../../shared/core/fault.ts';
import type { DeschedulingDecision } from '../../../shared/descheduling/descheduling.ts';
import { at } from '../../builders.ts';
import { type BindingOptions, type Held, placed } from './scene.ts';

const next = [{ name: 'm1', replicas: 2 }];
const planned: DeschedulingDecision = {
  ...{ hub: 'h', run: 'r', binding: { namespace: 'shop', name: 'web-deployment' }, decidedAt: at(1) },
  ...{ resourceVersion: '6', clusters: [], next, taken: 3, outcome: 'Planned', reason: 'why' },
};
const rejected = new Fault('terminal', 'no', { reason: 'Forbidden' });
const evicted: Held = { m1: [2, 2] };
const ours: BindingOptions = { spec: { schedulerName: 'evenkeel' } };

describe('the last decision on a binding', () => {
  it.each([undefined, { ...planned, outcome: 'Written' as const }])('is left if no write of it is open', (last) => {
    expect(resumeDecision(last, placed(evicted))).toEqual({});
  });

  it('is written again if the binding is as it was read', () => {
    const last = { ...planned, resourceVersion: '7' };
    expect(resumeDecision(last, placed({ m1: [5, 2] }))).toEqual({ write: last });
  });

  it.each([
    ['Superseded', 'the binding is gone', undefined],
    ['Written', 'the binding has the new assignment', evicted],
    ['Superseded', 'another client changed the assignment', { m1: [4, 2] } satisfies Held],
    ['Superseded', 'another client added a cluster', { m1: [2, 2], m2: [1, 1] } satisfies Held],
  ] as const)('is %s if %s', (outcome, _, held) => {
    expect(resumeDecision(planned, held && placed(held)).settlement?.decision.outcome).toBe(outcome);
  });
});

describe('the settlement', () => {
  it('publishes an event for our own scheduler, and counts the replicas', () => {
    expect(afterResponse(planned, { result: 'done', object: placed(evicted, ours) })).toMatchObject({
      decision: { outcome: 'Written' },
      events: [{ type: 'BindingChanged', detail: { hub: 'h', namespace: 'shop', name: 'web-deployment' } }],
      telemetry: [{ metric: 'ReplicasDescheduled', value: 3, dimensions: { hub: 'h' } }],
    });
  });

  it('publishes nothing for another scheduler', () => {
    expect(afterResponse(planned, { result: 'done', object: placed(evicted) }).events).toEqual([]);
  });

  it.each(['conflict', 'missing'] as const)('is Superseded after the response %s', (result) => {
    const decision = { ...planned, outcome: 'Superseded' };
    expect(afterResponse(planned, { result })).toEqual({ decision, events: [], telemetry: [] });
  });

  it('withholds a rejected eviction', () => {
    const decision = { ...planned, resourceVersion: '7' };
    expect(afterError(decision, placed({ m1: [5, 2] }), rejected)).toEqual({
      decision: { ...decision, outcome: 'Withheld', reason: 'the write failed: no' },
      events: [],
      telemetry: [],
    });
  });

  it('is Written if only the response was lost', () => {
    const { decision, events } = afterError(planned, placed(evicted, ours), rejected);
    expect([decision.outcome, decision.reason, events.length]).toEqual(['Written', 'why', 1]);
  });
});
