/** The contract of the queue operations, for every implementation. Run on the local bus, on SQS's wire protocol and on an emulator of SQS. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { Queues } from '../../shared/bus/queues.ts';

/** What a test acts with besides the port. */
export interface QueuesScene {
  readonly queues: Queues;
  /** Two of them, and whom the first feeds. */
  readonly first: string;
  readonly second: string;
  readonly feeds: string;
  /** As the bus does. */
  send(queue: string, body: string): Promise<void>;
  /** As a function does. */
  giveUp(queue: string, body: string, why: { readonly reason: string; readonly error: string }): Promise<void>;
  /** Takes all that waits there. */
  receive(queue: string): Promise<readonly { readonly body: string; readonly delivery: number }[]>;
}

const why = { reason: 'UnknownHub', error: 'there is no hub x in this deployment (there are: karmada)' };

export function queuesContract(name: string, open: () => Promise<QueuesScene>): void {
  describe(`queues: ${name}`, () => {
    let scene: QueuesScene;
    beforeEach(async () => {
      scene = await open();
    });
    const observation = async (queue: string) => (await scene.queues.statuses()).find((each) => each.name === queue);
    const bodies = async (queue?: string) =>
      (await scene.queues.deadLetters(100, queue)).map(({ body }) => body).toSorted();
    const bodiesIn = async (queue: string) => (await scene.receive(queue)).map(({ body }) => body).toSorted();

    it('shows every queue with whom it feeds, what waits there and its dead letters', async () => {
      const none = { waiting: 0, inFlight: 0, deadLetters: 0 };
      expect(await observation(scene.first)).toEqual({ name: scene.first, function: scene.feeds, ...none });
      await scene.send(scene.first, 'one');
      await scene.send(scene.first, 'two');
      await scene.giveUp(scene.first, 'lost', why);
      expect(await observation(scene.first)).toMatchObject({ waiting: 2, deadLetters: 1 });
      expect(await observation(scene.second)).toMatchObject(none);
    });

    it('shows a dead letter with why it was given up, and since when it lies there', async () => {
      const before = Date.now();
      await scene.giveUp(scene.first, '{"detail-type":"ResyncDue"}', why);
      const [deadLetter, ...others] = await scene.queues.deadLetters(10);
      expect(others).toEqual([]);
      expect(deadLetter).toMatchObject({ queue: scene.first, body: '{"detail-type":"ResyncDue"}', ...why });
      // A clock beside ours may differ by a little.
      expect(Math.abs((deadLetter?.sentAt ?? 0) - before)).toBeLessThan(60_000);
      expect(deadLetter?.id).toMatch(/^.{2,100}$/);
    });

    it('takes none away by looking: each is there at the next look, under the same id', async () => {
      for (const body of ['a', 'b', 'c']) await scene.giveUp(scene.first, body, why);
      const ids = async () => (await scene.queues.deadLetters(100)).map(({ id }) => id);
      const first = new Set(await ids());
      expect(first.size).toBe(3);
      expect(new Set(await ids())).toEqual(first);
      expect(await observation(scene.first)).toMatchObject({ waiting: 0, deadLetters: 3 });
    });

    it('shows those of one queue, and as many as are asked for', async () => {
      for (const body of ['a', 'b', 'c']) await scene.giveUp(scene.first, body, why);
      await scene.giveUp(scene.second, 'd', why);
      expect(await bodies(scene.second)).toEqual(['d']);
      expect(await bodies()).toEqual(['a', 'b', 'c', 'd']);
      expect(await scene.queues.deadLetters(2)).toHaveLength(2);
      expect(await scene.queues.deadLetters(2, scene.first)).toHaveLength(2);
    });

    it('has those delivered again that are named, each on its own queue and as if for the first time', async () => {
      for (const body of ['a', 'b']) await scene.giveUp(scene.first, body, why);
      await scene.giveUp(scene.second, 'c', why);
      const deadLetters = await scene.queues.deadLetters(100);
      const ids = deadLetters.filter(({ body }) => body !== 'b').map(({ id }) => id);
      expect(await scene.queues.redrive({ ids })).toBe(2);
      expect(await scene.receive(scene.first)).toEqual([{ body: 'a', delivery: 1 }]);
      expect(await scene.receive(scene.second)).toEqual([{ body: 'c', delivery: 1 }]);
      expect(await bodies()).toEqual(['b']);
    });

    it('has those of one queue delivered again, or all', async () => {
      for (const body of ['a', 'b']) await scene.giveUp(scene.first, body, why);
      await scene.giveUp(scene.second, 'c', why);
      expect(await scene.queues.redrive({ queue: scene.first })).toBe(2);
      expect(await bodies()).toEqual(['c']);
      expect(await scene.queues.redrive({})).toBe(1);
      expect([await bodiesIn(scene.first), await bodiesIn(scene.second)]).toEqual([['a', 'b'], ['c']]);
      expect(await bodies()).toEqual([]);
    });

    it('has more of them delivered again than one request takes, and loses none', async () => {
      const many = Array.from({ length: 25 }, (_, i) => `letter-${10 + i}`);
      await Promise.all(many.map((body) => scene.giveUp(scene.first, body, why)));
      expect(await bodies()).toEqual(many);
      expect(await scene.queues.redrive({})).toBe(25);
      expect(await bodiesIn(scene.first)).toEqual(many);
    });

    it('delivers a message once that two callers redrive at the same time, and reports it to one of them', async () => {
      await scene.giveUp(scene.first, 'a', why);
      const ids = (await scene.queues.deadLetters(10)).map(({ id }) => id);
      const redriven = await Promise.all([
        scene.queues.redrive({ queue: scene.first, ids }),
        scene.queues.redrive({ queue: scene.first, ids }),
      ]);
      expect(redriven.toSorted()).toEqual([0, 1]);
      expect(await bodiesIn(scene.first)).toEqual(['a']);
    });

    it('takes no ids that are not there any more for an error', async () => {
      await scene.giveUp(scene.first, 'a', why);
      expect(await scene.queues.redrive({ queue: scene.second, ids: ['missing'] })).toBe(0);
      expect(await bodies()).toEqual(['a']);
    });

    it('rejects an unknown queue, and lists the known ones', async () => {
      const wanted = { retryClass: 'terminal', reason: 'UnknownQueue' };
      await expect(scene.queues.deadLetters(1, 'nowhere')).rejects.toMatchObject(wanted);
      await expect(scene.queues.redrive({ queue: 'nowhere' })).rejects.toThrow(
        `there is no queue "nowhere" (there are: ${scene.first}, `,
      );
    });
  });
}
