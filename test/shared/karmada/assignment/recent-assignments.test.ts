/** What is assumed of recent assignments: until a report includes them, or a minute has passed. */
import { describe, expect, it } from 'vitest';
import {
  type RecentAssignments,
  stillAssumed,
  withAssigned,
} from '../../../../shared/karmada/assignment/recent-assignments.ts';
import { at } from '../../../builders.ts';
import { cluster } from '../../../placed-objects.ts';

const reported = [cluster('m1', { pods: 10 }), cluster('m2', { pods: 10 })];
const reportedLater = [cluster('m1', { pods: 9 }), cluster('m2', { pods: 10 })];
const three = { m1: { pods: 3, cpu: 300 } };
const assigned = (recent: RecentAssignments, now: number, replicas: object = three, clusters = reported) =>
  withAssigned(recent, { replicas: replicas as typeof three, clusters, now });

describe('a recent assignment', () => {
  const recent = assigned([], at(0));

  it.each([
    ['at once', 0, reported, three],
    ['for 15 s, though the report has changed', 14.9, reportedLater, three],
    ['no longer then', 15, reportedLater, {}],
    ['for a minute if the report does not change', 59.9, reported, three],
    ['no longer then', 60, reported, {}],
  ])('is assumed %s', (_, seconds, clusters, expected) => {
    expect(stillAssumed(recent, clusters, at(0) + seconds * 1000)).toEqual(expected);
  });

  it('is assumed on a cluster that was removed and has no report', () => {
    expect(stillAssumed(recent, [], at(14))).toEqual(three);
    expect(stillAssumed(recent, [], at(15))).toEqual({});
  });

  it('is assumed by cluster: a report of one does not concern another', () => {
    const both = assigned([], at(0), { m1: { pods: 1 }, m2: { pods: 2 } });
    expect(stillAssumed(both, reportedLater, at(20))).toEqual({ m2: { pods: 2 } });
  });
});

describe('several assignments', () => {
  it('add up, within five seconds in one entry', () => {
    const two = assigned(assigned([], at(0)), at(4.9));
    expect(two).toHaveLength(1);
    const more = assigned(two, at(5));
    expect(more.map((each) => each.at)).toEqual([at(0), at(5)]);
    expect(stillAssumed(more, reported, at(5))).toEqual({ m1: { pods: 9, cpu: 900 } });
  });

  it('of one entry are compared with the report of the last of them', () => {
    const recent = assigned(assigned([], at(0)), at(1), three, reportedLater);
    expect(stillAssumed(recent, reportedLater, at(20))).toEqual({ m1: { pods: 6, cpu: 600 } });
  });

  it('are forgotten after a minute, and the oldest if a row could not hold all', () => {
    expect(assigned(assigned([], at(0)), at(60)).map((each) => each.at)).toEqual([at(60)]);
    const clusters = Array.from({ length: 2000 }, (_, i) => cluster(`cluster-with-a-long-name-${i}`));
    const everywhere = Object.fromEntries(clusters.map(({ name }) => [name, { pods: 1, cpu: 100, memory: 1e9 }]));
    let recent: RecentAssignments = [];
    for (const second of [0, 10, 20, 30]) recent = assigned(recent, at(second), everywhere, clusters);
    expect(recent.at(-1)?.at).toBe(at(30));
    expect(recent.length).toBeLessThan(4);
    expect(JSON.stringify(recent).length).toBeLessThan(350_000);
  });

  it('name a cluster as an object has it', () => {
    const name = 'constructor';
    const recent = assigned([], at(0), { [name]: { pods: 1 } }, [cluster(name)]);
    expect(stillAssumed(recent, [cluster(name)], at(20))).toEqual({ [name]: { pods: 1 } });
  });
});
