import type { SQSEvent } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import { LocalBus } from '../../local/bus.ts';
import type { LocalDeadLetter, LocalQueue } from '../../local/queue.ts';
import { createVirtualClock } from '../../local/virtual-clock.ts';
import {
  RebalanceFinished,
  RebalanceProgressed,
  RebalanceReported,
  ResyncDue,
  WorkloadRebalancerChanged,
} from '../../shared/bus/catalogue.ts';
import { Fault } from '../../shared/core/fault.ts';

function scene() {
  const clock = createVirtualClock('2026-11-21T10:00:00Z');
  const deadLetters: LocalDeadLetter[] = [];
  let ids = 0;
  const bus = new LocalBus({
    clock,
    newId: () => `id-${ids++}`,
    maxReceives: 3,
    onDeadLetter: (deadLetter) => deadLetters.push(deadLetter),
  });
  const queue = (name: string): LocalQueue => {
    const found = [...bus.queues.values()].find((candidate) => candidate.name === name);
    if (!found) throw new Error(`no queue ${name}`);
    return found;
  };
  const batches: SQSEvent[] = [];
  /** Collects batches, and fails the messages for which `fails` returns true. */
  const consume = (name: string, fails: (body: string) => boolean = () => false) =>
    queue(name).consume(async (event) => {
      batches.push(event);
      return {
        batchItemFailures: event.Records.filter(({ body }) => fails(body)).map(({ messageId }) => ({
          itemIdentifier: messageId,
        })),
      };
    });
  const pass = async (ms: number) => {
    clock.advance(ms);
    for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
  };
  return { bus, clock, queue, deadLetters, batches, consume, pass };
}

const changed = (name: string) => WorkloadRebalancerChanged.of({ hub: 'karmada', name });
const about = { hub: 'karmada', uid: 'u', name: 'demo' };

describe('a delivery that takes longer than the timeout of its function', () => {
  it('fails at the timeout, is retried, and ends as a dead-letter message with the timeout as its error', async () => {
    const s = scene();
    let begun = 0;
    const never = () => {
      begun += 1;
      return new Promise<never>(() => {});
    };
    s.queue('plan-rebalance').consume(never);
    await s.bus.publish([changed('demo')]);
    await s.pass(59_999);
    expect([begun, s.queue('plan-rebalance').inFlight]).toEqual([1, 1]);
    for (let second = 0; second < 180; second++) await s.pass(1000);
    expect(begun).toBe(3);
    expect(s.deadLetters.map(({ error }) => error)).toEqual([
      'Error: workload-rebalancer/plan-rebalance was ended after 60 s, its timeout',
    ]);
  });

  it('reports the remaining time by the clock of the run', async () => {
    const s = scene();
    const left: number[] = [];
    s.queue('report-finish').consume(async (_, context) => {
      left.push(context.getRemainingTimeInMillis());
      s.clock.after(2000, () => left.push(context.getRemainingTimeInMillis()));
      return { batchItemFailures: [] };
    });
    await s.bus.publish([RebalanceFinished.of(about)]);
    await s.pass(5000);
    expect(left).toEqual([40_000, 38_000]);
  });
});

describe('the bus in process', () => {
  it('puts an event into the queue of every route that consumes it, and into no other', async () => {
    const s = scene();
    await s.bus.publish([RebalanceReported.of(about)]);
    const holding = [...s.bus.queues.values()].filter(({ depth }) => depth > 0).map(({ name }) => name);
    expect(holding).toEqual(['plan-expiry', 'await-rescheduling']);
  });

  it('delivers the envelope of EventBridge in the record of SQS', async () => {
    const s = scene();
    s.consume('plan-rebalance');
    await s.bus.publish([changed('demo')]);
    await s.pass(0);
    const record = s.batches[0]?.Records[0];
    expect(record).toMatchObject({ eventSource: 'aws:sqs', attributes: { ApproximateReceiveCount: '1' } });
    expect(JSON.parse(record?.body ?? '')).toMatchObject({
      source: 'evenkeel',
      'detail-type': 'WorkloadRebalancerChanged',
      detail: { hub: 'karmada', name: 'demo', version: 1 },
    });
  });

  it('delivers a record with every field that SQS sets', async () => {
    const s = scene();
    s.consume('plan-rebalance');
    s.queue('plan-rebalance').send('{}');
    await s.pass(0);
    expect(s.batches).toEqual([
      {
        Records: [
          {
            messageId: 'id-0',
            receiptHandle: 'id-0',
            body: '{}',
            attributes: {
              ApproximateReceiveCount: '1',
              SentTimestamp: '0',
              SenderId: 'local',
              ApproximateFirstReceiveTimestamp: '0',
            },
            messageAttributes: {},
            md5OfBody: '',
            eventSource: 'aws:sqs',
            eventSourceARN: 'arn:aws:sqs:local:000000000000:plan-rebalance',
            awsRegion: 'local',
          },
        ],
      },
    ]);
  });

  it('limits a batch to the batch size of the route', async () => {
    const s = scene();
    s.consume('release-reduction');
    for (let message = 0; message < 101; message++) s.queue('release-reduction').send('{}');
    await s.pass(1000);
    expect(s.batches.map(({ Records }) => Records.length)).toEqual([100, 1]);
  });

  it('redelivers a failed message after one second', async () => {
    const s = scene();
    s.consume('plan-rebalance', () => true);
    s.queue('plan-rebalance').send('{}');
    await s.pass(0);
    await s.pass(999);
    expect(s.batches).toHaveLength(1);
    await s.pass(1);
    expect(s.batches).toHaveLength(2);
  });

  it('collects messages for the batching window of the route, and delivers them as one batch', async () => {
    const s = scene();
    s.consume('report-progress');
    await s.bus.publish(Array.from({ length: 60 }, () => RebalanceProgressed.of(about)));
    await s.pass(14_999);
    expect(s.batches).toEqual([]);
    await s.pass(1);
    expect(s.batches.map(({ Records }) => Records.length)).toEqual([60]);
  });

  it('redelivers only the failed message of a batch', async () => {
    const s = scene();
    let failures = 1;
    s.consume('plan-rebalance', (body) => body.includes('"a"') && failures-- > 0);
    await s.bus.publish([changed('a')]);
    await s.bus.publish([changed('b')]);
    await s.pass(0);
    await s.pass(5000);
    const delivered = s.batches.flatMap(({ Records }) =>
      Records.map(
        ({ body, attributes }) =>
          `${(JSON.parse(body) as { detail: { name: string } }).detail.name}${attributes.ApproximateReceiveCount}`,
      ),
    );
    expect(delivered).toEqual(['a1', 'b1', 'a2']);
  });

  it('moves a message to the dead-letter queue after its last delivery', async () => {
    const s = scene();
    s.consume('plan-rebalance', () => true);
    await s.bus.publish([changed('a')]);
    for (let i = 0; i < 5; i++) await s.pass(2000);
    expect(s.batches).toHaveLength(3);
    expect(s.deadLetters).toMatchObject([{ queue: 'plan-rebalance', reason: 'MaxReceives' }]);
    expect(s.bus.depth).toBe(0);
  });

  it('redelivers after the delay that the function requested', async () => {
    const s = scene();
    const queue = s.queue('plan-rebalance');
    const at: number[] = [];
    const start = s.clock.now();
    queue.consume(async ({ Records: [record] }) => {
      at.push(s.clock.now() - start);
      const message = { id: record?.messageId ?? '', receipt: record?.receiptHandle ?? '', body: '', receiveCount: 1 };
      await queue.deliverAgain(message, 30);
      return { batchItemFailures: [{ itemIdentifier: message.id }] };
    });
    await s.bus.publish([changed('a')]);
    await s.pass(0);
    for (let i = 0; i < 40; i++) await s.pass(1000);
    expect(at).toEqual([0, 30_000]);
  });

  it('treats a function that throws as a failure of its whole batch', async () => {
    const s = scene();
    let deliveries = 0;
    s.queue('plan-rebalance').consume(async () => {
      deliveries += 1;
      throw new Error('out of memory');
    });
    await s.bus.publish([changed('a')]);
    for (let i = 0; i < 5; i++) await s.pass(2000);
    expect(deliveries).toBe(3);
    expect(s.deadLetters).toHaveLength(1);
  });

  it('never exceeds the maximum concurrency of the route', async () => {
    const s = scene();
    let running = 0;
    let most = 0;
    const ends: (() => void)[] = [];
    s.queue('trigger-bindings').consume(async () => {
      running += 1;
      most = Math.max(most, running);
      await new Promise<void>((resolve) => ends.push(resolve));
      running -= 1;
      return { batchItemFailures: [] };
    });
    for (let chunk = 0; chunk < 9; chunk++) s.queue('trigger-bindings').send(`{"chunk":${chunk}}`);
    for (let i = 0; i < 9; i++) {
      ends.shift()?.();
      await s.pass(0);
    }
    expect(most).toBe(4);
  });

  it('delivers the events of a quiet hub before the backlog of another hub, also after they are sent again', async () => {
    const s = scene();
    const hubs: string[] = [];
    const queue = s.queue('resync');
    queue.consume(async ({ Records: [record] }) => {
      const { detail } = JSON.parse(record?.body ?? '') as { readonly detail: { readonly hub: string } };
      hubs.push(detail.hub);
      await new Promise<void>((resolve) => s.clock.after(1000, resolve));
      return { batchItemFailures: [] };
    });
    await s.bus.publish(Array.from({ length: 100 }, () => ResyncDue.of({ hub: 'busy' })));
    for (let second = 0; second < 3; second++) await s.pass(1000);
    const body = JSON.stringify({ detail: { hub: 'sent-again' } });
    await queue.sendAgain({ id: 'm', receipt: 'm', body, receiveCount: 1 }, 'sent-again', 0);
    await s.bus.publish([ResyncDue.of({ hub: 'quiet' })]);
    hubs.length = 0;
    await s.pass(1000);
    expect(hubs.slice(0, 2)).toEqual(['sent-again', 'quiet']);
  });

  it('keeps the reason of a message that the function moves to the dead-letter queue', async () => {
    const s = scene();
    const message = { id: 'm', receipt: 'm', body: '{}', receiveCount: 1 };
    await s.queue('resync').deadLetter(message, new Fault('terminal', 'there is no hub x', { reason: 'UnknownHub' }));
    expect(s.deadLetters).toEqual([{ queue: 'resync', body: '{}', reason: 'UnknownHub', error: 'there is no hub x' }]);
  });
});
