/** What every task store must do, whatever keeps the rows. Run on memory and on DynamoDB's wire protocol. */
import { beforeAll, describe, expect, it, vi } from 'vitest';
import type { RebalanceTask } from '../../shared/model/rebalance-task.ts';
import type { TaskStore } from '../../shared/ports/task-store.ts';
import { at, chunk, deployment, finishedTask, pending, successful, task } from '../builders.ts';

let counter = 0;
/** An index may be behind its table. */
const soon = { timeout: 30_000 };

export function taskStoreContract(name: string, open: () => Promise<TaskStore>): void {
  describe(`task store: ${name}`, () => {
    let store: TaskStore;
    beforeAll(async () => {
      store = await open();
    });
    /** A task nobody else uses. */
    const fresh = (over: Partial<RebalanceTask> = {}) => task({ uid: `uid-${counter++}`, ...over });
    const planned = async (over: Partial<RebalanceTask> = {}) => {
      const subject = fresh(over);
      await store.commitPlan(subject, undefined);
      return subject;
    };

    it('reads back a task as it was written', async () => {
      const subject = await planned({ ttlSecondsAfterFinished: 0 });
      expect(await store.readTask(subject)).toEqual(subject);
    });

    it('knows no task that was never written', async () => {
      expect(await store.readTask({ hub: 'karmada', uid: 'nobody' })).toBeUndefined();
    });

    it('keeps tasks of two hubs apart that have one uid', async () => {
      const subject = await planned();
      expect(await store.readTask({ hub: 'other', uid: subject.uid })).toBeUndefined();
    });

    it('lets one of two planners win, and the other one see it', async () => {
      const subject = fresh();
      const verdicts = await Promise.all([
        store.commitPlan({ ...subject, plan: 'one' }, undefined),
        store.commitPlan({ ...subject, plan: 'two' }, undefined),
      ]);
      expect(verdicts.map(({ verdict }) => verdict).sort()).toEqual(['done', 'stale']);
      const winner = (await store.readTask(subject))?.plan;
      expect(verdicts.map((committed) => committed.task?.plan)).toEqual([winner, winner]);
    });

    it('says already where the same plan is committed twice', async () => {
      const subject = await planned();
      expect((await store.commitPlan(subject, undefined)).verdict).toBe('already');
    });

    it('replaces only the plan that the new one was made from', async () => {
      const subject = await planned();
      expect((await store.commitPlan({ ...subject, plan: 'plan-3' }, 'plan-2')).verdict).toBe('stale');
      expect((await store.commitPlan({ ...subject, plan: 'plan-2', generation: 2 }, 'plan-1')).verdict).toBe('done');
      expect(await store.readTask(subject)).toMatchObject({ plan: 'plan-2', generation: 2 });
    });

    it('forgets a finish time that a new plan does not have', async () => {
      const subject = fresh();
      await store.commitPlan(finishedTask({ uid: subject.uid }), undefined);
      await store.commitPlan({ ...subject, plan: 'plan-2' }, 'plan-1');
      expect(await store.readTask(subject)).toEqual({ ...subject, plan: 'plan-2' });
    });

    it('reads the chunks of a plan in order, and none of another plan', async () => {
      const { uid } = fresh();
      const of = (plan: string, number: number) =>
        chunk([pending(deployment(`w${number}`))], { task: { hub: 'karmada', uid }, plan, number });
      const numbers = Array.from({ length: 12 }, (_, i) => i);
      await store.writeChunks(numbers.map((number) => of('plan-1', number)).reverse(), at(100));
      await store.writeChunks([of('plan-10', 0)], at(100));
      const read = await store.readChunks({ hub: 'karmada', uid, plan: 'plan-1' });
      expect(read.map(({ number }) => number)).toEqual(numbers);
      expect(read[7]).toEqual(of('plan-1', 7));
    });

    it('never writes over a chunk that is there', async () => {
      const { uid } = fresh();
      const first = chunk([pending(deployment('a'))], { task: { hub: 'karmada', uid } });
      await store.writeChunks([first], at(100));
      await store.writeChunks([{ ...first, workloads: [] }], at(100));
      expect(await store.readChunk({ hub: 'karmada', uid, plan: 'plan-1' }, 0)).toEqual(first);
    });

    it('saves a chunk from the version it was read at, once', async () => {
      const { uid } = fresh();
      const first = chunk([pending(deployment('a'))], { task: { hub: 'karmada', uid } });
      await store.writeChunks([first], at(100));
      const next = { ...first, workloads: [successful(deployment('a'))] };
      expect(await store.saveChunk(next)).toBe(true);
      expect(await store.saveChunk(next)).toBe(false);
      expect(await store.readChunk({ hub: 'karmada', uid, plan: 'plan-1' }, 0)).toEqual({ ...next, version: 1 });
    });

    it('does not save a chunk that is not there', async () => {
      expect(await store.saveChunk(chunk([], { task: { hub: 'karmada', uid: 'nobody' } }))).toBe(false);
    });

    it('takes a chunk out of the pending ones and adds its counts once, under redelivery too', async () => {
      const subject = await planned();
      const completion = { number: 0, successful: 2, failed: 1 };
      const first = await store.completeChunk(subject, completion, at(1));
      expect(first).toMatchObject({
        verdict: 'done',
        task: { pendingChunks: [1], successful: 2, failed: 1, updatedAt: at(1) },
      });
      const again = await store.completeChunk(subject, completion, at(2));
      expect(again).toMatchObject({ verdict: 'already', task: { pendingChunks: [1], successful: 2, failed: 1 } });
    });

    it('loses none of 60 chunks that are completed at once', async () => {
      const numbers = Array.from({ length: 60 }, (_, i) => i);
      const subject = await planned({ pendingChunks: numbers });
      const done = await Promise.all(
        numbers.map((number) => store.completeChunk(subject, { number, successful: 1, failed: 0 }, at(1))),
      );
      expect(done.filter(({ task: seen }) => seen?.pendingChunks.length === 0)).toHaveLength(1);
      expect(await store.readTask(subject)).toMatchObject({ pendingChunks: [], successful: 60 });
    });

    it('does not finish while a chunk is pending', async () => {
      const subject = await planned({ pendingChunks: [1] });
      expect((await store.finish(subject, at(3))).verdict).toBe('stale');
    });

    it('finishes once, with the first finish time, in whole seconds', async () => {
      const subject = await planned({ pendingChunks: [] });
      expect((await store.finish(subject, at(3) + 400)).verdict).toBe('done');
      expect((await store.finish(subject, at(9))).verdict).toBe('already');
      expect(await store.readTask(subject)).toMatchObject({ state: 'Finished', finishTime: at(3) });
    });

    it.each([
      [
        'completeChunk',
        (at_: RebalanceTask) => store.completeChunk(at_, { number: 0, successful: 1, failed: 0 }, at(1)),
      ],
      ['finish', (at_: RebalanceTask) => store.finish(at_, at(1))],
      ['abandon', (at_: RebalanceTask) => store.abandon(at_, at(1))],
      ['markReported', (at_: RebalanceTask) => store.markReported(at_, 0, at(1))],
    ] as const)('%s changes nothing where the plan was replaced', async (_, step) => {
      const subject = await planned();
      await store.commitPlan({ ...subject, plan: 'plan-2' }, 'plan-1');
      expect((await step(subject)).verdict).toBe('stale');
      expect(await store.readTask(subject)).toEqual({ ...subject, plan: 'plan-2' });
    });

    it('completes no chunk of an abandoned task', async () => {
      const subject = await planned();
      expect((await store.abandon(subject, at(1))).verdict).toBe('done');
      expect((await store.abandon(subject, at(2))).verdict).toBe('already');
      expect((await store.completeChunk(subject, { number: 0, successful: 1, failed: 0 }, at(3))).verdict).toBe(
        'stale',
      );
    });

    it('keeps what was reported and what is known of the rescheduling', async () => {
      const subject = await planned({ pendingChunks: [] });
      await store.finish(subject, at(3));
      const rescheduling = {
        state: 'Waiting',
        confirmed: 1,
        waitingFor: ['Deployment shop/b'],
        lookedAt: at(20),
      } as const;
      expect((await store.markReported(subject, 0, at(4))).verdict).toBe('done');
      expect((await store.markRescheduling(subject, rescheduling)).verdict).toBe('done');
      expect(await store.readTask(subject)).toMatchObject({ reportedPending: 0, rescheduling, updatedAt: at(20) });
    });

    it('lists the tasks of a hub and no other, the one that changed last first, as a list shows them', async () => {
      const hub = `hub-${counter++}`;
      const first = await planned({ hub, name: 'first', updatedAt: at(1), pendingChunks: [] });
      const second = await planned({ hub, name: 'second', updatedAt: at(2) });
      const third = await planned({ hub, name: 'third', updatedAt: at(3) });
      await planned({ hub: `${hub}-other`, updatedAt: at(9) });
      await store.finish(first, at(5));
      await vi.waitFor(
        async () => expect((await store.recent(hub, 1)).map(({ uid }) => uid)).toEqual([first.uid]),
        soon,
      );
      const listed = await store.recent(hub, 10);
      expect(listed.map(({ name }) => name)).toEqual(['first', 'third', 'second']);
      const { name, uid, generation, workloads, successful, failed } = first;
      const sight = { hub, name, uid, generation, workloads, successful, failed };
      expect(listed[0]).toEqual({ ...sight, state: 'Finished', finishTime: at(5), updatedAt: at(5) });
      expect(Object.keys(listed[2] ?? {}).sort()).toEqual([...Object.keys(sight), 'state', 'updatedAt'].sort());
      expect((await store.recent(hub, 2)).map(({ uid: id }) => id)).toEqual([first.uid, third.uid]);
      expect([second.uid, third.uid].includes(listed[2]?.uid ?? '')).toBe(true);
      expect(await store.recent('nobody', 10)).toEqual([]);
    });

    it('lists more tasks than one page of the table holds', async () => {
      const hub = `hub-${counter++}`;
      const names = Array.from({ length: 30 }, (_, i) => `task-${i}`);
      await Promise.all(names.map((name, i) => planned({ hub, name, updatedAt: at(i) })));
      await vi.waitFor(async () => expect(await store.recent(hub, 100)).toHaveLength(30), soon);
      expect((await store.recent(hub, 25)).map(({ name }) => name)).toEqual(names.toReversed().slice(0, 25));
    });

    it('says of no task that it moved on', async () => {
      expect(await store.finish({ hub: 'karmada', uid: 'nobody', plan: 'p' }, at(1))).toEqual({
        verdict: 'stale',
        task: undefined,
      });
    });
  });
}
