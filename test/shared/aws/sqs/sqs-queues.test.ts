import { SQSClient } from '@aws-sdk/client-sqs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { queuesContract } from '../../../contracts/queues.contract.ts';
import { sqsScene } from '../../../contracts/sqs-scene.ts';
import { type FakeSqs, startFakeSqs } from '../../../fakes/sqs.ts';

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

  it('keeps a message that could not be sent: it stays a dead-letter message, and can be redriven at once', async () => {
    sqs.reject = ({ operation, input }) =>
      operation === 'SendMessage' && input.MessageBody === 'b' ? 'ThrottlingException' : undefined;
    await expect(scene.queues.redrive({})).rejects.toMatchObject({ retryClass: 'limited' });
    expect(sqs.bodies(first.deadLetterUrl)).toContain('b');
    sqs.reject = undefined;
    await scene.queues.redrive({});
    expect([...new Set(sqs.bodies(first.url))].toSorted()).toEqual(['a', 'b', 'c']);
    expect(sqs.bodies(first.deadLetterUrl)).toEqual([]);
  });

  it('sends before it deletes: a message that could not be deleted is in both queues', async () => {
    sqs.reject = ({ operation }) => (operation === 'DeleteMessage' ? 'InternalError' : undefined);
    await expect(scene.queues.redrive({})).rejects.toMatchObject({ retryClass: 'retryable', reason: 'InternalError' });
    expect(sqs.bodies(first.url)).toContain('a');
    expect(sqs.bodies(first.deadLetterUrl)).toEqual(['a', 'b', 'c']);
  });

  it('sends each message once, even if its function dead-letters it again at once', async () => {
    sqs.reject = ({ operation, input }) => {
      if (operation === 'SendMessage' && input.QueueUrl === first.url)
        void scene.giveUp('first', String(input.MessageBody), { reason: 'R', error: 'again' });
      return undefined;
    };
    expect(await scene.queues.redrive({})).toBe(3);
    expect(sqs.bodies(first.url).toSorted()).toEqual(['a', 'b', 'c']);
  });

  it('returns messages that were read but not selected', async () => {
    const [deadLetter] = await scene.queues.deadLetters(1);
    await scene.queues.redrive({ queue: 'first', ids: [deadLetter?.id ?? ''] });
    expect(await scene.queues.statuses()).toMatchObject([{ waiting: 1, deadLetters: 2 }, { deadLetters: 0 }]);
    expect(await scene.queues.deadLetters(10)).toHaveLength(2);
  });

  it('reports the error of AWS if a queue cannot be read', async () => {
    sqs.reject = () => 'AccessDenied';
    await expect(scene.queues.statuses()).rejects.toThrow(/^SQS: AccessDenied/);
  });
});
