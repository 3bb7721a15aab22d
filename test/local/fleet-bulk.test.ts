/** Thousands of bindings, and a hub that restarts with all its objects. */
import { describe, expect, it } from 'vitest';
import type { KubeObject } from '../../local/practice-hub/store/objects.ts';
import {
  byAvailable,
  deployment,
  memoryJournal,
  person,
  policy,
  startPracticeFleet,
  three,
} from '../fakes/practice-fleet.ts';

const large = three.map((member) => ({ ...member, capacity: 10_000 }));
const scheduled = (object: KubeObject): boolean =>
  ((object.status?.conditions ?? []) as { type: string; status: string }[]).some(
    ({ type, status }) => type === 'Scheduled' && status === 'True',
  );

describe('a bulk of 5,000 bindings', () => {
  it('is scheduled, run and moved by a failover in time that grows with their number only', () => {
    const hub = startPracticeFleet({ members: large });
    const names = Array.from({ length: 5000 }, (_, i) => `web-${i}`);
    const started = performance.now();
    for (const name of names) {
      hub.store.create('propagationpolicies', policy(name, byAvailable), person);
      hub.store.create('deployments', deployment(name, { replicas: 3 }), person);
    }
    hub.clock.runAll();
    expect(hub.store.list('resourcebindings').filter(scheduled)).toHaveLength(5000);
    hub.fleet.fail('member1');
    hub.clock.runAll();
    const onMember1 = names.filter((name) => 'member1' in hub.assigned(name));
    expect(onMember1).toEqual([]);
    const resources = ['member2', 'member3'].map(
      (name) =>
        hub.store.get('clusters', { namespace: '', name })?.status?.resourceSummary as { allocated: { pods: string } },
    );
    expect(resources.reduce((sum, { allocated }) => sum + Number(allocated.pods), 0)).toBe(15_000);
    // 6 to 9 s on two shared cores, nearly all of it the store's 75,000 writes; a binding that looks at every other makes it minutes.
    expect(performance.now() - started).toBeLessThan(45_000);
  }, 60_000);
});

describe('a hub that restarts', () => {
  it('goes on with what it had: pods still run, a failed member is still failed, and nothing moves', () => {
    const journal = memoryJournal();
    const before = startPracticeFleet({ members: three, journal });
    before.store.create('propagationpolicies', policy('web', byAvailable), person);
    before.store.create('deployments', deployment('web', { replicas: 12 }), person);
    before.clock.runAll();
    before.fleet.fail('member1');
    before.clock.runAll();
    const last = before.lastScheduled('web');
    before.fleet.close();

    before.clock.advance(60_000);
    const after = startPracticeFleet({ members: three, journal, clock: before.clock });
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

  it('does not start ready pods anew', () => {
    const journal = memoryJournal();
    const before = startPracticeFleet({ members: three, journal });
    before.store.create('propagationpolicies', policy('web', byAvailable), person);
    before.store.create('deployments', deployment('web', { replicas: 12 }), person);
    before.clock.runAll();
    before.fleet.close();
    const revision = journal.load().revision;
    const after = startPracticeFleet({ members: three, journal, clock: before.clock });
    expect(after.ready('web')).toEqual({ member1: 4, member2: 4, member3: 4 });
    // Nothing had to be written to see that all is as it should be.
    expect(journal.load().revision).toBe(revision);
  });

  it('evicts after the restart what was due before it', () => {
    const journal = memoryJournal();
    const before = startPracticeFleet({ members: three, journal });
    before.store.create('propagationpolicies', policy('web', byAvailable), person);
    before.store.create('deployments', deployment('web', { replicas: 12 }), person);
    before.clock.runAll();
    before.fleet.fail('member1');
    before.clock.advance(500);
    before.fleet.close();
    const after = startPracticeFleet({ members: three, journal, clock: before.clock });
    expect(after.assigned('web')).toEqual({ member2: 6, member3: 6 });
  });
});
