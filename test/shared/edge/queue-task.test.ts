import type { Context, SQSEvent } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import { backoffSeconds, onQueue, queueTask } from '../../../shared/edge/queue-task.ts';
import { WorkloadRebalancerChanged } from '../../../shared/events/catalogue/workload-rebalancer-changed.ts';
import { Fault } from '../../../shared/model/fault.ts';
import { hubPaused } from '../../../shared/model/hub-pause.ts';
import { parseSettings } from '../../../shared/settings.ts';
import { type Line, recording } from '../../fakes/telemetry.ts';

const context = {} as Context;

function envelope(name: string, over: object = {}): string {
  return JSON.stringify({
    source: 'evenkeel',
    'detail-type': 'WorkloadRebalancerChanged',
    detail: { hub: 'karmada', name, version: 1 },
    ...over,
  });
}

function delivery(bodies: readonly string[], receiveCount = 1): SQSEvent {
  const records = bodies.map((body, i) => ({
    messageId: `m${i}`,
    receiptHandle: `r${i}`,
    body,
    eventSourceARN: 'arn:queue',
    attributes: { ApproximateReceiveCount: String(receiveCount) },
  }));
  return { Records: records } as unknown as SQSEvent;
}

/** A handler whose task records the names it is run for, and fails for those it is told to. */
function scene(faults: Readonly<Record<string, Error>> = {}) {
  const runs: string[] = [];
  const lines: Line[] = [];
  const deadLetters: { body: string; reason: string; message: string }[] = [];
  const again: { id: string; seconds: number }[] = [];
  const handler = onQueue(
    queueTask<{ hub: string; name: string }, never>({
      hears: [WorkloadRebalancerChanged],
      run: async ({ name }) => {
        runs.push(name);
        if (faults[name] !== undefined) throw faults[name];
        return { reason: 'done' };
      },
    }),
    {},
    {
      surroundings: () => ({
        settings: parseSettings({}),
        telemetry: recording(lines),
        now: () => 0,
        newId: () => 'id',
      }),
      sourceQueue: () => ({
        maxReceives: 6,
        deadLetter: async ({ body }, { reason, message }) => void deadLetters.push({ body, reason, message }),
        deliverAgain: async ({ id }, seconds) => void again.push({ id, seconds }),
      }),
    },
  );
  return { runs, lines, deadLetters, again, handle: (event: SQSEvent) => handler(event, context) };
}

describe('a message about a hub that is paused', () => {
  it('is acknowledged and said to be handled, however often it was delivered: resuming finds what it hinted at', async () => {
    const s = scene({ demo: hubPaused('karmada', { since: 0, reason: 'a rollout' }) });
    expect(await s.handle(delivery([envelope('demo')], 6))).toEqual({ batchItemFailures: [] });
    expect([s.deadLetters, s.again]).toEqual([[], []]);
    const reason = 'hub karmada has been paused since 1970-01-01T00:00:00Z (a rollout); resume it first';
    expect(s.lines).toMatchObject([{ code: 'EK000', fields: { name: 'demo', reason } }]);
  });
});

describe('a batch of messages', () => {
  it('runs the task once for the hints of one key', async () => {
    const s = scene();
    expect(await s.handle(delivery([envelope('a'), envelope('b'), envelope('a')]))).toEqual({ batchItemFailures: [] });
    expect(s.runs).toEqual(['a', 'b']);
  });

  it('gives every message of a key back when its run fails', async () => {
    const s = scene({ a: new Error('reset') });
    const { batchItemFailures } = await s.handle(delivery([envelope('a'), envelope('b'), envelope('a')]));
    expect(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier)).toEqual(['m0', 'm2']);
    expect(s.again).toEqual([
      { id: 'm0', seconds: 1 },
      { id: 'm2', seconds: 1 },
    ]);
  });

  it.each([
    ['not JSON', '{', 'not JSON'],
    ['of another type', envelope('a', { 'detail-type': 'Other' }), 'detail-type'],
    ['of another source', envelope('a', { source: 'aws.ec2' }), 'source'],
    ['of another version', envelope('a', { detail: { hub: 'karmada', name: 'a', version: 2 } }), 'version is 2'],
    ['without a name', envelope('a', { detail: { hub: 'karmada', version: 1 } }), 'detail.name'],
    ['with a hub that is no hub name', envelope('a', { detail: { hub: '../x', name: 'a', version: 1 } }), 'hub'],
  ])(
    'sends a message that is %s to the dead letters with its reason, while the rest goes on',
    async (_, poison, says) => {
      const s = scene();
      expect(await s.handle(delivery([poison, envelope('b')]))).toEqual({ batchItemFailures: [] });
      expect(s.runs).toEqual(['b']);
      expect(s.deadLetters).toMatchObject([{ body: poison, reason: 'UnreadableEvent' }]);
      expect(s.deadLetters[0]?.message).toContain(says);
    },
  );

  it('sends what is terminal to the dead letters at the first delivery', async () => {
    const s = scene({ a: new Fault('terminal', 'no such hub', { reason: 'UnknownHub' }) });
    expect(await s.handle(delivery([envelope('a')]))).toEqual({ batchItemFailures: [] });
    expect(s.deadLetters).toMatchObject([{ reason: 'UnknownHub', message: 'no such hub' }]);
    expect(s.lines.map(({ code }) => code)).toEqual(['EK002']);
  });

  it('sends what was delivered as often as may be to the dead letters, with the last reason', async () => {
    const s = scene({ a: new Fault('retryable', 'hub is down', { reason: 'HubUnreachable' }) });
    expect(await s.handle(delivery([envelope('a')], 6))).toEqual({ batchItemFailures: [] });
    expect(s.deadLetters).toMatchObject([{ reason: 'HubUnreachable' }]);
  });

  it('says one line an outcome, with the keys and never the whole message', async () => {
    const s = scene();
    await s.handle(delivery([envelope('a', { secret: 'x' })]));
    expect(s.lines).toEqual([
      { code: 'EK000', fields: { event: 'WorkloadRebalancerChanged', hub: 'karmada', name: 'a', reason: 'done' } },
    ]);
  });
});

describe('backoff', () => {
  const passing = new Fault('retryable', 'x', { reason: 'X' });

  it('doubles from one second to five minutes', () => {
    expect([1, 2, 3, 9, 10, 50].map((count) => backoffSeconds(count, passing))).toEqual([1, 2, 4, 256, 300, 300]);
  });

  it('honours what the other side asked for, up to a quarter of an hour', () => {
    const asked = (retryAfterMs: number) => backoffSeconds(1, new Fault('limited', 'x', { reason: 'X', retryAfterMs }));
    expect([asked(0), asked(30_500), asked(1e9)]).toEqual([1, 31, 900]);
  });
});
