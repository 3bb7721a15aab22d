/** What follows a chunk of candidates. */
import { describe, expect, it } from 'vitest';
import { chunkResult, nextChunk, pendingRun, restOfChunk } from '../../../functions/descheduler/chunk-result.ts';
import { newRun, runInProgress } from '../../../functions/descheduler/find-candidates.ts';
import { Fault } from '../../../shared/core/fault.ts';
import { at } from '../../builders.ts';

const key = (name: string) => ({ namespace: 'shop', name });
const bindings = [key('a'), key('b')];
const away = new Fault('retryable', 'no answer', { reason: 'HubUnreachable' });
const invalid = new Fault('terminal', 'invalid', { reason: 'Invalid' });
const run = { ...newRun('h', 'id', at(0)), state: 'Working' as const, moved: 4 };
const chunk = { hub: 'h', run: run.run, chunk: 1 };
const outcome = { reason: 'done', fields: { taken: 2 } };

describe('a delivery of a chunk', () => {
  const [working, key] = [
    { ...run, pendingChunks: [1, 2] },
    { hub: 'h', run: run.run, chunk: 1 },
  ];

  it.each([
    ['of another run ends', { ...working, run: 'other' }, 'the run has ended'],
    ['of a finished run ends', { ...working, state: 'Finished' as const }, 'the run has ended'],
    ['of a run that is gone ends', undefined, 'the run has ended'],
    [
      'that was done publishes the next one',
      { ...working, pendingChunks: [2] },
      'the chunk was done before (1 chunk left)',
    ],
  ])('%s', (_, stored, reason) => {
    expect(pendingRun(stored, key)).toMatchObject({ published: { reason } });
  });

  it('is processed if the chunk is pending', () => {
    expect(pendingRun(working, key)).toEqual({ run: working });
  });
});

describe('the result of a chunk', () => {
  it('leaves bindings with a retryable fault, not those with a terminal one', () => {
    const asked = [{ item: key('a'), fault: away }, { item: key('b'), fault: invalid }, { item: key('c') }];
    expect(chunkResult(asked, { taken: 0, decided: [] }, [])).toEqual({
      outcome: {
        reason: '0 bindings asked about, 0 replicas taken out',
        fields: { taken: 0, decisions: 0, faults: 2 },
      },
      left: [key('a')],
      fault: away,
    });
  });
});

describe('the rest of a chunk', () => {
  it('is nothing if no binding is left', () => {
    expect(restOfChunk(chunk, bindings, { outcome, left: [] })).toBeUndefined();
  });

  it('is the same chunk with the bindings that are left', () => {
    expect(restOfChunk(chunk, bindings, { outcome, left: [key('b')], fault: away })).toMatchObject({
      chunk: { number: 1, bindings: [key('b')] },
      published: {
        reason: 'done (1 binding of the chunk left)',
        fields: { taken: 2 },
        events: [{ type: 'DeschedulingChunkPlanned', detail: chunk }],
      },
    });
  });

  it('fails the delivery if no binding was completed', () => {
    expect(() => restOfChunk(chunk, bindings, { outcome, left: bindings, fault: away })).toThrow(away);
  });
});

describe('the next chunk', () => {
  it.each([
    ['nothing of a run that ended', undefined, 'done', [], { taken: 2 }],
    ['nothing after the last chunk', run, 'done (the last chunk)', [], { taken: 2, moved: 4 }],
    ['one of several', { ...run, pendingChunks: [2, 3] }, 'done (2 chunks left)', [2], { taken: 2, moved: 4 }],
  ])('is %s', (_, stored, reason, chunks, fields) => {
    const next = nextChunk(stored, outcome);
    expect(next).toMatchObject({ reason, fields });
    expect(next.events.map(({ detail }) => detail.chunk)).toEqual(chunks);
  });

  it('is published again by a sweep that finds a run in progress', () => {
    const { reason, events } = runInProgress({ ...run, pendingChunks: [2, 3] });
    expect(reason).toBe(`run ${run.run} is under way, with 2 chunks open`);
    expect(events.map(({ detail }) => detail.chunk)).toEqual([2]);
  });
});
