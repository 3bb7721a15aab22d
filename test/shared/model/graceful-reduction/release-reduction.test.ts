/** Which reductions wait and which are released: case by case, in the order in which the rules are asked. */
import { describe, expect, it } from 'vitest';
import { decideReductions } from '../../../../shared/model/graceful-reduction/release-reduction.ts';
import { type Around, NOW, questionOf, type Scene } from './binding-scene.ts';

const begun = '2026-11-21T11:58:00Z';
const entry = { replicas: 4, gracePeriodSeconds: 600, creationTimestamp: begun };

/** 4/4 on m1 and m2 becomes 0/8: m1 is held. */
const leaving: Scene = { assigned: { m2: 8 }, queue: { m1: entry }, reported: { m1: 4, m2: 8 } };
/** 4/4 becomes 2/6. */
const shrinking: Scene = { assigned: { m1: 2, m2: 6 }, queue: { m1: entry }, reported: { m1: 4, m2: 6 } };

/** "m1 Ready: all that …" or "m1 waits: 4 of 8 ready on m2", in the order of clusters. */
function verdicts(scene: Scene, around?: Around): readonly string[] {
  const { released, waiting } = decideReductions(questionOf(scene, around));
  return [
    ...released.map(({ cluster, by, reason }) => `${cluster} ${by}: ${reason}`),
    ...waiting.map(({ cluster, reason }) => `${cluster} waits: ${reason}`),
  ].sort();
}

const READY = 'all that is assigned to other clusters is ready';

interface Case {
  readonly says: string;
  readonly scene: Scene;
  readonly around?: Around;
  readonly verdicts: readonly string[];
}

const cases: readonly Case[] = [
  { says: 'N to 0 goes when the others are ready', scene: leaving, verdicts: [`m1 Ready: ${READY}`] },
  { says: 'N to M goes when the others are ready', scene: shrinking, verdicts: [`m1 Ready: ${READY}`] },
  {
    says: 'one replica that is not ready elsewhere keeps it',
    scene: { ...leaving, reported: { m1: 4, m2: { ready: 7, replicas: 8 } } },
    verdicts: ['m1 waits: 7 of 8 ready on m2'],
  },
  {
    says: 'the cluster that is held does not count itself',
    scene: { ...shrinking, reported: { m1: 0, m2: 6 } },
    verdicts: [`m1 Ready: ${READY}`],
  },
  {
    says: 'a cluster of which nothing is reported is not ready',
    scene: { ...leaving, reported: { m1: 4 } },
    verdicts: ['m1 waits: 0 of 8 ready on m2'],
  },
  {
    says: 'of a cluster that is not Ready the report is old',
    scene: leaving,
    around: { unready: ['m2'] },
    verdicts: ['m1 waits: cluster m2 is not Ready'],
  },
  {
    says: 'nor is a cluster Ready that the hub does not know',
    scene: leaving,
    around: { absent: ['m2'] },
    verdicts: ['m1 waits: cluster m2 is not Ready'],
  },
  {
    says: 'a cluster that gets nothing need not be Ready',
    scene: { ...leaving, assigned: { m2: 8, m3: 0 } },
    around: { unready: ['m3'] },
    verdicts: [`m1 Ready: ${READY}`],
  },
  {
    says: 'a held cluster that is not Ready goes all the same, when the others are',
    scene: leaving,
    around: { unready: ['m1'] },
    verdicts: [`m1 Ready: ${READY}`],
  },
  {
    says: 'a report from before the change tells nothing',
    scene: { ...leaving, reported: { m1: 4, m2: { ready: 8, generation: 3, observedGeneration: 2 } } },
    verdicts: ['m1 waits: m2: its controller has not looked at the last change yet'],
  },
  {
    says: 'nor does one of an earlier template',
    scene: {
      ...leaving,
      assigned: { m2: 4, m3: 4 },
      reported: { m1: 4, m2: { ready: 4, template: 1 }, m3: { ready: 4, template: 2 } },
    },
    verdicts: ['m1 waits: m2: it has not been given the last template yet'],
  },
  {
    says: 'ready with the old pods is not ready with the new ones',
    scene: { ...leaving, reported: { m1: 4, m2: { ready: 8, replicas: 8, updated: 3 } } },
    verdicts: ['m1 waits: 3 of 8 updated on m2'],
  },
  {
    says: 'a kind that does not count the new ones is ready with what it has',
    scene: { ...leaving, reported: { m1: 4, m2: { ready: 8, updated: null } } },
    verdicts: [`m1 Ready: ${READY}`],
  },
  {
    says: 'nor while as many old ones are ready beside new ones that are not',
    scene: { ...leaving, reported: { m1: 4, m2: { ready: 8, replicas: 12, updated: 8 } } },
    verdicts: ['m1 waits: 4 of an earlier template are still there on m2'],
  },
  {
    says: 'that a held cluster has the old template is no reason to wait',
    scene: { ...leaving, reported: { m1: { ready: 4, template: 1 }, m2: { ready: 8, template: 2 } } },
    verdicts: [`m1 Ready: ${READY}`],
  },
  {
    says: 'nor that another one which is held has it: it is kept from the new one',
    scene: {
      assigned: { m1: 2, m2: 2, m3: 8 },
      queue: { m1: entry, m2: entry },
      reported: { m1: 4, m2: { ready: 4, template: 1 }, m3: { ready: 8, template: 2 } },
    },
    verdicts: [`m1 Ready: ${READY}`, `m2 Ready: ${READY}`],
  },
  {
    says: 'what could not be applied is not ready',
    scene: { ...leaving, reported: { m1: 4, m2: { ready: 8, applied: false } } },
    verdicts: ['m1 waits: m2: it is not applied'],
  },
  {
    says: 'a kind that counts no replicas is ready when it is healthy',
    scene: { ...leaving, reported: { m1: 4, m2: { health: 'Healthy' } } },
    verdicts: [`m1 Ready: ${READY}`],
  },
  {
    says: 'and not when it is not',
    scene: { ...leaving, reported: { m1: 4, m2: { health: 'Unhealthy' } } },
    verdicts: ['m1 waits: 0 of 8 ready on m2'],
  },
  {
    says: 'what is not all assigned has no replacement yet',
    scene: { ...leaving, replicas: 10 },
    verdicts: ['m1 waits: 8 of 10 replicas are assigned'],
  },
  {
    says: 'nor has what the scheduler could not place',
    scene: {
      ...leaving,
      status: { conditions: [{ type: 'Scheduled', status: 'False', message: '0/3 clusters fit' }] },
    },
    verdicts: ['m1 waits: the scheduler could not place it: 0/3 clusters fit'],
  },
  {
    says: 'several go together: one that is held too is ready with more than it is to have',
    scene: {
      assigned: { m1: 2, m2: 2, m3: 8 },
      queue: { m1: entry, m2: entry },
      reported: { m1: 4, m2: 4, m3: 8 },
    },
    verdicts: [`m1 Ready: ${READY}`, `m2 Ready: ${READY}`],
  },
  {
    says: 'a scale down to what is ready goes at once',
    scene: { assigned: { m1: 2, m2: 2 }, queue: { m1: entry, m2: entry }, reported: { m1: 4, m2: 4 } },
    verdicts: [`m1 Ready: ${READY}`, `m2 Ready: ${READY}`],
  },
  {
    says: 'a scale down waits where the rest is not ready',
    scene: { assigned: { m1: 2, m2: 2 }, queue: { m1: entry }, reported: { m1: 4, m2: { ready: 1, replicas: 2 } } },
    verdicts: ['m1 waits: 1 of 2 ready on m2'],
  },
  {
    says: 'its grace over, it goes',
    scene: { ...leaving, reported: { m1: 4, m2: { ready: 5, replicas: 8 } } },
    around: { now: Date.parse('2026-11-21T12:08:00Z') },
    verdicts: ['m1 Grace: its grace was over at 2026-11-21T12:08:00Z: 5 of 8 ready on m2'],
  },
  {
    says: 'a second before, it does not',
    scene: { ...leaving, reported: { m1: 4, m2: { ready: 5, replicas: 8 } } },
    around: { now: Date.parse('2026-11-21T12:07:59Z') },
    verdicts: ['m1 waits: 5 of 8 ready on m2'],
  },
  {
    says: 'with suppressDeletion it waits for a person, ready or not, however long',
    scene: {
      ...leaving,
      queue: { m1: { replicas: 4, suppressDeletion: true, creationTimestamp: '2026-01-01T00:00:00Z' } },
    },
    verdicts: ['m1 waits: it waits for a person, as suppressDeletion says'],
  },
  {
    says: 'a text that nobody can read keeps nothing',
    scene: { ...leaving, queue: { m1: 'until Tuesday' }, reported: { m1: 4, m2: 0 } },
    verdicts: ['m1 Dropped: its entry says no number of replicas to keep'],
  },
  {
    says: 'without the strategy nothing waits',
    scene: { ...leaving, annotations: { 'evenkeel.dev/replica-reduction-strategy': undefined }, reported: {} },
    verdicts: ['m1 Dropped: nothing asks for it any more'],
  },
  {
    says: 'scaled to 0 it goes',
    scene: { ...leaving, assigned: { m2: 0 }, replicas: 0, reported: {} },
    verdicts: ['m1 Dropped: it is scaled to 0'],
  },
  {
    says: 'what is being deleted goes',
    scene: { ...leaving, metadata: { deletionTimestamp: '2026-11-21T11:59:59Z' }, reported: {} },
    verdicts: ['m1 Dropped: the binding is being deleted'],
  },
  {
    says: 'what is assigned all that it has again is not held',
    scene: { assigned: { m1: 4, m2: 4 }, queue: { m1: entry }, reported: {} },
    verdicts: ['m1 Dropped: it is assigned what it has again'],
  },
  {
    says: "Karmada's own failover goes before us",
    scene: {
      ...leaving,
      reported: {},
      spec: { gracefulEvictionTasks: [{ fromCluster: 'm1', producer: 'TaintManager' }] },
    },
    verdicts: ['m1 Dropped: TaintManager evicts it from there'],
  },
  {
    says: 'whoever else evicts it goes before us too',
    scene: { ...leaving, reported: {}, spec: { gracefulEvictionTasks: [{ fromCluster: 'm1' }] } },
    verdicts: ['m1 Dropped: somebody else evicts it from there'],
  },
  {
    says: 'its failover from elsewhere does not concern what is held',
    scene: {
      ...leaving,
      spec: { gracefulEvictionTasks: [{ fromCluster: 'm3', producer: 'TaintManager' }] },
      reported: { m1: 4, m2: 4 },
    },
    verdicts: ['m1 waits: 4 of 8 ready on m2'],
  },
  {
    says: 'a cluster that has left the hub holds nothing',
    scene: { ...leaving, reported: {} },
    around: { absent: ['m1'] },
    verdicts: ['m1 Dropped: the hub has no cluster m1 any more'],
  },
  {
    says: 'with dispatching suspended nothing goes, though its grace is over',
    scene: { ...leaving, spec: { suspension: { dispatching: true } } },
    around: { now: NOW + 3600_000 },
    verdicts: ['m1 waits: its dispatching is suspended'],
  },
  {
    says: 'a template change is waited for',
    scene: { ...leaving, reported: { m1: { ready: 4, template: 1 }, m2: { ready: 2, replicas: 8, template: 2 } } },
    verdicts: ['m1 waits: 2 of 8 ready on m2'],
  },
  {
    says: 'or ends the wait, where that was chosen',
    scene: { ...leaving, reported: { m1: { ready: 4, template: 1 }, m2: { ready: 2, replicas: 8, template: 2 } } },
    around: { releaseOnTemplateChange: true },
    verdicts: ['m1 Template: its template has changed since'],
  },
  {
    says: 'which does not end while all have the same',
    scene: { ...leaving, reported: { m1: 4, m2: { ready: 2, replicas: 8 } } },
    around: { releaseOnTemplateChange: true },
    verdicts: ['m1 waits: 2 of 8 ready on m2'],
  },
  {
    says: 'nor where the held cluster does not say which it has',
    scene: { ...leaving, reported: { m1: { health: 'Healthy' }, m2: { ready: 2, replicas: 8 } } },
    around: { releaseOnTemplateChange: true },
    verdicts: ['m1 waits: 2 of 8 ready on m2'],
  },
  {
    says: 'nor where it reports nothing',
    scene: { ...leaving, reported: { m2: { ready: 2, replicas: 8 } } },
    around: { releaseOnTemplateChange: true },
    verdicts: ['m1 waits: 2 of 8 ready on m2'],
  },
];

describe('decideReductions', () => {
  it.each(cases)('$says', ({ scene, around, verdicts: expected }) => {
    expect(verdicts(scene, around)).toEqual(expected);
  });

  it('notes when a wait began and how long it may take, and comes back when it is over', () => {
    const { next, lookAgainAt } = decideReductions(
      questionOf({ ...leaving, queue: { m1: { replicas: 4 } }, reported: {} }),
    );
    expect([...next]).toEqual([['m1', { replicas: 4, gracePeriodSeconds: 600, creationTimestamp: NOW }]]);
    expect(lookAgainAt).toBe(NOW + 600_000);
  });

  it('notes the time that an entry itself gives, not the usual one', () => {
    const queue = { m1: { replicas: 4, gracePeriodSeconds: 30 } };
    const { next, lookAgainAt } = decideReductions(questionOf({ ...leaving, queue, reported: {} }));
    expect([...next]).toEqual([['m1', { replicas: 4, gracePeriodSeconds: 30, creationTimestamp: NOW }]]);
    expect(lookAgainAt).toBe(NOW + 30_000);
  });

  it('leaves a time that was noted as it is', () => {
    const { next, lookAgainAt } = decideReductions(questionOf({ ...leaving, reported: {} }));
    expect([...next]).toEqual([['m1', { ...entry, creationTimestamp: Date.parse(begun) }]]);
    expect(lookAgainAt).toBe(Date.parse(begun) + 600_000);
  });

  it('comes back for nothing that waits for a person', () => {
    const held = { replicas: 4, suppressDeletion: true };
    const { next, lookAgainAt } = decideReductions(questionOf({ ...leaving, queue: { m1: held } }));
    expect([[...next], lookAgainAt]).toEqual([[['m1', { ...held, creationTimestamp: NOW }]], undefined]);
  });

  it('lets a grace that ran out while dispatching was suspended begin anew, for nobody could get ready', () => {
    const now = NOW + 3600_000;
    const suspended = { ...leaving, reported: {}, spec: { suspension: { dispatching: true } } };
    const { next, lookAgainAt } = decideReductions(questionOf(suspended, { now }));
    expect([...next]).toEqual([['m1', { ...entry, creationTimestamp: now }]]);
    expect(lookAgainAt).toBe(now + 600_000);
  });

  it.each([
    ['in the very moment in which it is over', '2026-11-21T12:08:00Z', '2026-11-21T12:18:00Z'],
    ['not a second before: it comes back then', '2026-11-21T12:07:59Z', '2026-11-21T12:08:00Z'],
  ])('has it begin anew %s', (_when, now, again) => {
    const suspended = { ...leaving, reported: {}, spec: { suspension: { dispatching: true } } };
    const { lookAgainAt } = decideReductions(questionOf(suspended, { now: Date.parse(now) }));
    expect(lookAgainAt).toBe(Date.parse(again));
  });

  it('comes back no sooner than in a second', () => {
    const { lookAgainAt } = decideReductions(
      questionOf({ ...leaving, reported: {} }, { now: Date.parse('2026-11-21T12:07:59.700Z') }),
    );
    expect(lookAgainAt).toBe(Date.parse('2026-11-21T12:08:00.700Z'));
  });

  it('comes back for the first of several', () => {
    const later = { ...entry, creationTimestamp: '2026-11-21T11:59:00Z' };
    const { lookAgainAt } = decideReductions(
      questionOf({ assigned: { m3: 8 }, queue: { m1: later, m2: entry }, reported: {} }),
    );
    expect(lookAgainAt).toBe(Date.parse('2026-11-21T12:08:00Z'));
  });
});
