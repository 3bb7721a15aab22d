import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { LocalBus } from '../../local/bus.ts';
import { systemClock } from '../../local/clock.ts';
import { DeadLetters } from '../../local/dead-letters.ts';
import { LocalQueues } from '../../local/local-queues.ts';
import { routes } from '../../shared/bus/routes.ts';
import { Fault } from '../../shared/core/fault.ts';
import { type QueuesScene, queuesContract } from '../contracts/queues.contract.ts';

const folder = mkdtempSync(join(tmpdir(), 'evenkeel-queues-'));
afterAll(() => rmSync(folder, { recursive: true }));
let files = 0;

function made(file = join(folder, `${files++}.jsonl`)) {
  let ids = 0;
  const newId = () => `id-${files}-${ids++}`;
  const deadLetters = new DeadLetters({ clock: systemClock, newId, file });
  const onDeadLetter: ConstructorParameters<typeof LocalBus>[0]['onDeadLetter'] = (deadLetter) =>
    deadLetters.add(deadLetter);
  const bus = new LocalBus({ clock: systemClock, newId, maxReceives: 3, onDeadLetter });
  const queue = (name: string) => {
    const found = [...bus.queues.values()].find((each) => each.name === name);
    if (!found) throw new Error(`no queue ${name}`);
    return found;
  };
  return { file, deadLetters, bus, queue, queues: new LocalQueues(bus, deadLetters) };
}

function scene(): QueuesScene {
  const { queue, queues } = made();
  return {
    queues,
    first: 'plan-rebalance',
    second: 'resync',
    feeds: 'workload-rebalancer/plan-rebalance',
    send: async (name, body) => queue(name).send(body),
    giveUp: async (name, body, { reason, error }) =>
      queue(name).deadLetter(
        { id: 'given-up', receipt: 'gone', body, receiveCount: 3 },
        new Fault('terminal', error, { reason }),
      ),
    receive: async (name) => {
      const found: { body: string; delivery: number }[] = [];
      queue(name).consume(async ({ Records }) => {
        found.push(
          ...Records.map(({ body, attributes }) => ({ body, delivery: Number(attributes.ApproximateReceiveCount) })),
        );
        return { batchItemFailures: [] };
      });
      await expect.poll(() => queue(name).depth).toBe(0);
      return found;
    },
  };
}

queuesContract('the bus in process', async () => scene());

describe('the status of a queue of a local run', () => {
  it('counts the messages that are being handled apart from those that wait', async () => {
    const { queue, queues } = made();
    const { maxConcurrency = 0 } = routes.find(({ name }) => name === 'trigger-bindings')?.queue ?? {};
    const handled = Promise.withResolvers<{ batchItemFailures: [] }>();
    queue('trigger-bindings').consume(() => handled.promise);
    for (let i = 0; i < maxConcurrency + 2; i++) queue('trigger-bindings').send('{}');
    const status = async () => (await queues.statuses()).find(({ name }) => name === 'trigger-bindings');
    expect(await status()).toMatchObject({ waiting: 2, inFlight: maxConcurrency });
    handled.resolve({ batchItemFailures: [] });
    await expect.poll(status).toMatchObject({ waiting: 0, inFlight: 0 });
  });
});

const given = { queue: 'resync', body: '{}', reason: 'R', error: 'e' };

describe('dead-letter messages of a local run', () => {
  it('exist after a restart, and are removed from the file when they are redriven', async () => {
    const { deadLetters, file } = made();
    deadLetters.add(given);
    deadLetters.add({ ...given, queue: 'plan-rebalance' });
    const again = made(file);
    expect(again.deadLetters.all).toEqual(deadLetters.all);
    expect(await again.queues.redrive({ queue: 'resync' })).toBe(1);
    expect(made(file).deadLetters.all.map(({ queue }) => queue)).toEqual(['plan-rebalance']);
    expect(readFileSync(file, 'utf8').split('\n')).toHaveLength(2);
  });

  it('of an earlier version without ids get an id that stays', () => {
    const file = join(folder, 'old.jsonl');
    writeFileSync(file, `${JSON.stringify(given)}\n`);
    const [deadLetter] = made(file).deadLetters.all;
    expect(deadLetter).toEqual({ ...given, id: deadLetter?.id });
    expect(made(file).deadLetters.all).toEqual([deadLetter]);
  });

  it('of a removed queue are kept, and not redriven', async () => {
    const { deadLetters, queues } = made();
    deadLetters.add({ ...given, queue: 'of-long-ago' });
    expect(await queues.redrive({})).toBe(0);
    expect(deadLetters.all).toHaveLength(1);
  });

  it('that fail again at once are redriven once', async () => {
    const { deadLetters, queues, queue } = made();
    deadLetters.add(given);
    queue('resync').consume(async ({ Records }) => {
      for (const { messageId, body } of Records)
        await queue('resync').deadLetter(
          { id: messageId, receipt: messageId, body, receiveCount: 1 },
          new Fault('terminal', 'still', { reason: 'R' }),
        );
      return { batchItemFailures: [] };
    });
    expect(await queues.redrive({})).toBe(1);
    await expect.poll(() => deadLetters.all.map(({ error }) => error)).toEqual(['still']);
  });
});
