/** What each kind of handler does around its task: the log knows the invocation, the ports are made once, and time runs out by the platform's clock. */
import { gzipSync } from 'node:zlib';
import type { Context } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import { ResyncDue } from '../../../shared/bus/catalogue.ts';
import { onOperation } from '../../../shared/console-api/operation-task.ts';
import type { InvocationContext } from '../../../shared/core/invocation.ts';
import { parseSettings } from '../../../shared/core/settings.ts';
import type { Invocation } from '../../../shared/core/telemetry.ts';
import { onHttp } from '../../../shared/runtime/http-task.ts';
import { onLogs } from '../../../shared/runtime/logs-task.ts';
import { timeLeft } from '../../../shared/runtime/moment.ts';
import { onQueue } from '../../../shared/runtime/queue-task.ts';
import { recording } from '../../fakes/telemetry.ts';

let begun: Invocation[] = [];
let made = 0;
let left: number[] = [];
let remembered: number[][] = [];

const context = (): InvocationContext => {
  made += 1;
  const telemetry = { ...recording([]), begin: (invocation: Invocation) => void begun.push(invocation) };
  return { settings: parseSettings({}), telemetry, now: () => 0, newId: () => 'id', timeLeft };
};
const ran = (memory: number[] = []) => {
  memory.push(memory.length);
  remembered.push([...memory]);
  left.push(timeLeft());
};
const remember = (): number[] => [];

const record = {
  messageId: 'm',
  receiptHandle: 'r',
  eventSourceARN: 'arn:q',
  attributes: { ApproximateReceiveCount: '1' },
};
const body = JSON.stringify({ source: 'evenkeel', 'detail-type': 'ResyncDue', detail: { hub: 'karmada', version: 1 } });
const queue = {
  maxReceives: 6,
  deadLetter: async () => undefined,
  deliverAgain: async () => undefined,
  sendAgain: async () => undefined,
};
const log = { messageType: 'DATA_MESSAGE', logGroup: '/hub', logEvents: [{ message: 'a' }] };

const handlers: readonly (readonly [string, (context: Context) => Promise<unknown>])[] = (() => {
  const onMessage = onQueue(
    { consumes: [ResyncDue], run: async () => (ran(), { reason: 'done' }) },
    {},
    { context, sourceQueue: () => queue },
  );
  const onRequest = onHttp(
    { remember, run: async (_, __, memory) => (ran(memory), { status: 200, body: {} }) },
    {},
    { context },
  );
  const onLines = onLogs(
    { remember, run: async (_, __, memory) => ran(memory) },
    {},
    { context, auditLogs: () => ({ hubOf: async () => 'karmada' }) },
  );
  const onCall = onOperation(
    {
      kind: 'practice',
      remember,
      answers: new Proxy({}, { get: () => async (_: object, __: object, memory: number[]) => ran(memory) }) as never,
    },
    {},
    { context },
  );
  const data = gzipSync(JSON.stringify(log)).toString('base64');
  return [
    ['a message', (context) => onMessage({ Records: [{ ...record, body }] } as never, context)],
    ['a request', (context) => onRequest({ headers: {}, rawPath: '' } as never, context)],
    ['a log', (context) => onLines({ awslogs: { data } }, context)],
    ['an operator', (context) => onCall({ operation: 'failCluster', input: { cluster: 'member1' } }, context)],
  ];
})();

describe('a handler', () => {
  it.each(handlers)('of %s logs each invocation, and keeps its ports and its memory', async (name, handle) => {
    [begun, made, left, remembered] = [[], 0, [], []];
    for (const [awsRequestId, ms] of [
      ['r-1', 60_000],
      ['r-2', 50_000],
    ] as const)
      await handle({ functionName: 'evenkeel-f', awsRequestId, getRemainingTimeInMillis: () => ms } as Context);
    expect(begun).toEqual([
      { functionName: 'evenkeel-f', requestId: 'r-1' },
      { functionName: 'evenkeel-f', requestId: 'r-2' },
    ]);
    expect(left).toEqual([60_000, 50_000]);
    expect(made).toBe(1);
    expect(remembered).toEqual(name === 'a message' ? [[0], [0]] : [[0], [0, 1]]);
  });

  it('has no end to its time outside of an invocation', () => {
    expect(timeLeft()).toBe(Number.POSITIVE_INFINITY);
  });
});
