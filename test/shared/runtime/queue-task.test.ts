import type { Context, SQSEvent } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import { catalogue, RebalanceReported, ResyncDue, WorkloadRebalancerChanged } from '../../../shared/bus/catalogue.ts';
import { type EventDefinition, parseEvent } from '../../../shared/bus/event.ts';
import { Fault } from '../../../shared/core/fault.ts';
import type { Outcome } from '../../../shared/core/invocation.ts';
import { parseSettings } from '../../../shared/core/settings.ts';
import { circuitOpen } from '../../../shared/kubernetes/hub-circuit.ts';
import { hubPaused } from '../../../shared/kubernetes/hub-pause.ts';
import { batchTask, onQueue, queueTask } from '../../../shared/runtime/queue-task.ts';
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

/** A handler whose task records the names that it runs for, and fails for the given ones. */
function scene(
  faults: Readonly<Record<string, Error>> = {},
  timeLeft = () => Number.POSITIVE_INFINITY,
  consumes: readonly EventDefinition<{ hub: string; name?: string }>[] = [WorkloadRebalancerChanged, ResyncDue],
) {
  const runs: string[] = [];
  const lines: Line[] = [];
  const counts: [string, unknown][] = [];
  const deadLetters: { body: string; reason: string; message: string }[] = [];
  const again: { id: string; seconds: number }[] = [];
  const sent: { id: string; hub: string; seconds: number }[] = [];
  const handler = onQueue(
    queueTask<{ hub: string; name?: string }, object>({
      consumes,
      about: ({ name, hub }) => name ?? hub,
      run: async ({ name: given, hub }) => {
        const name = given ?? hub;
        runs.push(name);
        if (faults[name] !== undefined) throw faults[name];
        return { reason: 'done' };
      },
    }),
    {},
    {
      context: () => ({
        settings: parseSettings({}),
        telemetry: { ...recording(lines), count: (metric, _, dimensions) => void counts.push([metric, dimensions]) },
        now: () => 0,
        newId: () => 'id',
        timeLeft,
      }),
      sourceQueue: () => ({
        maxReceives: 6,
        deadLetter: async ({ body }, { reason, message }) => void deadLetters.push({ body, reason, message }),
        deliverAgain: async ({ id }, seconds) => void again.push({ id, seconds }),
        sendAgain: async ({ id }, hub, seconds) => void sent.push({ id, hub, seconds }),
      }),
    },
  );
  return { runs, lines, counts, deadLetters, again, sent, handle: (event: SQSEvent) => handler(event, context) };
}

/** A handler that has this many messages of a hub in flight. */
function limitedTo(hubInFlight: number, run: (detail: { hub: string; name: string }) => Promise<{ reason: string }>) {
  return onQueue(
    queueTask<{ hub: string; name: string }, object>({ consumes: [WorkloadRebalancerChanged], run }),
    {},
    {
      context: () => ({
        settings: parseSettings({ hubInFlight }),
        telemetry: recording([]),
        now: () => 0,
        newId: () => 'id',
        timeLeft: () => Number.POSITIVE_INFINITY,
      }),
      sourceQueue: () => ({
        maxReceives: 6,
        deadLetter: async () => {},
        deliverAgain: async () => {},
        sendAgain: async () => {},
      }),
    },
  );
}

describe('a message about a hub that is paused', () => {
  it('is acknowledged and reported as handled on every delivery: resuming the hub finds the change', async () => {
    const s = scene({ demo: hubPaused('karmada', { since: 0, reason: 'a rollout' }) });
    expect(await s.handle(delivery([envelope('demo')], 6))).toEqual({ batchItemFailures: [] });
    expect([s.deadLetters, s.again]).toEqual([[], []]);
    const reason = 'hub karmada has been paused since 1970-01-01T00:00:00Z (a rollout); resume it first';
    expect(s.lines).toMatchObject([{ code: 'EK000', fields: { name: 'demo', reason } }]);
  });
});

describe('a message about a hub whose circuit is open', () => {
  const open = circuitOpen('karmada', { state: 'Open', openUntil: 7500 }, 0);
  const published = (name: string) => envelope(name, { time: '1970-01-01T00:00:00Z' });

  it('is sent again for the time when the circuit closes, and the delivery is acknowledged: it is no failed one', async () => {
    const s = scene({ demo: open });
    expect(await s.handle(delivery([published('demo'), published('other')], 6))).toEqual({ batchItemFailures: [] });
    expect([s.deadLetters, s.again, s.sent]).toEqual([[], [], [{ id: 'm0', hub: 'karmada', seconds: 8 }]]);
    expect(s.lines.map(({ code }) => code)).toEqual(['EK004', 'EK000']);
  });

  it('is dropped if a schedule publishes it again, and counts neither as expired nor as a dead letter', async () => {
    const s = scene({ karmada: open });
    const due = { source: 'evenkeel', 'detail-type': 'ResyncDue', detail: { hub: 'karmada', version: 1 } };
    expect(await s.handle(delivery([JSON.stringify(due)], 6))).toEqual({ batchItemFailures: [] });
    expect([s.sent, s.again, s.deadLetters, s.counts]).toEqual([[], [], [], []]);
  });
});

describe("an event of a hub's bridge", () => {
  it('is handled if its source belongs to the hub that it names', async () => {
    const s = scene();
    await s.handle(delivery([envelope('demo', { source: 'evenkeel.hub.karmada' })]));
    expect([s.runs, s.deadLetters]).toEqual([['demo'], []]);
  });

  it.each([
    ['another hub', envelope('demo', { source: 'evenkeel.hub.edge' }), 'evenkeel.hub.edge'],
    ['no hub', envelope('demo', { source: 'evenkeel.hub.' }), 'evenkeel.hub.'],
    ['another service', envelope('demo', { source: 'aws.s3' }), 'aws.s3'],
  ])('becomes a dead-letter message if its source is %s', async (_, body, source) => {
    const s = scene();
    await s.handle(delivery([body]));
    const message = `not a WorkloadRebalancerChanged event: source "${source}" does not publish it for this hub`;
    expect([s.runs, s.deadLetters]).toEqual([[], [{ body, reason: 'UnreadableEvent', message }]]);
  });

  it('becomes a dead-letter message if only functions publish events of its type', () => {
    const detail = { hub: 'karmada', name: 'demo', uid: 'u', version: 1 };
    const text = (source: string) => JSON.stringify({ source, 'detail-type': 'RebalanceReported', detail });
    expect(parseEvent([RebalanceReported], text('evenkeel')).detail).toMatchObject({ hub: 'karmada' });
    expect(() => parseEvent([RebalanceReported], text('evenkeel.hub.karmada'))).toThrow(/does not publish it/);
  });
});

describe('an event of a schedule', () => {
  const due = (hub: string) =>
    JSON.stringify({ source: 'evenkeel', 'detail-type': 'ResyncDue', detail: { hub, version: 1 } });

  it.each([
    [
      'the hub is away, delivered as often as may be',
      new Fault('retryable', 'rejected', { reason: 'HubUnreachable' }),
      6,
    ],
    ['it can never be handled', new Fault('terminal', 'no such hub', { reason: 'HubUnknown' }), 1],
  ])('expires where %s: the next one does the same, and no dead letter is left', async (_, fault, receives) => {
    const s = scene({ karmada: fault });
    expect(await s.handle(delivery([due('karmada')], receives))).toEqual({ batchItemFailures: [] });
    expect([s.deadLetters, s.again]).toEqual([[], []]);
    expect(s.lines).toMatchObject([{ code: 'EK003', fields: { event: 'ResyncDue', hub: 'karmada' } }]);
    expect(s.counts).toEqual([['SchedulesExpired', { hub: 'karmada' }]]);
  });

  it('is delivered again before that, as any other', async () => {
    const s = scene({ karmada: new Fault('retryable', 'rejected', { reason: 'HubUnreachable' }) });
    expect(await s.handle(delivery([due('karmada')], 5))).toEqual({ batchItemFailures: [{ itemIdentifier: 'm0' }] });
    expect(s.again).toHaveLength(1);
  });

  it('expires alone if another event about the same key becomes a dead-letter message', async () => {
    const s = scene({ karmada: new Fault('terminal', 'no', { reason: 'Forbidden' }) });
    const event = delivery([due('karmada'), envelope('karmada')], 1);
    expect(await s.handle(event)).toEqual({ batchItemFailures: [] });
    expect(s.deadLetters.map(({ body }) => body)).toEqual([envelope('karmada')]);
  });
});

describe('an invocation whose time is nearly over', () => {
  it('begins no further message, and has those delivered again', async () => {
    let left = 60_000;
    const s = scene({}, () => (left -= 26_000));
    const { batchItemFailures } = await s.handle(delivery([envelope('a'), envelope('b'), envelope('c')]));
    expect(s.runs).toEqual(['a']);
    expect(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier)).toEqual(['m1', 'm2']);
    expect(s.lines.filter(({ code }) => code === 'EK001').map(({ fields }) => fields.reason)).toEqual([
      'DeadlineExceeded',
      'DeadlineExceeded',
    ]);
  });

  it('has at most as many messages begun as requests may be in flight to a hub', async () => {
    let running = 0;
    let most = 0;
    const handler = limitedTo(3, async () => {
      most = Math.max(most, (running += 1));
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      return { reason: 'done' };
    });
    const names = Array.from({ length: 10 }, (_, i) => `r${i}`);
    expect(await handler(delivery(names.map((name) => envelope(name))), context)).toEqual({ batchItemFailures: [] });
    expect(most).toBe(3);
  });
});

describe('a batch of messages of several hubs', () => {
  const of = (hub: string, name: string) => envelope(name, { detail: { hub, name, version: 1 } });

  it('handles those of the other hubs while one hub does not respond', async () => {
    const ended: string[] = [];
    let respond = () => {};
    const responded = new Promise<void>((resolve) => (respond = resolve));
    const handler = limitedTo(1, async ({ hub, name }) => {
      if (hub === 'hangs') await responded;
      ended.push(name);
      return { reason: 'done' };
    });
    const handled = handler(
      delivery([of('hangs', 'a'), of('hangs', 'b'), of('prompt', 'c'), of('prompt', 'd')]),
      context,
    );
    await new Promise((resolve) => setImmediate(resolve));
    expect(ended).toEqual(['c', 'd']);
    respond();
    expect(await handled).toEqual({ batchItemFailures: [] });
    expect(ended).toEqual(['c', 'd', 'a', 'b']);
  });
});

describe('a batch of messages', () => {
  it('runs the task once for the hints of one key', async () => {
    const s = scene();
    expect(await s.handle(delivery([envelope('a'), envelope('b'), envelope('a')]))).toEqual({ batchItemFailures: [] });
    expect(s.runs).toEqual(['a', 'b']);
  });

  it('returns every message of a key when its run fails', async () => {
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
    ['of an older version', envelope('a', { detail: { hub: 'karmada', name: 'a', version: 0 } }), 'version is 0'],
    ['without a version', envelope('a', { detail: { hub: 'karmada', name: 'a' } }), 'version is undefined'],
    ['without a name', envelope('a', { detail: { hub: 'karmada', version: 1 } }), 'detail.name'],
    ['with a hub that is no hub name', envelope('a', { detail: { hub: '../x', name: 'a', version: 1 } }), 'hub'],
  ])(
    'sends a message that is %s to the dead letters with its reason, while the rest goes on',
    async (_, poison, description) => {
      const s = scene();
      expect(await s.handle(delivery([poison, envelope('b')]))).toEqual({ batchItemFailures: [] });
      expect(s.runs).toEqual(['b']);
      expect(s.deadLetters).toMatchObject([{ body: poison, reason: 'UnreadableEvent' }]);
      expect(s.deadLetters[0]?.message).toContain(description);
    },
  );

  it.each(Object.values(catalogue).filter((definition) => !('external' in definition)))(
    'delivers a message of a newer version again, and sends it to the dead letters with a way out at last: $type',
    async (definition) => {
      const newer = JSON.stringify({
        ...{ source: 'evenkeel', 'detail-type': definition.type },
        detail: { hub: 'karmada', version: definition.version + 1 },
      });
      const s = scene({}, undefined, [definition as never]);
      expect(await s.handle(delivery([newer]))).toEqual({ batchItemFailures: [{ itemIdentifier: 'm0' }] });
      expect(s.deadLetters).toEqual([]);
      expect(await s.handle(delivery([newer], 6))).toEqual({ batchItemFailures: [] });
      expect(s.runs).toEqual([]);
      expect(s.deadLetters).toMatchObject([{ body: newer, reason: 'NewerEvent' }]);
      expect(s.deadLetters[0]?.message).toBe(
        `not a ${definition.type} event that this version of Evenkeel knows: detail.version is ${definition.version + 1}, this function reads ${definition.version}; deploy the version of Evenkeel that published it, then redrive the dead-letter messages`,
      );
    },
  );

  it('sends terminal failures to the dead-letter queue at the first delivery', async () => {
    const s = scene({ a: new Fault('terminal', 'its secret is empty', { reason: 'InvalidConnection' }) });
    expect(await s.handle(delivery([envelope('a')]))).toEqual({ batchItemFailures: [] });
    expect(s.deadLetters).toMatchObject([{ reason: 'InvalidConnection', message: 'its secret is empty' }]);
    expect(s.lines.map(({ code }) => code)).toEqual(['EK002']);
  });

  it('sends a message to the dead-letter queue after the maximum number of receives, with the last reason', async () => {
    const s = scene({ a: new Fault('retryable', 'hub is down', { reason: 'HubUnreachable' }) });
    expect(await s.handle(delivery([envelope('a')], 6))).toEqual({ batchItemFailures: [] });
    expect(s.deadLetters).toMatchObject([{ reason: 'HubUnreachable' }]);
  });

  it('logs one line per outcome, with the keys and never the whole message', async () => {
    const s = scene();
    await s.handle(delivery([envelope('a', { secret: 'x' })]));
    expect(s.lines).toEqual([
      { code: 'EK000', fields: { event: 'WorkloadRebalancerChanged', hub: 'karmada', name: 'a', reason: 'done' } },
    ]);
  });
});

describe('a task that handles the events of a hub together', () => {
  type Detail = { hub: string; name: string };
  const of = (hub: string, name: string) => envelope(name, { detail: { hub, name, version: 1 } });
  const failed = new Fault('retryable', 'a conflict', { reason: 'Conflict' });

  function together(
    runTogether: (details: readonly Detail[]) => Promise<readonly (Outcome | Fault)[]>,
    timeLeft = 60_000,
  ) {
    const lines: Line[] = [];
    const again: string[] = [];
    const handler = onQueue(
      batchTask<Detail, object>({ consumes: [WorkloadRebalancerChanged], runTogether }),
      {},
      {
        context: () => ({
          settings: parseSettings({}),
          telemetry: recording(lines),
          now: () => 0,
          newId: () => 'id',
          timeLeft: () => timeLeft,
        }),
        sourceQueue: () => ({
          maxReceives: 6,
          deadLetter: async () => {},
          deliverAgain: async ({ id }) => void again.push(id),
          sendAgain: async () => {},
        }),
      },
    );
    return { lines, again, handle: (event: SQSEvent) => handler(event, context) };
  }

  it('is called once per hub, with each detail once', async () => {
    const calls: (readonly Detail[])[] = [];
    const s = together(async (details) => {
      calls.push(details);
      return details.map(() => ({ reason: 'done' }));
    });
    const bodies = [of('one', 'a'), of('two', 'b'), of('one', 'c'), of('one', 'a')];
    expect(await s.handle(delivery(bodies))).toEqual({ batchItemFailures: [] });
    expect(calls.map((details) => details.map(({ hub, name }) => `${hub}/${name}`))).toEqual([
      ['one/a', 'one/c'],
      ['two/b'],
    ]);
    expect(s.lines.map(({ code, fields }) => [code, fields.name])).toEqual([
      ['EK000', 'a'],
      ['EK000', 'c'],
      ['EK000', 'b'],
    ]);
  });

  it('gives back the messages of a fault, and no other', async () => {
    const s = together(async (details) => details.map(({ name }) => (name === 'b' ? failed : { reason: 'done' })));
    const ended = await s.handle(delivery([of('one', 'a'), of('one', 'b'), of('one', 'c')]));
    expect(ended).toEqual({ batchItemFailures: [{ itemIdentifier: 'm1' }] });
    expect(s.lines.map(({ code }) => code).sort()).toEqual(['EK000', 'EK000', 'EK001']);
  });

  it.each<[string, () => Promise<readonly Outcome[]>, number]>([
    ['throws', () => Promise.reject(failed), 60_000],
    ['returns no outcomes', async () => [], 60_000],
    ['has no time left', async () => [{ reason: 'done' }, { reason: 'done' }], 0],
  ])('gives back all messages of the hub if it %s', async (_, runTogether, timeLeft) => {
    const s = together(runTogether, timeLeft);
    const ended = await s.handle(delivery([of('one', 'a'), of('one', 'b')]));
    expect(ended.batchItemFailures).toEqual([{ itemIdentifier: 'm0' }, { itemIdentifier: 'm1' }]);
    expect(s.again).toEqual(['m0', 'm1']);
  });

  it('acknowledges the messages of a paused hub', async () => {
    const s = together(() => Promise.reject(hubPaused('one', { since: 0, reason: 'a rollout' })));
    expect(await s.handle(delivery([of('one', 'a')]))).toEqual({ batchItemFailures: [] });
    expect(s.lines).toMatchObject([{ code: 'EK000' }]);
  });
});
