/** What follows the triggers of a chunk. */
import { describe, expect, it } from 'vitest';
import {
  afterChunk,
  afterLastChunk,
  forOurScheduler,
  isLastChunk,
  restOfChunk,
  summarise,
  taskOf,
  triggerTelemetry,
  whyStop,
} from '../../../functions/workload-rebalancer/chunk-progress.ts';
import { storedRow } from '../../../functions/workload-rebalancer/record-results.ts';
import { Fault } from '../../../shared/core/fault.ts';
import { at, chunk, deployment, finishedTask, pending, successful, task } from '../../builders.ts';

const detail = { hub: 'karmada', uid: 'uid-demo', plan: 'plan-1', chunk: 0 };
const [a, b] = [deployment('a'), deployment('b')];
const held = pending(b, { held: { until: at(1), times: 1 } });
const terminal = new Fault('terminal', 'invalid', { reason: 'Invalid' });
const away = new Fault('retryable', 'no answer', { reason: 'HubUnreachable' });

describe('a chunk', () => {
  it.each([
    ['of the current plan is processed', task(), true],
    ['of a replaced plan is left', task({ plan: 'plan-2' }), false],
    ['of an abandoned task is left', task({ state: 'Abandoned' }), false],
    ['without a task is left', undefined, false],
  ])('%s', (_, stored, isProcessed) => {
    expect(taskOf(stored, detail) !== undefined).toBe(isProcessed);
  });

  it.each([
    ['goes on for the planned generation', { uid: 'uid-demo', generation: 1 }, undefined],
    ['stops for another generation', { uid: 'uid-demo', generation: 2 }, false],
    ['abandons the task of another object', { uid: 'other', generation: 1 }, true],
    ['abandons the task of a deleted object', undefined, true],
  ])('%s', (_, identity, abandons) => {
    expect(whyStop(identity, task())?.abandons).toBe(abandons);
  });

  it('needs a row after a concurrent write', () => {
    expect(storedRow(chunk([]), chunk([]))).toEqual(chunk([]));
    expect(() => storedRow(undefined, chunk([]))).toThrow('chunk 0 of plan plan-1 has no row');
  });

  it('publishes its bindings of our scheduler', () => {
    const seen = { resourceVersion: '1', schedulerName: 'evenkeel' };
    const triggered = [{ workload: successful(a), seen }, { workload: successful(b) }];
    expect(forOurScheduler('karmada', triggered).map(({ detail }) => detail.name)).toEqual(['a-deployment']);
  });
});

describe('the rest of a chunk', () => {
  it('is a new message if there was progress', () => {
    const results = [{ ...successful(a), why: 'triggered' }, pending(b)];
    const rest = restOfChunk(detail, task(), { results, faults: [away] });
    expect(rest).toMatchObject({
      reason: '1 triggered; 1 left for a later delivery (chunk 0 goes on: no answer)',
      fields: { chunk: 0, left: 1 },
    });
    expect(rest.events.map(({ type }) => type)).toEqual(['RebalanceProgressed', 'RebalanceChunkPlanned']);
  });

  it.each([
    ['the first fault that may pass', [pending(b)], [terminal, away], 'no answer'],
    [
      'the held triggers before a terminal fault',
      [held],
      [terminal],
      "1 trigger held for a second of the scheduler's clock",
    ],
    ['a terminal fault of one workload', [pending(b)], [terminal], 'invalid'],
    ['a conflict', [pending(b)], [], 'some bindings kept changing under the write'],
  ])('fails the delivery without progress, by %s', (_, results, faults, message) => {
    expect(() => restOfChunk(detail, task(), { results, faults })).toThrow(message);
  });
});

describe('a completed chunk', () => {
  const completion = { number: 1, successful: 2, failed: 0 };
  const fields = { chunk: 1, successful: 2, failed: 0 };
  const stale = { result: 'stale', task: undefined } as const;

  it.each([
    ['is the last one', { result: 'done', task: task({ pendingChunks: [] }) } as const, true],
    ['is the last one again in a redelivery', { result: 'already', task: finishedTask() } as const, true],
    ['is followed by others', { result: 'done', task: task() } as const, false],
    ['is of a replaced plan', stale, false],
  ])('%s', (_, completed, isLast) => {
    expect(isLastChunk(completed)).toBe(isLast);
  });

  it.each([
    ['progress', afterChunk({ result: 'done', task: task() }, completion), ['RebalanceProgressed']],
    ['the finish', afterLastChunk({ result: 'done', task: finishedTask() }, completion), ['RebalanceFinished']],
    ['nothing of a replaced plan', afterLastChunk(stale, completion), []],
  ])('publishes %s', (_, after, types) => {
    expect(after.fields).toEqual(fields);
    expect(after.events.map(({ type }) => type)).toEqual(types);
  });

  it('publishes nothing if the plan was replaced before', () => {
    expect(afterChunk(stale, completion)).toEqual({ reason: 'the plan was replaced', events: [] });
  });
});

it('summarises results by reason', () => {
  const results = [{ ...successful(a), why: 'triggered' }, { ...successful(b), why: 'triggered' }, held, pending(a)];
  expect(summarise(results)).toBe('2 triggered; 1 held for a second; 1 left for a later delivery');
});

describe('the objective of triggers', () => {
  const since = (workload: typeof a, seconds: number) => ({ ...successful(workload), wantedSince: at(seconds) });
  const failed = { ...pending(a), result: 'Failed' } as const;

  it.each([
    ['keeps a trigger of a minute', [pending(a)], [since(a, 0)], ['TriggersInTime 1']],
    [
      'misses one of more',
      [pending(a), pending(b)],
      [since(a, 1), since(b, -1)],
      ['TriggersInTime 1', 'TriggersLate 1'],
    ],
    ['leaves out a workload without a result, and one that failed', [pending(a), pending(b)], [failed, pending(b)], []],
    ['leaves out one that waited for a limit', [pending(a, { why: 'waits: 2 of 2 moves' })], [since(a, -600)], []],
  ])('%s', (_, before, results, sent) => {
    const triggered = results.map((workload) => ({ workload }));
    const entries = triggerTelemetry(before, triggered, at(60));
    expect(entries.flatMap((entry) => ('metric' in entry ? [`${entry.metric} ${entry.value}`] : []))).toEqual(sent);
  });
});
