import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyPatch } from '../../../shared/admission/apply-patch.ts';
import { compileMutation } from '../../../shared/admission/evaluate-rules.ts';
import { holdRules } from '../../../shared/graceful-reduction/hold-rules.ts';
import {
  GRACE_PERIOD,
  QUEUE,
  REDUCTION_STRATEGY,
  REQUIRED_BY,
  SUPPRESS_DELETION,
} from '../../../shared/graceful-reduction/replica-reduction.ts';
import { cases } from '../../depth.ts';
import { type BindingState, objectOf, stateOf } from './binding-states.ts';
import { OTHER_USER, OURS } from './hold-cases.ts';

const mutate = compileMutation(holdRules(OURS));

const names = ['m1', 'm2', 'm3', 'm4'];
const clusters = fc.dictionary(fc.constantFrom(...names), fc.integer({ min: 0, max: 5 }));
const gracePeriod = fc.constantFrom(
  '',
  ',"gracePeriodSeconds":60',
  ',"suppressDeletion":true',
  ',"creationTimestamp":"2026-07-01T08:00:00Z"',
);
const entry = fc.oneof(
  fc.tuple(fc.integer({ min: 0, max: 5 }), gracePeriod).map(([size, more]) => `{"replicas":${size}${more}}`),
  fc.constantFrom('', 'x', '{}', '{"replicas":-1}', '{"replicas": 3 }', '{"replicas":99999999999}', '[]'),
);
const entries = fc.dictionary(
  fc.constantFrom(...names).map((name) => `${QUEUE}${name}`),
  entry,
);
const words = fc.record(
  {
    [REDUCTION_STRATEGY]: fc.constantFrom('DelayWorkDeletion', 'DelayWorkDeletion', 'DelayWorkDeletion', 'Other'),
    [GRACE_PERIOD]: fc.constantFrom('60', '0', '-1', 'x', '99999999999999999999'),
    [SUPPRESS_DELETION]: fc.constantFrom('true', 'false'),
  },
  { requiredKeys: [REDUCTION_STRATEGY] },
);
const task = fc.record({
  fromCluster: fc.constantFrom(...names),
  producer: fc.constant('TaintManager'),
  reason: fc.constant('Some'),
});
/** As often there as not: where all of a binding is random, hardly a cluster is left that has to be held. */
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 2 });
const tasks = maybe(fc.uniqueArray(task, { selector: ({ fromCluster }) => fromCluster }));
const lines = maybe(fc.dictionary(fc.constantFrom(...names), fc.integer({ min: 0, max: 5 })));
const suspended = maybe(fc.uniqueArray(fc.constantFrom(...names)));
const stateWith = (queued: fc.Arbitrary<Readonly<Record<string, string>> | undefined>): fc.Arbitrary<BindingState> =>
  fc
    .record({
      clusters,
      words,
      entries: queued,
      tasks,
      kept: lines,
      others: lines,
      suspended,
      replicas: fc.constantFrom(0, 6, 6, 6, 6),
    })
    .map(({ words: asked, entries: queue, ...rest }) => ({
      ...rest,
      notes: { ...asked, ...queue },
      lastScheduledTime: '2026-07-01T08:00:00Z',
    }));
const state = stateWith(maybe(entries));
const allQueued = stateWith(fc.record(Object.fromEntries(names.map((name) => [`${QUEUE}${name}`, entry]))));
const by = fc.constantFrom(OURS, OTHER_USER);

type Before = Parameters<typeof objectOf>[0];

function stored(before: Before, after: Before, username: string) {
  return written(objectOf(before), objectOf(after), username);
}

function written(oldObject: ReturnType<typeof objectOf>, object: ReturnType<typeof objectOf>, username: string) {
  const steps = mutate({ object, oldObject, request: { userInfo: { username } } });
  if (steps === undefined) throw new Error('the rules could not be evaluated');
  return applyPatch(object, steps);
}

const queueIn = (notes: Readonly<Record<string, string>> = {}) =>
  Object.keys(notes)
    .filter((name) => name.startsWith(QUEUE))
    .map((name) => name.slice(QUEUE.length));
type Result = ReturnType<typeof stateOf>;
const isOurs = ({ name }: Result['requiredBy'][number]) => name === REQUIRED_BY.name;
const keptIn = ({ requiredBy }: Result) =>
  requiredBy.filter(isOurs).flatMap((line) => line.clusters.map(({ name }) => name));
const asks = ({ notes, replicas }: BindingState) =>
  notes?.[REDUCTION_STRATEGY] === 'DelayWorkDeletion' && replicas !== 0;

/** Fails as well where hardly a case had what the claim is about: it returns false for those that had not. */
function check(
  claim: (before: BindingState, after: BindingState, username: string) => boolean | void,
  states = state,
): void {
  const numRuns = cases({ few: 200, all: 1500 });
  let concerned = 0;
  const counted = fc.property(states, states, by, (...given) => {
    if (claim(...given) !== false) concerned += 1;
  });
  fc.assert(counted, { numRuns });
  expect(concerned).toBeGreaterThan(numRuns / 200);
}

describe('any write over any state', () => {
  it('the result needs no further change, for any author of the next write', () => {
    check((given, after, username) => {
      // We either assign clusters or write entries, whose size is then taken as we write it.
      const before = username === OURS ? { ...given, clusters: after.clusters } : given;
      const once = stored(before, after, username);
      expect(written(objectOf(before), once, username)).toEqual(once);
      expect(written(once, once, OTHER_USER)).toEqual(once);
    });
  });

  it('adds no cluster to the queue in a write in which no cluster grows', () => {
    check((before, after) => {
      const grows = Object.entries(after.clusters).some(([name, has]) => has > (before.clusters[name] ?? 0));
      if (grows) return false;
      const result = stateOf(stored(before, after, OTHER_USER));
      expect(queueIn(before.notes)).toEqual(
        expect.arrayContaining(queueIn(result.notes).filter((name) => !queueIn(after.notes).includes(name))),
      );
      return true;
    });
  });

  it('keeps no more on a cluster than is wanted in all', () => {
    check((before, after, username) => {
      const result = stateOf(stored(before, after, username));
      const kept = result.requiredBy.filter(isOurs).flatMap((line) => line.clusters);
      for (const { replicas } of kept) expect(replicas).toBeLessThanOrEqual(after.replicas ?? 6);
      return kept.length > 0;
    });
  });

  it('each cluster that loses replicas to another is in the queue, unless others evict it, suspended it, or it is released in the same write', () => {
    check((before, after, username) => {
      const grows = Object.entries(after.clusters).some(([name, has]) => has > (before.clusters[name] ?? 0));
      if (!grows) return false;
      const result = stateOf(stored(before, after, username));
      const lost = Object.entries(before.clusters).filter(([name, had]) => (after.clusters[name] ?? 0) < had);
      const mayGo = (name: string) =>
        (after.tasks ?? []).some(({ fromCluster }) => fromCluster === name) ||
        (name in after.clusters && before.suspended?.includes(name)) ||
        queueIn(before.notes).includes(name) ||
        // Held once already, as much as it was.
        queueIn(after.notes).includes(name);
      const due = asks(after) ? lost.map(([name]) => name).filter((name) => !mayGo(name)) : [];
      expect(queueIn(result.notes)).toEqual(expect.arrayContaining(due));
      return due.length > 0;
    });
  });

  it('our line keeps the clusters in the queue that are not assigned, and what is assigned is suspended', () => {
    check((before, after, username) => {
      const result = stateOf(stored(before, after, username));
      const queue = queueIn(result.notes);
      expect(keptIn(result).toSorted()).toEqual(queue.filter((name) => !(name in after.clusters)).toSorted());
      expect(result.requiredBy.filter(isOurs).length).toBeLessThan(2);
      expect(result.suspended).toEqual(expect.arrayContaining(queue.filter((name) => name in after.clusters)));
    });
  });

  it('what others evict, require and suspend is left as they wrote it, and what they assign', () => {
    check((before, after, username) => {
      const result = stateOf(stored(before, after, username));
      const given = stateOf(objectOf(after));
      expect(result.tasks).toEqual(given.tasks);
      expect(result.requiredBy.filter((line) => !isOurs(line))).toEqual(
        given.requiredBy.filter((line) => !isOurs(line)),
      );
      const heldBefore = queueIn(before.notes).filter((name) => name in before.clusters);
      const theirs = (after.suspended ?? []).filter((name) => !heldBefore.includes(name));
      expect(result.suspended).toEqual(expect.arrayContaining(theirs));
      expect([result.clusters, result.replicas]).toEqual([
        stateOf(objectOf(after)).clusters,
        stateOf(objectOf(after)).replicas,
      ]);
    });
  });

  it('a binding without a strategy, a hold and our entries stays unchanged', () => {
    check((before, after, username) => {
      const plain = (given: BindingState) => ({ ...given, notes: {}, kept: undefined });
      expect(stored(plain(before), plain(after), username)).toEqual(objectOf(plain(after)));
    });
  });

  it('once noted, size and time are changed by us alone', () => {
    const sizeOf = (text: string) => /"replicas": *([0-9]{1,9})[^0-9]/.exec(text)?.[1] ?? '0';
    check((before, after, username) => {
      const { notes } = stateOf(stored(before, after, username));
      const changed = queueIn(notes).flatMap((cluster) => {
        const [was, is] = [before.notes?.[`${QUEUE}${cluster}`] ?? '', notes[`${QUEUE}${cluster}`] ?? ''];
        return username === OURS || was === '' || was === is ? [] : [{ was, is }];
      });
      for (const { was, is } of changed)
        expect([sizeOf(is), is.includes('creationTimestamp')]).toEqual([
          sizeOf(was),
          was.includes('creationTimestamp'),
        ]);
      return changed.length > 0;
    }, allQueued);
  });
});
