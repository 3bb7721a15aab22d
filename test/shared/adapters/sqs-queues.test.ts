import { SQSClient } from '@aws-sdk/client-sqs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { queuesContract } from '../../contracts/queues.contract.ts';
import { sqsScene } from '../../contracts/sqs-scene.ts';
import { type FakeSqs, startFakeSqs } from '../../fakes/sqs.ts';

const queue = (name: string) => ({
  name,
  function: `part/${name}`,
  url: `http://sqs/1/${name}`,
  deadLetterUrl: `http://sqs/1/${name}-dead-letters`,
});
const known = [queue('first'), queue('second')] as const;
const [first] = known;

let sqs: FakeSqs;
afterEach(() => sqs.endpoint.close());

async function open() {
  sqs = await startFakeSqs();
  return sqsScene(new SQSClient({ ...sqs.endpoint.config, maxAttempts: 1 }), known);
}

queuesContract('SQS, over the wire', open);

describe('redriving on SQS', () => {
  let scene: Awaited<ReturnType<typeof open>>;
  beforeEach(async () => {
    scene = await open();
    for (const body of ['a', 'b', 'c']) await scene.giveUp('first', body, { reason: 'R', error: 'e' });
  });

  it('loses no letter that could not be sent: it is among the dead letters, and can be redriven at once', async () => {
    sqs.refuse = ({ operation, input }) =>
      operation === 'SendMessage' && input.MessageBody === 'b' ? 'ThrottlingException' : undefined;
    await expect(scene.queues.redrive({})).rejects.toMatchObject({ verdict: 'limited' });
    expect(sqs.bodies(first.deadLetterUrl)).toContain('b');
    sqs.refuse = undefined;
    await scene.queues.redrive({});
    expect([...new Set(sqs.bodies(first.url))].toSorted()).toEqual(['a', 'b', 'c']);
    expect(sqs.bodies(first.deadLetterUrl)).toEqual([]);
  });

  it('sends before it takes away: one that could not be taken away is in both places', async () => {
    sqs.refuse = ({ operation }) => (operation === 'DeleteMessage' ? 'InternalError' : undefined);
    await expect(scene.queues.redrive({})).rejects.toMatchObject({ verdict: 'retryable', reason: 'InternalError' });
    expect(sqs.bodies(first.url)).toContain('a');
    expect(sqs.bodies(first.deadLetterUrl)).toEqual(['a', 'b', 'c']);
  });

  it('sends each once, though its function gives it up again at once', async () => {
    sqs.refuse = ({ operation, input }) => {
      if (operation === 'SendMessage' && input.QueueUrl === first.url)
        void scene.giveUp('first', String(input.MessageBody), { reason: 'R', error: 'again' });
      return undefined;
    };
    expect(await scene.queues.redrive({})).toBe(3);
    expect(sqs.bodies(first.url).toSorted()).toEqual(['a', 'b', 'c']);
  });

  it('gives those back that it looked at and were not meant', async () => {
    const [letter] = await scene.queues.deadLetters(1);
    await scene.queues.redrive({ queue: 'first', ids: [letter?.id ?? ''] });
    expect(await scene.queues.sights()).toMatchObject([{ waiting: 1, deadLetters: 2 }, { deadLetters: 0 }]);
    expect(await scene.queues.deadLetters(10)).toHaveLength(2);
  });

  it('says with the verdict of AWS why a queue cannot be looked at', async () => {
    sqs.refuse = () => 'AccessDenied';
    await expect(scene.queues.sights()).rejects.toThrow(/^SQS: AccessDenied/);
  });
});
