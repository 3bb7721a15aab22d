/** What every task store must do, whatever keeps the rows. Run on memory and on DynamoDB's wire protocol. */
import { beforeAll, describe, expect, it, vi } from 'vitest';
import type { RebalanceTask } from '../../shared/workload-rebalancer/rebalance-task.ts';
import type { Committed, TaskStore } from '../../shared/workload-rebalancer/task-store.ts';
import { mayTransition, type TransitionName } from '../../shared/workload-rebalancer/task-transitions.ts';
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
    /** A task that no other test uses. */
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
      expect(await store.readTask({ hub: 'karmada', uid: 'missing' })).toBeUndefined();
    });

    it('keeps tasks of two hubs apart that have one uid', async () => {
      const subject = await planned();
      expect(await store.readTask({ hub: 'other', uid: subject.uid })).toBeUndefined();
    });

    it('lets one of two planners win, and the other one see it', async () => {
      const subject = fresh();
      const results = await Promise.all([
        store.commitPlan({ ...subject, plan: 'one' }, undefined),
        store.commitPlan({ ...subject, plan: 'two' }, undefined),
      ]);
      expect(results.map(({ result }) => result).sort()).toEqual(['done', 'stale']);
      const winner = (await store.readTask(subject))?.plan;
      expect(results.map((committed) => committed.task?.plan)).toEqual([winner, winner]);
    });

    it('returns already if the same plan is committed twice', async () => {
      const subject = await planned();
      expect((await store.commitPlan(subject, undefined)).result).toBe('already');
    });

    it('replaces only the plan that the new one was made from', async () => {
      const subject = await planned();
      expect((await store.commitPlan({ ...subject, plan: 'plan-3' }, 'plan-2')).result).toBe('stale');
      expect((await store.commitPlan({ ...subject, plan: 'plan-2', generation: 2 }, 'plan-1')).result).toBe('done');
      expect(await store.readTask(subject)).toMatchObject({ plan: 'plan-2', generation: 2 });
    });

    it('replaces no plan of a task that is gone', async () => {
      expect(await store.commitPlan(fresh(), 'plan-0')).toEqual({ result: 'stale', task: undefined });
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
      await store.writeChunks([of('plan-10', 12)], at(100));
      await store.commitPlan(fresh({ uid }), undefined);
      const read = await store.readChunks({ hub: 'karmada', uid, plan: 'plan-1' });
      expect(read.map(({ number }) => number)).toEqual(numbers);
      expect(read[7]).toEqual(of('plan-1', 7));
      expect(await store.readChunks({ hub: 'karmada', uid, plan: 'plan-10' })).toEqual([of('plan-10', 12)]);
      expect(await store.readChunks({ hub: 'karmada', uid, plan: 'plan-2' })).toEqual([]);
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
      expect(await store.saveChunk(chunk([], { task: { hub: 'karmada', uid: 'missing' } }))).toBe(false);
    });

    it('takes a chunk out of the pending ones and adds its counts once, under redelivery too', async () => {
      const subject = await planned();
      const completion = { number: 0, successful: 2, failed: 1 };
      const first = await store.completeChunk(subject, completion, at(1));
      expect(first).toMatchObject({
        result: 'done',
        task: { pendingChunks: [1], successful: 2, failed: 1, updatedAt: at(1) },
      });
      const again = await store.completeChunk(subject, completion, at(2));
      expect(again).toMatchObject({ result: 'already', task: { pendingChunks: [1], successful: 2, failed: 1 } });
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
      expect((await store.finish(subject, at(3))).result).toBe('stale');
    });

    it('finishes once, with the first finish time, in whole seconds', async () => {
      const subject = await planned({ pendingChunks: [] });
      expect((await store.finish(subject, at(3) + 400)).result).toBe('done');
      expect((await store.finish(subject, at(9))).result).toBe('already');
      expect(await store.readTask(subject)).toMatchObject({ state: 'Finished', finishTime: at(3) });
    });

    const steps: Readonly<Record<Exclude<TransitionName, 'plan'>, (subject: RebalanceTask) => Promise<Committed>>> = {
      completeChunk: (subject) => store.completeChunk(subject, { number: 0, successful: 1, failed: 0 }, at(1)),
      finish: (subject) => store.finish(subject, at(1)),
      abandon: (subject) => store.abandon(subject, at(1)),
      markReported: (subject) => store.markReported(subject, { pending: 0, statusVersion: '9' }, at(1)),
      markProgressed: (subject) => store.markProgressed(subject, at(1)),
      markRescheduling: (subject) =>
        store.markRescheduling(subject, {
          state: 'Confirmed',
          confirmed: 1,
          gone: 0,
          waitingFor: [],
          checkedAt: at(1),
        }),
    };
    /** Every state a task may be in when a step comes to it. */
    const stored = (['Running', 'Finished', 'Abandoned'] as const).flatMap((state) =>
      ['plan-1', 'plan-2'].flatMap((plan) => [[], [0], [1]].map((pendingChunks) => ({ state, plan, pendingChunks }))),
    );

    it.each(Object.keys(steps) as (keyof typeof steps)[])(
      '%s changes a task in the states and at the plan that its transition names, and no other task',
      async (name) => {
        for (const over of stored) {
          const subject = await planned(over);
          const may =
            mayTransition(name, subject, 'plan-1') && (name !== 'completeChunk' || over.pendingChunks.includes(0));
          const { result } = await steps[name]({ ...subject, plan: 'plan-1' });
          expect([over, result === 'done']).toEqual([over, may]);
          const now = await store.readTask(subject);
          if (may) expect(now).not.toEqual(subject);
          else expect(now).toEqual(subject);
        }
      },
    );

    it.each([
      ['completeChunk', 'Running', 'already'],
      ['completeChunk', 'Finished', 'already'],
      ['completeChunk', 'Abandoned', 'stale'],
      ['finish', 'Finished', 'already'],
      ['finish', 'Abandoned', 'stale'],
      ['abandon', 'Abandoned', 'already'],
    ] as const)('answers %s of a task that is %s and has no pending chunk with %s', async (name, state, result) => {
      const subject = await planned({ state, pendingChunks: [] });
      expect(await steps[name](subject)).toEqual({ result, task: subject });
      expect(await steps[name]({ ...subject, plan: 'plan-0' })).toEqual({ result: 'stale', task: subject });
    });

    it('completes no chunk of an abandoned task', async () => {
      const subject = await planned();
      expect((await store.abandon(subject, at(1))).result).toBe('done');
      expect((await store.abandon(subject, at(2))).result).toBe('already');
      expect((await store.completeChunk(subject, { number: 0, successful: 1, failed: 0 }, at(3))).result).toBe('stale');
    });

    it('keeps what was reported and what is known of the rescheduling', async () => {
      const subject = await planned({ pendingChunks: [] });
      await store.finish(subject, at(3));
      const rescheduling = {
        state: 'Waiting',
        confirmed: 1,
        gone: 1,
        waitingFor: ['Deployment shop/b'],
        open: { waiting: [1], unread: [] },
        checkedAt: at(20),
      } as const;
      expect((await store.markReported(subject, { pending: 0, statusVersion: undefined }, at(4))).result).toBe('done');
      expect((await store.markRescheduling(subject, rescheduling)).result).toBe('done');
      expect(await store.readTask(subject)).toMatchObject({ reportedPending: 0, rescheduling, updatedAt: at(20) });
    });

    it("keeps the object's version of a report, until a report has none", async () => {
      const subject = await planned({ statusVersion: '7' });
      await store.markReported(subject, { pending: 1, statusVersion: '9' }, at(4));
      expect(await store.readTask(subject)).toMatchObject({
        reportedPending: 1,
        statusVersion: '9',
        quietSince: at(4),
      });
      await store.markReported(subject, { pending: 0, statusVersion: undefined }, at(5));
      const { statusVersion: _, ...rest } = subject;
      expect(await store.readTask(subject)).toEqual({
        ...rest,
        reportedPending: 0,
        quietSince: at(5),
        updatedAt: at(5),
      });
    });

    it('clears what was reported when a chunk is done in part, so that the next progress is reported', async () => {
      const subject = await planned({ reportedPending: 2, quietSince: at(1) });
      expect((await store.markProgressed(subject, at(7))).result).toBe('done');
      const { reportedPending: _, ...rest } = subject;
      expect(await store.readTask(subject)).toEqual({ ...rest, updatedAt: at(7) });
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
      const observation = { hub, name, uid, generation, workloads, successful, failed };
      expect(listed[0]).toEqual({ ...observation, state: 'Finished', finishTime: at(5), updatedAt: at(5) });
      expect(Object.keys(listed[2] ?? {}).sort()).toEqual([...Object.keys(observation), 'state', 'updatedAt'].sort());
      expect((await store.recent(hub, 2)).map(({ uid: id }) => id)).toEqual([first.uid, third.uid]);
      expect([second.uid, third.uid].includes(listed[2]?.uid ?? '')).toBe(true);
      expect(await store.recent('missing', 10)).toEqual([]);
    });

    it('lists more tasks than one page of the table holds', async () => {
      const hub = `hub-${counter++}`;
      const names = Array.from({ length: 30 }, (_, i) => `task-${i}`);
      await Promise.all(names.map((name, i) => planned({ hub, name, updatedAt: at(i) })));
      await vi.waitFor(async () => expect(await store.recent(hub, 100)).toHaveLength(30), soon);
      expect((await store.recent(hub, 25)).map(({ name }) => name)).toEqual(names.toReversed().slice(0, 25));
    });

    it('keeps when each hub was compared last, and never goes back', async () => {
      const [hub, other] = [`hub-${counter++}`, `hub-${counter++}`];
      expect(await store.comparedAt(hub)).toBeUndefined();
      await store.markCompared(hub, at(5));
      await store.markCompared(hub, at(3));
      await store.markCompared(other, at(9));
      expect([await store.comparedAt(hub), await store.comparedAt(other)]).toEqual([at(5), at(9)]);
      await store.markCompared(hub, at(7));
      expect(await store.comparedAt(hub)).toBe(at(7));
    });

    it('returns stale for the finish of an unknown task', async () => {
      expect(await store.finish({ hub: 'karmada', uid: 'missing', plan: 'p' }, at(1))).toEqual({
        result: 'stale',
        task: undefined,
      });
    });
  });
}
