/** What every descheduling store must do, whatever keeps the rows. Run on memory and on DynamoDB's wire protocol. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { DeschedulingDecision, DeschedulingRun } from '../../shared/descheduling/descheduling.ts';
import type { DeschedulingStore } from '../../shared/descheduling/descheduling-store.ts';
import { at } from '../builders.ts';

let counter = 0;
const LATER = at(3600);

export function deschedulingStoreContract(name: string, open: () => Promise<DeschedulingStore>): void {
  describe(`descheduling store: ${name}`, () => {
    let store: DeschedulingStore;
    beforeAll(async () => {
      store = await open();
    });
    /** A run on a hub of its own. */
    const fresh = (over: Partial<DeschedulingRun> = {}): DeschedulingRun => ({
      hub: `hub-${counter++}`,
      run: 'run-1',
      state: 'Sweeping',
      startedAt: at(0),
      leaseUntil: at(150),
      pendingChunks: [],
      seen: 0,
      candidates: 0,
      moved: 0,
      assumed: {},
      ...over,
    });
    const swept = { seen: 9, candidates: 3, leaseUntil: at(700) };
    const working = async (chunks: readonly number[]) => {
      const run = fresh();
      await store.beginRun(run, at(0));
      expect(await store.endSweep(run, { ...swept, chunks })).toBe(true);
      return run;
    };
    const decision = (hub: string, over: Partial<DeschedulingDecision> = {}): DeschedulingDecision => ({
      hub,
      run: 'run-1',
      binding: { namespace: 'shop', name: 'web-deployment' },
      decidedAt: at(1),
      resourceVersion: '7',
      clusters: [{ name: 'm1', assigned: 5, ready: 2, unschedulable: 3, taken: 3 }],
      next: [{ name: 'm1', replicas: 2 }],
      taken: 3,
      outcome: 'Planned',
      reason: '3 of 3 unschedulable replicas are taken out',
      ...over,
    });

    it('gives the lease of a hub to one of two runs, and shows the other who has it', async () => {
      const one = fresh();
      const both = await Promise.all([store.beginRun(one, at(0)), store.beginRun({ ...one, run: 'run-2' }, at(0))]);
      const holder = await store.readRun(one.hub);
      expect(both.map(({ begun }) => begun).sort()).toEqual([false, true]);
      expect(both.find(({ begun }) => !begun)).toEqual({ begun: false, holder });
    });

    it('gives the lease on when it has run out, and not a moment before', async () => {
      const one = fresh();
      await store.beginRun(one, at(0));
      expect((await store.beginRun({ ...one, run: 'run-2' }, at(149))).begun).toBe(false);
      expect((await store.beginRun({ ...one, run: 'run-2' }, at(150))).begun).toBe(true);
      expect(await store.endSweep(one, { ...swept, chunks: [0] })).toBe(false);
    });

    it('reads back a run as it was begun, and knows none on another hub', async () => {
      const run = fresh({ assumed: { m1: { pods: 2, cpu: 200 } } });
      await store.beginRun(run, at(0));
      expect(await store.readRun(run.hub)).toEqual(run);
      expect(await store.readRun('missing')).toBe(undefined);
    });

    it('ends a sweep once: at work where there are chunks, finished where there are none', async () => {
      const some = await working([0, 1]);
      expect(await store.readRun(some.hub)).toEqual({ ...some, ...swept, state: 'Working', pendingChunks: [0, 1] });
      for (const chunks of [[], [7]]) expect(await store.endSweep(some, { ...swept, chunks })).toBe(false);
      expect(await store.readRun(some.hub)).toMatchObject({ state: 'Working', pendingChunks: [0, 1] });
      const none = await working([]);
      expect(await store.readRun(none.hub)).toEqual({ ...none, ...swept, state: 'Finished', pendingChunks: [] });
      expect((await store.beginRun({ ...none, run: 'run-2' }, at(1))).begun).toBe(true);
    });

    it('takes chunks out one by one, and the last one finishes the run; twice is once', async () => {
      const run = await working([0, 1]);
      expect(await store.completeChunk(run, 0)).toMatchObject({ state: 'Working', pendingChunks: [1] });
      expect(await store.completeChunk(run, 0)).toMatchObject({ state: 'Working', pendingChunks: [1] });
      expect(await store.completeChunk(run, 1)).toMatchObject({ state: 'Finished', pendingChunks: [] });
      expect(await store.completeChunk(run, 1)).toMatchObject({ state: 'Finished', pendingChunks: [] });
      expect(await store.completeChunk({ ...run, run: 'run-0' }, 1)).toBe(undefined);
      expect(await store.completeChunk(fresh(), 1)).toBe(undefined);
    });

    it.each([[[]], [[0]]])(
      'rejects the end of a sweep by a run that is not the hub’s, with chunks %j',
      async (chunks) => {
        const run = fresh();
        await store.beginRun(run, at(0));
        expect(await store.endSweep({ ...run, run: 'run-0' }, { ...swept, chunks })).toBe(false);
        expect(await store.readRun(run.hub)).toEqual(run);
      },
    );

    it('completes no chunk of a newer run, and does not finish it', async () => {
      const chunkOfBoth = 0;
      for (const pendingChunks of [[chunkOfBoth], []]) {
        const newer = fresh({ state: 'Working', pendingChunks });
        await store.beginRun(newer, at(0));
        expect(await store.completeChunk({ ...newer, run: 'run-0' }, chunkOfBoth)).toBe(undefined);
        expect(await store.readRun(newer.hub)).toEqual(newer);
      }
    });

    it('finishes no run whose sweep is under way', async () => {
      const run = fresh();
      await store.beginRun(run, at(0));
      expect(await store.completeChunk(run, 0)).toEqual(run);
    });

    it.each(['Sweeping', 'Finished'] as const)('reserves no replicas for a run that is %s', async (state) => {
      const run = fresh({ state });
      await store.beginRun(run, at(0));
      expect(await store.reserve(run, { before: 0, replicas: 3 }, {})).toBe(false);
      expect(await store.readRun(run.hub)).toEqual(run);
    });

    it('counts what was moved from what the caller saw, and keeps where it is expected', async () => {
      const run = await working([0]);
      const assumed = { m2: { pods: 3, cpu: 300 } };
      expect(await store.reserve(run, { before: 0, replicas: 3 }, assumed)).toBe(true);
      expect(await store.readRun(run.hub)).toMatchObject({ moved: 3, assumed });
      expect(await store.reserve(run, { before: 0, replicas: 1 }, {})).toBe(false);
      expect(await store.reserve({ ...run, run: 'run-0' }, { before: 3, replicas: 1 }, {})).toBe(false);
      expect(await store.readRun(run.hub)).toMatchObject({ moved: 3, assumed });
    });

    it('reads back a chunk as it was written', async () => {
      const { hub, run } = fresh();
      const bindings = [{ namespace: 'shop', name: 'web-deployment' }];
      await store.writeChunk({ hub, run, number: 12, bindings }, LATER);
      expect(await store.readChunk({ hub, run }, 12)).toEqual({ hub, run, number: 12, bindings });
      expect(await store.readChunk({ hub, run }, 1)).toBe(undefined);
    });

    it('lets a decision take the place of the one that was read, and of no other', async () => {
      const { hub } = fresh();
      const first = decision(hub);
      expect(await store.lastDecision(hub, first.binding)).toBe(undefined);
      expect(await store.record(first, undefined, LATER)).toBe(true);
      expect(await store.record(first, undefined, LATER)).toBe(false);
      expect(await store.lastDecision(hub, first.binding)).toEqual(first);
      const second = decision(hub, { run: 'run-2', taken: 1 });
      expect(await store.record(second, 'run-0', LATER)).toBe(false);
      expect(await store.record(second, 'run-1', LATER)).toBe(true);
      expect(await store.lastDecision(hub, first.binding)).toEqual(second);
    });

    it('settles a decision in its place and in the history, and never over a newer one', async () => {
      const { hub } = fresh();
      const first = decision(hub);
      await store.record(first, undefined, LATER);
      expect(await store.decisions(hub, 10)).toEqual([first]);
      await store.settle({ ...first, outcome: 'Written' }, LATER);
      await store.settle({ ...first, outcome: 'Written' }, LATER);
      expect(await store.lastDecision(hub, first.binding)).toEqual({ ...first, outcome: 'Written' });
      expect(await store.decisions(hub, 10)).toEqual([{ ...first, outcome: 'Written' }]);
      const second = decision(hub, { run: 'run-2' });
      await store.record(second, 'run-1', LATER);
      await store.settle({ ...first, outcome: 'Superseded' }, LATER);
      expect(await store.lastDecision(hub, first.binding)).toEqual(second);
    });

    it('returns the decisions of a hub newest first, as many as requested, and none of another hub', async () => {
      const { hub } = fresh();
      const other = fresh();
      await store.beginRun(fresh({ hub }), at(0));
      await store.writeChunk({ hub, run: 'run-1', number: 0, bindings: [] }, LATER);
      for (const run of ['run-1', 'run-3', 'run-2'])
        await store.settle(decision(hub, { run, outcome: 'DryRun' }), LATER);
      await store.settle(decision(other.hub), LATER);
      expect((await store.decisions(hub, 2)).map(({ run }) => run)).toEqual(['run-3', 'run-2']);
      expect(await store.decisions(other.hub, 10)).toHaveLength(1);
      expect((await store.decisions(hub, 10)).map(({ run }) => run)).toEqual(['run-3', 'run-2', 'run-1']);
    });

    it('returns the decisions of a hub from all pages', async () => {
      const { hub } = fresh();
      const runs = ['run-1', 'run-2', 'run-3', 'run-4'];
      for (const run of runs) await store.settle(decision(hub, { run, reason: 'x'.repeat(380_000) }), LATER);
      expect((await store.decisions(hub, 10)).map(({ run }) => run)).toEqual(runs.toReversed());
      expect((await store.decisions(hub, 3)).map(({ run }) => run)).toEqual(['run-4', 'run-3', 'run-2']);
    });
  });
}
