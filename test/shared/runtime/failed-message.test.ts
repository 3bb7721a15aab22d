import { describe, expect, it } from 'vitest';
import { Fault } from '../../../shared/core/fault.ts';
import { circuitOpen } from '../../../shared/kubernetes/hub-circuit.ts';
import { unknownHub } from '../../../shared/kubernetes/hub-record.ts';
import { backoffSeconds, type FailedMessage, resultOf } from '../../../shared/runtime/failed-message.ts';

const HOUR = 3_600_000;
const removed = unknownHub('edge');
const passing = new Fault('retryable', 'x', { reason: 'X' });
const terminal = new Fault('terminal', 'x', { reason: 'X' });
const open = (ms: number) => circuitOpen('karmada', { state: 'Open', openUntil: ms }, 0);

describe('a message that could not be handled', () => {
  const first = { receiveCount: 1, recurs: false, publishedAt: 0, isOfBridge: false };
  const last = { ...first, receiveCount: 6 };

  it.each<[string, FailedMessage, Fault, number, object]>([
    ['is delivered again', first, passing, 0, { action: 'retry', seconds: 1 }],
    [
      'is delivered again before the last delivery',
      { ...first, receiveCount: 5 },
      passing,
      0,
      { action: 'retry', seconds: 16 },
    ],
    ['is a dead letter after the last', last, passing, 0, { action: 'deadLetter' }],
    ['is a dead letter at once if no retry helps', first, terminal, 0, { action: 'deadLetter' }],
    ['expires after the last delivery if it recurs', { ...last, recurs: true }, passing, 0, { action: 'expire' }],
    ['expires at once if it recurs and no retry helps', { ...first, recurs: true }, terminal, 0, { action: 'expire' }],
    ['waits for its hub, also at the last delivery', last, open(4000), HOUR - 1, { action: 'wait', seconds: 4 }],
    ['waits at most as long as a queue can', first, open(2_000_000), 0, { action: 'wait', seconds: 900 }],
    ['waits for an hour, and then is counted', first, open(4000), HOUR, { action: 'retry', seconds: 4 }],
    ['becomes a dead letter after that', last, open(4000), HOUR, { action: 'deadLetter' }],
    [
      'is counted if nothing states how old it is',
      { ...first, publishedAt: undefined },
      open(4000),
      0,
      { action: 'retry', seconds: 4 },
    ],
    ['is dropped if we published it for a hub that was removed', first, removed, 0, { action: 'drop' }],
    [
      'is a dead letter if a bridge names an unknown hub',
      { ...first, isOfBridge: true },
      removed,
      0,
      { action: 'deadLetter' },
    ],
    [
      'is dropped if it recurs and its hub does not respond',
      { ...last, recurs: true },
      open(4000),
      HOUR,
      { action: 'drop' },
    ],
  ])('%s', (_, message, fault, now, result) => {
    expect(resultOf(message, fault, { maxReceives: 6, now })).toEqual(result);
  });
});

describe('backoff', () => {
  it('doubles from one second to five minutes', () => {
    expect([1, 2, 3, 9, 10, 50].map((count) => backoffSeconds(count, passing))).toEqual([1, 2, 4, 256, 300, 300]);
  });

  it('follows the delay that the server requested, up to a quarter of an hour', () => {
    const asked = (retryAfterMs: number) => backoffSeconds(1, new Fault('limited', 'x', { reason: 'X', retryAfterMs }));
    expect([asked(0), asked(30_500), asked(1e9)]).toEqual([1, 31, 900]);
  });
});
