/** Thousands of bindings, and a hub that restarts with all its objects. */
import { describe, expect, it, vi } from 'vitest';
import type { KubeObject } from '../../local/practice-hub/store/objects.ts';
import { cases } from '../depth.ts';
import {
  byAvailable,
  deployment,
  memoryChangeLog,
  policy,
  startPracticeFleet,
  three,
  user,
} from '../fakes/practice-fleet.ts';

const large = three.map((member) => ({ ...member, capacity: 10_000 }));
const scheduled = (object: KubeObject): boolean =>
  ((object.status?.conditions ?? []) as { type: string; status: string }[]).some(
    ({ type, status }) => type === 'Scheduled' && status === 'True',
  );

/** Schedules and runs this many bindings and moves them by a failover; returns the writes and listed objects per binding. */
function bulk(bindings: number): { readonly writes: number; readonly listed: number } {
  const hub = startPracticeFleet({ members: large });
  let [writes, listed] = [0, 0];
  hub.store.onChange(() => (writes += 1));
  const { list } = hub.store;
  vi.spyOn(hub.store, 'list').mockImplementation((...asked) => {
    const found = list.apply(hub.store, asked);
    listed += found.length;
    return found;
  });
  const names = Array.from({ length: bindings }, (_, i) => `web-${i}`);
  for (const name of names) {
    hub.store.create('propagationpolicies', policy(name, byAvailable), user);
    hub.store.create('deployments', deployment(name, { replicas: 3 }), user);
  }
  hub.clock.runAll();
  expect(list.call(hub.store, 'resourcebindings').filter(scheduled)).toHaveLength(bindings);
  hub.fleet.fail('member1');
  hub.clock.runAll();
  const took = { writes: writes / bindings, listed: listed / bindings };
  expect(names.filter((name) => 'member1' in hub.assigned(name))).toEqual([]);
  const resources = ['member2', 'member3'].map(
    (name) =>
      hub.store.get('clusters', { namespace: '', name })?.status?.resourceSummary as { allocated: { pods: string } },
  );
  expect(resources.reduce((sum, { allocated }) => sum + Number(allocated.pods), 0)).toBe(3 * bindings);
  return took;
}

describe('many bindings', () => {
  it('are scheduled, run and moved by a failover with linear work', () => {
    const few = bulk(100);
    const many = bulk(cases({ few: 150, all: 1000 }));
    expect(few.listed).toBeGreaterThan(0);
    expect(many.writes).toBeLessThan(few.writes * 1.1);
    // A binding that reads every other one multiplies this by ten.
    expect(many.listed).toBeLessThan(few.listed * 1.1);
  });
});

describe('a restarted hub', () => {
  it('keeps its state: pods run, a failed member stays failed, and nothing moves', () => {
    const changeLog = memoryChangeLog();
    const before = startPracticeFleet({ members: three, changeLog });
    before.store.create('propagationpolicies', policy('web', byAvailable), user);
    before.store.create('deployments', deployment('web', { replicas: 12 }), user);
    before.clock.runAll();
    before.fleet.fail('member1');
    before.clock.runAll();
    const last = before.lastScheduled('web');
    before.fleet.close();

    before.clock.advance(60_000);
    const after = startPracticeFleet({ members: three, changeLog, clock: before.clock });
    expect(after.assigned('web')).toEqual({ member2: 6, member3: 6 });
    expect(after.ready('web')).toEqual({ member2: 6, member3: 6 });
    expect(after.lastScheduled('web')).toBe(last);
    expect(after.store.get('clusters', { namespace: '', name: 'member2' })?.status?.resourceSummary).toMatchObject({
      allocated: { pods: '6' },
    });
    after.fleet.recover('member1');
    after.trigger('web', '2026-11-21T11:00:00Z');
    after.clock.runAll();
    expect(after.assigned('web')).toEqual({ member1: 4, member2: 4, member3: 4 });
    expect(after.faults).toEqual([]);
  });

  it('does not restart ready pods', () => {
    const changeLog = memoryChangeLog();
    const before = startPracticeFleet({ members: three, changeLog });
    before.store.create('propagationpolicies', policy('web', byAvailable), user);
    before.store.create('deployments', deployment('web', { replicas: 12 }), user);
    before.clock.runAll();
    before.fleet.close();
    const revision = changeLog.load().revision;
    const after = startPracticeFleet({ members: three, changeLog, clock: before.clock });
    expect(after.ready('web')).toEqual({ member1: 4, member2: 4, member3: 4 });
    // The first comparison needs no write.
    expect(changeLog.load().revision).toBe(revision);
  });

  it('evicts replicas that were due before the restart', () => {
    const changeLog = memoryChangeLog();
    const before = startPracticeFleet({ members: three, changeLog });
    before.store.create('propagationpolicies', policy('web', byAvailable), user);
    before.store.create('deployments', deployment('web', { replicas: 12 }), user);
    before.clock.runAll();
    before.fleet.fail('member1');
    before.clock.advance(500);
    before.fleet.close();
    const after = startPracticeFleet({ members: three, changeLog, clock: before.clock });
    expect(after.assigned('web')).toEqual({ member2: 6, member3: 6 });
  });
});
