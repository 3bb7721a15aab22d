import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  afterFinish,
  afterPlan,
  afterTriggers,
  earlierTask,
  isCurrent,
  nextStep,
  onlyOpenChunk,
  planRebalance,
} from '../../../functions/workload-rebalancer/plan-rebalance.ts';
import {
  knownFromStatus,
  knownWorkloads,
  refreshWorkloads,
  withBindings,
} from '../../../functions/workload-rebalancer/refresh-workloads.ts';
import { Fault, HUB_UNREACHABLE } from '../../../shared/core/fault.ts';
import { compareReferences, referenceKey } from '../../../shared/kubernetes/object-reference.ts';
import { listDigestOf, type TaskWorkload } from '../../../shared/workload-rebalancer/rebalance-task.ts';
import {
  at,
  chunk,
  clusterRole,
  deployment,
  deployments,
  failed,
  finishedTask,
  pending,
  rebalancer,
  successful,
  task,
} from '../../builders.ts';

const [a, b, c, d] = [deployment('a'), deployment('b'), deployment('c'), deployment('d')];

function results(workloads: readonly TaskWorkload[]): string[] {
  return workloads.map(({ workload, result }) => `${workload.name}=${result ?? ''}`);
}

describe('refreshing the list of observed workloads', () => {
  it('adds a workload that is new in spec, with no result', () => {
    expect(results(refreshWorkloads(rebalancer({ workloads: [a, b] }), [successful(a)], at(9)))).toEqual([
      'a=Successful',
      'b=',
    ]);
  });

  it('keeps a successful workload that was removed from spec', () => {
    expect(results(refreshWorkloads(rebalancer({ workloads: [b] }), [successful(a), pending(b)], at(9)))).toEqual([
      'a=Successful',
      'b=',
    ]);
  });

  it('keeps the result of a successful workload that was removed and is listed again', () => {
    const removed = refreshWorkloads(rebalancer({ workloads: [b] }), [successful(a), successful(b)], at(9));
    const again = refreshWorkloads(rebalancer({ workloads: [a, b] }), removed, at(99));
    expect(results(again)).toEqual(['a=Successful', 'b=Successful']);
    expect(again[0]?.wantedSince).toBe(successful(a).wantedSince);
  });

  it('drops a workload without result that was removed from spec', () => {
    expect(results(refreshWorkloads(rebalancer({ workloads: [b] }), [pending(a), pending(b)], at(9)))).toEqual(['b=']);
  });

  it('drops a failed workload that was removed from spec', () => {
    expect(results(refreshWorkloads(rebalancer({ workloads: [b] }), [failed(a), pending(b)], at(9)))).toEqual(['b=']);
  });

  it('does not try a failed workload again while it stays in spec', () => {
    expect(results(refreshWorkloads(rebalancer({ workloads: [a] }), [failed(a)], at(9)))).toEqual(['a=Failed']);
  });

  it('takes a modified workload as one removed and one added', () => {
    const renamed = refreshWorkloads(rebalancer({ workloads: [{ ...a, name: 'a2' }] }), [failed(a)], at(9));
    expect(results(renamed)).toEqual(['a2=']);
  });

  it('collapses duplicates', () => {
    expect(results(refreshWorkloads(rebalancer({ workloads: [a, b, { ...a }] }), [], at(9)))).toEqual(['a=', 'b=']);
  });

  it('orders by apiVersion, kind, namespace and name, whatever the order of spec', () => {
    const workloads = [clusterRole('z'), deployment('b', 'x'), deployment('a', 'y'), { ...a, kind: 'DaemonSet' }];
    const ordered = refreshWorkloads(rebalancer({ workloads }), [], at(9)).map(({ workload }) =>
      referenceKey(workload),
    );
    expect(ordered).toEqual([
      'apps/v1 DaemonSet shop a',
      'apps/v1 Deployment x b',
      'apps/v1 Deployment y a',
      'rbac.authorization.k8s.io/v1 ClusterRole  z',
    ]);
  });

  it('gives the same list for any order of spec (a reorder is no action)', () => {
    const all = [a, b, c, d, clusterRole('r')];
    fc.assert(
      fc.property(fc.shuffledSubarray(all, { minLength: all.length }), (workloads) => {
        expect(refreshWorkloads(rebalancer({ workloads }), [successful(a)], at(9))).toEqual(
          refreshWorkloads(rebalancer({ workloads: all }), [successful(a)], at(9)),
        );
      }),
    );
  });

  it('never loses a success and always lists every workload of spec, sorted and once', () => {
    const known = fc.subarray([successful(a), failed(b), pending(c), successful(d)]);
    fc.assert(
      fc.property(fc.array(fc.constantFrom(a, b, c, d), { minLength: 1 }), known, (workloads, before) => {
        const list = refreshWorkloads(rebalancer({ workloads }), before, at(9)).map(({ workload }) => workload);
        const keys = list.map(referenceKey);
        expect(new Set(keys).size).toBe(keys.length);
        expect([...list].sort(compareReferences)).toEqual(list);
        for (const wanted of workloads) expect(keys).toContain(referenceKey(wanted));
        for (const { workload, result } of before)
          if (result === 'Successful') expect(keys).toContain(referenceKey(workload));
      }),
    );
  });
});

describe('since when a workload wants its rescheduling', () => {
  it('is the creation of the object for a workload that was in the list at creation', () => {
    const [first] = refreshWorkloads(
      rebalancer({ creationTimestamp: at(3), changedAt: at(4), workloads: [a] }),
      [],
      at(9),
    );
    expect(first?.wantedSince).toBe(at(3));
  });

  it("is the hub's time of the change for one that an edit added", () => {
    const [, second] = refreshWorkloads(
      rebalancer({ generation: 2, changedAt: at(60), workloads: [a, b] }),
      [successful(a)],
      at(99),
    );
    expect(second?.wantedSince).toBe(at(60));
  });

  it('is the time it is first seen where the hub keeps no managedFields', () => {
    const [, second] = refreshWorkloads(
      rebalancer({ generation: 2, workloads: [a, b] }),
      [successful(a)],
      at(99) + 700,
    );
    expect(second?.wantedSince).toBe(at(99));
  });

  it('stays what it was for a workload known before', () => {
    const [first] = refreshWorkloads(
      rebalancer({ generation: 2, changedAt: at(60), workloads: [a] }),
      [pending(a)],
      at(99),
    );
    expect(first?.wantedSince).toBe(at(0));
  });
});

describe('planning a generation', () => {
  const input = { hub: 'karmada', before: undefined, plan: 'p', chunkSize: 100, historyDays: 30 };
  const many = (n: number) => deployments(n).map((workload) => pending(workload));

  it.each([
    [1, 1],
    [100, 1],
    [101, 2],
    [5000, 50],
  ])('cuts %i workloads into %i chunks and publishes one event for each', (count, chunks) => {
    const plan = planRebalance({ ...input, object: rebalancer(), workloads: many(count) }, at(1));
    expect(plan.chunks.map(({ number }) => number)).toEqual(Array.from({ length: chunks }, (_, i) => i));
    expect(plan.chunks.flatMap((chunk) => chunk.workloads)).toHaveLength(count);
    expect(plan.events.map(({ type, detail }) => `${type} ${detail.chunk}`)).toEqual(
      plan.chunks.map(({ number }) => `RebalanceChunkPlanned ${number}`),
    );
    expect(plan.task).toMatchObject({
      state: 'Running',
      workloads: count,
      pendingChunks: plan.chunks.map(({ number }) => number),
    });
    expect(plan.task.finishTime).toBeUndefined();
  });

  it('has the highest schedulePriority in the first chunks, and otherwise the order of the workloads', () => {
    const seen = { resourceVersion: '1' };
    const workloads = many(202).map((each, index) =>
      index < 200 ? each : { ...each, seen: { ...seen, priority: index === 200 ? 5 : 9 } },
    );
    const { chunks } = planRebalance({ ...input, object: rebalancer(), workloads }, at(1));
    const names = (of: readonly TaskWorkload[]) => of.map(({ workload }) => workload.name);
    expect(chunks.map((chunk) => names(chunk.workloads))).toEqual([
      names([...workloads.slice(201), ...workloads.slice(200, 201), ...workloads.slice(0, 98)]),
      names(workloads.slice(98, 198)),
      names(workloads.slice(198, 200)),
    ]);
  });

  it("leaves the object's version to the first report, unless the object shows the finish of its generation", () => {
    const version = (over: Parameters<typeof rebalancer>[0]) =>
      planRebalance({ ...input, object: rebalancer({ resourceVersion: '8', ...over }), workloads: many(1) }, at(1)).task
        .statusVersion;
    const status = { observedWorkloads: [], observedGeneration: 1, finishTime: at(1) };
    expect([version({}), version({ status, generation: 2 }), version({ status })]).toEqual(['8', '8', undefined]);
  });

  it('restarts no work and moves no finishTime when only the ttl was edited', () => {
    const before = finishedTask({ finishTime: at(5), generation: 1 });
    const object = rebalancer({ generation: 2, ttlSecondsAfterFinished: 60 });
    const plan = planRebalance({ ...input, object, before, workloads: [successful(a)] }, at(50));
    expect(plan.task).toMatchObject({
      state: 'Finished',
      finishTime: at(5),
      pendingChunks: [],
      generation: 2,
      ttlSecondsAfterFinished: 60,
    });
    expect(plan.events.map(({ type }) => type)).toEqual(['RebalanceFinished']);
  });

  it('keeps the finish that the object shows of a generation after that of a task in a restored table', () => {
    const before = finishedTask({ finishTime: at(5), generation: 1 });
    const observedWorkloads = [successful(a)];
    const status = { observedGeneration: 2, finishTime: at(15), observedWorkloads };
    const object = rebalancer({ generation: 3, status });
    const planned = planRebalance({ ...input, object, before, workloads: [successful(a)] }, at(60));
    expect(planned.task.finishTime).toBe(at(15));
  });

  it('keeps the finish that the object shows of the generation before, not a later one of its task', () => {
    const before = finishedTask({ finishTime: at(15), generation: 1 });
    const status = { observedGeneration: 1, finishTime: at(5), observedWorkloads: [successful(a)] };
    const object = rebalancer({ generation: 2, ttlSecondsAfterFinished: 60, status });
    const plan = planRebalance({ ...input, object, before, workloads: [successful(a)] }, at(50));
    expect(plan.task).toMatchObject({ state: 'Finished', finishTime: at(5) });
  });

  it('takes the finish time back when an edit adds a workload (corner case 1)', () => {
    const plan = planRebalance(
      { ...input, object: rebalancer(), before: finishedTask(), workloads: [successful(a), pending(b)] },
      at(50),
    );
    expect(plan.task.state).toBe('Running');
    expect(plan.task.finishTime).toBeUndefined();
  });

  it('finishes at once when an edit drops the last pending workload', () => {
    const plan = planRebalance(
      { ...input, object: rebalancer(), before: task(), workloads: [successful(a)] },
      at(50) + 300,
    );
    expect(plan.task).toMatchObject({ state: 'Finished', finishTime: at(50) });
  });

  it('does not take the finish on the object for its own where an edit came after that one and its work is done', () => {
    // Finished at 5; an edit at 40 added b, which was triggered; before that was reported, the ttl was edited.
    const status = { observedGeneration: 1, finishTime: at(5), observedWorkloads: [] };
    const object = rebalancer({ generation: 3, ttlSecondsAfterFinished: 0, status });
    const before = task({ generation: 2 });
    const plan = planRebalance({ ...input, object, before, workloads: [successful(a), successful(b)] }, at(50));
    expect(plan.task).toMatchObject({ state: 'Finished', finishTime: at(50) });
  });

  it('does not send a chunk whose workloads all have results', () => {
    const workloads = [...many(100).map(({ workload }) => successful(workload)), pending(deployment('x'))];
    const plan = planRebalance({ ...input, object: rebalancer(), workloads }, at(1));
    expect(plan.task).toMatchObject({ pendingChunks: [1], successful: 100 });
  });

  it("keeps the finish time that is on the object when the table's task was lost", () => {
    const object = rebalancer({
      status: { observedGeneration: 1, finishTime: at(5), observedWorkloads: [{ workload: a, result: 'Successful' }] },
    });
    const workloads = refreshWorkloads({ ...object, workloads: [a] }, knownFromStatus(object), at(90));
    expect(planRebalance({ ...input, object, workloads }, at(90)).task).toMatchObject({
      state: 'Finished',
      finishTime: at(5),
    });
  });
});

describe('what comes next', () => {
  it('is nothing where the object is gone', () => {
    expect(nextStep(undefined, undefined).step).toBe('Nothing');
  });

  it('is nothing where the object is being deleted', () => {
    expect(nextStep(rebalancer({ deletionTimestamp: at(1) }), undefined).step).toBe('Nothing');
  });

  it('is an Event of the generation for an object with fields that are not implemented, whatever its task is', () => {
    const object = rebalancer({ generation: 3, unknownFields: ['spec.reschedule'] });
    const what = 'spec.reschedule is not implemented by this version of Evenkeel; remove it, or upgrade';
    const message = `Nothing is rescheduled: ${what}`;
    for (const before of [undefined, task(), finishedTask()])
      expect(nextStep(object, before)).toEqual({
        step: 'Unknown',
        object,
        objectEvent: { type: 'Warning', reason: 'UnknownField', message, id: 'unknown-fields-3' },
        reason: what,
      });
    const several = nextStep(rebalancer({ unknownFields: ['spec.a', 'spec.workloads[].b'] }), undefined);
    expect(several.reason).toMatch(/^spec.a, spec.workloads\[\].b are not implemented .*; remove them, or upgrade$/);
  });

  it.each([
    ['there is no task', undefined],
    ['the generation is newer', task({ generation: 0 })],
    ['the hub was restored from a backup and shows an older generation', task({ generation: 2 })],
    ['the hub was restored, and the generation has another list', task({ listDigest: listDigestOf([a, b]) })],
    ['the task was abandoned', task({ state: 'Abandoned' })],
  ])('is a plan where %s', (_, before) => {
    expect(nextStep(rebalancer(), before).step).toBe('Plan');
  });

  it('publishes only the pending chunks again on a replay', () => {
    const next = nextStep(rebalancer(), task({ chunks: 3, pendingChunks: [0, 2] }));
    expect(next.step === 'Resume' && next.events.map(({ detail }) => detail.chunk)).toEqual([0, 2]);
  });

  it('publishes the finish again for a finished task', () => {
    const next = nextStep(rebalancer(), finishedTask());
    expect(next.step === 'Resume' && next.events.map(({ type }) => type)).toEqual(['RebalanceFinished']);
  });

  it('is the finish where a crash came between the last chunk and it', () => {
    expect(nextStep(rebalancer(), task({ pendingChunks: [] })).step).toBe('Finish');
  });
});

describe('the results of the earlier task', () => {
  const [one, other] = [listDigestOf([a]), listDigestOf([b])];

  it.each([
    ['count for a later generation', rebalancer({ generation: 2, workloads: [a] }), task({ listDigest: other }), true],
    ['count for the same list', rebalancer({ workloads: [a] }), task({ listDigest: one }), true],
    ['count if the task has no digest, as those of older versions', rebalancer({ workloads: [a] }), task(), true],
    [
      'do not count for another list of the generation',
      rebalancer({ workloads: [a] }),
      task({ listDigest: other }),
      false,
    ],
    ['do not count for an older generation', rebalancer({ workloads: [a] }), task({ generation: 2 }), false],
  ])('%s', (_, object, before, counts) => {
    expect(earlierTask(object, before)).toBe(counts ? before : undefined);
  });

  it('depend on no order of the list', () => {
    expect(listDigestOf([a, b, a])).toBe(listDigestOf([b, a]));
  });
});

describe('an older generation than that of the task', () => {
  const [before, older] = [task({ generation: 2 }), rebalancer()];

  it.each([
    ['is read again', older, before, undefined, false],
    ['is read again if the plan changed between the reads', older, before, task({ plan: 'plan-0' }), false],
    ['counts if two reads match', older, before, before, true],
    ['is none of a rebalancer without a task', older, undefined, undefined, true],
    ['is none of a rebalancer that is gone', undefined, undefined, before, true],
  ])('%s', (_, object, stored, known, counts) => {
    expect(isCurrent(object, stored, known)).toBe(counts);
  });
});

describe('after the commit', () => {
  const stale = { result: 'stale', task: undefined } as const;
  const done = { result: 'done', task: task() } as const;
  const plan = { task: task(), chunks: [], events: [], reason: 'planned' };

  it('another plan publishes its own events', () => {
    expect(afterPlan(stale, plan)).toEqual({ reason: 'another plan won; its own events follow', events: [] });
    expect(afterPlan(done, plan)).toEqual({ reason: 'planned', fields: { workloads: 3, chunks: 2 }, events: [] });
  });

  it('the only open chunk is triggered at once, also one beside chunks that are done', () => {
    const chunks = [chunk([successful(a)]), chunk([pending(b)], { number: 1 }), chunk([pending(c)], { number: 2 })];
    const open = (pendingChunks: number[], committed: typeof done | typeof stale = done) =>
      onlyOpenChunk(committed, { ...plan, task: task({ pendingChunks }), chunks })?.number;
    expect([open([1]), open([1, 2]), open([]), open([1], stale)]).toEqual([1, undefined, undefined, undefined]);
  });

  it('its outcome is that of the plan and of its triggers', () => {
    const triggered = { reason: '3 triggered', fields: { chunk: 0, successful: 3 } };
    expect(afterTriggers(plan, triggered)).toEqual({
      reason: 'planned; 3 triggered',
      fields: { workloads: 3, chunks: 2, chunk: 0, successful: 3 },
    });
  });

  it('the finish is published unless the task moved on', () => {
    expect(afterFinish(stale, task())).toEqual({ reason: 'the task moved on', events: [] });
    expect(afterFinish(done, task()).events.map(({ type }) => type)).toEqual(['RebalanceFinished']);
  });
});

describe('the workloads of a plan', () => {
  const away = new Fault('retryable', 'no answer', { reason: HUB_UNREACHABLE });
  const seen = { resourceVersion: '5' };
  const binding = { key: { namespace: 'shop', name: 'a-deployment' }, ...seen };
  const old = pending(b, { seen: { resourceVersion: '1' } });

  it('are those of the rows, or of the status if rows are gone', () => {
    const rows = [chunk([successful(a)])];
    const object = rebalancer({ status: { observedGeneration: 1, observedWorkloads: [failed(b)] } });
    expect(results(knownWorkloads(object, task({ chunks: 1 }), rows))).toEqual(['a=Successful']);
    expect(results(knownWorkloads(object, task({ chunks: 2 }), rows))).toEqual(['b=Failed']);
    expect(results(knownWorkloads(object, undefined, undefined))).toEqual(['b=Failed']);
  });

  it('keep the successes on the object that the rows of a restored table do not have', () => {
    const observedWorkloads = [
      { workload: a, result: 'Successful' as const },
      { workload: c, result: 'Successful' as const },
    ];
    const object = rebalancer({ workloads: [a, b], status: { observedGeneration: 1, observedWorkloads } });
    const rows = [chunk([pending(a), pending(b)])];
    const known = knownWorkloads(object, task({ chunks: 1 }), rows);
    expect(known.map(({ workload, result }) => `${workload.name}=${result}`).sort()).toEqual([
      'a=Successful',
      'b=undefined',
      'c=Successful',
    ]);
  });

  it('get the bindings that were read, and lose older ones', () => {
    const bindingOf = ({ name }: { name: string }) => (name === 'b' ? undefined : binding);
    const workloads = withBindings([pending(a), old, successful(c)], { bindingOf, faults: [away] });
    expect(workloads).toEqual([pending(a, { seen }), pending(b), successful(c)]);
  });

  it('wait for a hub of which nothing could be read', () => {
    expect(() => withBindings([pending(a)], { bindingOf: () => undefined, faults: [away] })).toThrow(away);
  });
});
