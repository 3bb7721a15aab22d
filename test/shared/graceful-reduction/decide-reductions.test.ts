/** Which reductions wait and which are released: case by case, in the order in which the rules are asked. */
import { describe, expect, it } from 'vitest';
import { decideReductions } from '../../../shared/graceful-reduction/decide-reductions.ts';
import { type Around, inputOf, NOW, type Scene } from './binding-scene.ts';

const begun = '2026-11-21T11:58:00Z';
const entry = { replicas: 4, gracePeriodSeconds: 600, creationTimestamp: begun };

/** 4/4 on m1 and m2 becomes 0/8: m1 is held. */
const leaving: Scene = { assigned: { m2: 8 }, queue: { m1: entry }, reported: { m1: 4, m2: 8 } };
/** 4/4 becomes 2/6. */
const shrinking: Scene = { assigned: { m1: 2, m2: 6 }, queue: { m1: entry }, reported: { m1: 4, m2: 6 } };

/** "m1 Ready: all that …" or "m1 waits: 4 of 8 ready on m2", in the order of clusters. */
function results(scene: Scene, context?: Around): readonly string[] {
  const { released, waiting } = decideReductions(inputOf(scene, context));
  return [
    ...released.map(({ cluster, by, reason }) => `${cluster} ${by}: ${reason}`),
    ...waiting.map(({ cluster, reason }) => `${cluster} waits: ${reason}`),
  ].sort();
}

const READY = 'all that is assigned to other clusters is ready';

interface Case {
  readonly description: string;
  readonly scene: Scene;
  readonly context?: Around;
  readonly results: readonly string[];
}

const cases: readonly Case[] = [
  { description: 'N to 0 goes when the others are ready', scene: leaving, results: [`m1 Ready: ${READY}`] },
  { description: 'N to M goes when the others are ready', scene: shrinking, results: [`m1 Ready: ${READY}`] },
  {
    description: 'one replica that is not ready elsewhere keeps it',
    scene: { ...leaving, reported: { m1: 4, m2: { ready: 7, replicas: 8 } } },
    results: ['m1 waits: 7 of 8 ready on m2'],
  },
  {
    description: 'the cluster that is held does not count itself',
    scene: { ...shrinking, reported: { m1: 0, m2: 6 } },
    results: [`m1 Ready: ${READY}`],
  },
  {
    description: 'a cluster of which nothing is reported is not ready',
    scene: { ...leaving, reported: { m1: 4 } },
    results: ['m1 waits: 0 of 8 ready on m2'],
  },
  {
    description: 'of a cluster that is not Ready the report is old',
    scene: leaving,
    context: { unready: ['m2'] },
    results: ['m1 waits: cluster m2 is not Ready'],
  },
  {
    description: 'nor is a cluster Ready that the hub does not know',
    scene: leaving,
    context: { absent: ['m2'] },
    results: ['m1 waits: cluster m2 is not Ready'],
  },
  {
    description: 'a cluster that gets nothing need not be Ready',
    scene: { ...leaving, assigned: { m2: 8, m3: 0 } },
    context: { unready: ['m3'] },
    results: [`m1 Ready: ${READY}`],
  },
  {
    description: 'a held cluster that is not Ready goes all the same, when the others are',
    scene: leaving,
    context: { unready: ['m1'] },
    results: [`m1 Ready: ${READY}`],
  },
  {
    description: 'a report from before the change is ignored',
    scene: { ...leaving, reported: { m1: 4, m2: { ready: 8, generation: 3, observedGeneration: 2 } } },
    results: ['m1 waits: m2: its controller has not observed the last change yet'],
  },
  {
    description: 'nor does one of an earlier template',
    scene: {
      ...leaving,
      assigned: { m2: 4, m3: 4 },
      reported: { m1: 4, m2: { ready: 4, template: 1 }, m3: { ready: 4, template: 2 } },
    },
    results: ['m1 waits: m2: it has not been given the last template yet'],
  },
  {
    description: 'ready with the old pods is not ready with the new ones',
    scene: { ...leaving, reported: { m1: 4, m2: { ready: 8, replicas: 8, updated: 3 } } },
    results: ['m1 waits: 3 of 8 updated on m2'],
  },
  {
    description: 'a kind that does not count the new ones is ready with what it has',
    scene: { ...leaving, reported: { m1: 4, m2: { ready: 8, updated: null } } },
    results: [`m1 Ready: ${READY}`],
  },
  {
    description: 'nor while as many old ones are ready beside new ones that are not',
    scene: { ...leaving, reported: { m1: 4, m2: { ready: 8, replicas: 12, updated: 8 } } },
    results: ['m1 waits: 4 of an earlier template are still there on m2'],
  },
  {
    description: 'that a held cluster has the old template is no reason to wait',
    scene: { ...leaving, reported: { m1: { ready: 4, template: 1 }, m2: { ready: 8, template: 2 } } },
    results: [`m1 Ready: ${READY}`],
  },
  {
    description: 'nor that another one which is held has it: it is kept from the new one',
    scene: {
      assigned: { m1: 2, m2: 2, m3: 8 },
      queue: { m1: entry, m2: entry },
      reported: { m1: 4, m2: { ready: 4, template: 1 }, m3: { ready: 8, template: 2 } },
    },
    results: [`m1 Ready: ${READY}`, `m2 Ready: ${READY}`],
  },
  {
    description: 'what could not be applied is not ready',
    scene: { ...leaving, reported: { m1: 4, m2: { ready: 8, applied: false } } },
    results: ['m1 waits: m2: it is not applied'],
  },
  {
    description: 'a kind that counts no replicas is ready when it is healthy',
    scene: { ...leaving, reported: { m1: 4, m2: { health: 'Healthy' } } },
    results: [`m1 Ready: ${READY}`],
  },
  {
    description: 'and not when it is not',
    scene: { ...leaving, reported: { m1: 4, m2: { health: 'Unhealthy' } } },
    results: ['m1 waits: 0 of 8 ready on m2'],
  },
  {
    description: 'what is not all assigned has no replacement yet',
    scene: { ...leaving, replicas: 10 },
    results: ['m1 waits: 8 of 10 replicas are assigned'],
  },
  {
    description: 'nor has what the scheduler could not place',
    scene: {
      ...leaving,
      status: { conditions: [{ type: 'Scheduled', status: 'False', message: '0/3 clusters fit' }] },
    },
    results: ['m1 waits: the scheduler could not place it: 0/3 clusters fit'],
  },
  {
    description: 'several go together: one that is held too is ready with more than it is to have',
    scene: {
      assigned: { m1: 2, m2: 2, m3: 8 },
      queue: { m1: entry, m2: entry },
      reported: { m1: 4, m2: 4, m3: 8 },
    },
    results: [`m1 Ready: ${READY}`, `m2 Ready: ${READY}`],
  },
  {
    description: 'a scale down to what is ready goes at once',
    scene: { assigned: { m1: 2, m2: 2 }, queue: { m1: entry, m2: entry }, reported: { m1: 4, m2: 4 } },
    results: [`m1 Ready: ${READY}`, `m2 Ready: ${READY}`],
  },
  {
    description: 'a scale down waits where the rest is not ready',
    scene: { assigned: { m1: 2, m2: 2 }, queue: { m1: entry }, reported: { m1: 4, m2: { ready: 1, replicas: 2 } } },
    results: ['m1 waits: 1 of 2 ready on m2'],
  },
  {
    description: 'its grace over, it goes',
    scene: { ...leaving, reported: { m1: 4, m2: { ready: 5, replicas: 8 } } },
    context: { now: Date.parse('2026-11-21T12:08:00Z') },
    results: ['m1 Grace: its grace was over at 2026-11-21T12:08:00Z: 5 of 8 ready on m2'],
  },
  {
    description: 'a second before, it does not',
    scene: { ...leaving, reported: { m1: 4, m2: { ready: 5, replicas: 8 } } },
    context: { now: Date.parse('2026-11-21T12:07:59Z') },
    results: ['m1 waits: 5 of 8 ready on m2'],
  },
  {
    description: 'with suppressDeletion it waits for an operator, ready or not, however long',
    scene: {
      ...leaving,
      queue: { m1: { replicas: 4, suppressDeletion: true, creationTimestamp: '2026-01-01T00:00:00Z' } },
    },
    results: ['m1 waits: it waits for a manual release: suppressDeletion is true'],
  },
  {
    description: 'an unreadable entry holds nothing',
    scene: { ...leaving, queue: { m1: 'until Tuesday' }, reported: { m1: 4, m2: 0 } },
    results: ['m1 Dropped: its entry has no number of replicas to keep'],
  },
  {
    description: 'without the strategy nothing waits',
    scene: { ...leaving, annotations: { 'evenkeel.dev/replica-reduction-strategy': undefined }, reported: {} },
    results: ['m1 Dropped: nothing asks for it any more'],
  },
  {
    description: 'scaled to 0 it goes',
    scene: { ...leaving, assigned: { m2: 0 }, replicas: 0, reported: {} },
    results: ['m1 Dropped: it is scaled to 0'],
  },
  {
    description: 'what is being deleted goes',
    scene: { ...leaving, metadata: { deletionTimestamp: '2026-11-21T11:59:59Z' }, reported: {} },
    results: ['m1 Dropped: the binding is being deleted'],
  },
  {
    description: 'what is assigned all that it has again is not held',
    scene: { assigned: { m1: 4, m2: 4 }, queue: { m1: entry }, reported: {} },
    results: ['m1 Dropped: it is assigned what it has again'],
  },
  {
    description: "Karmada's own failover goes before us",
    scene: {
      ...leaving,
      reported: {},
      spec: { gracefulEvictionTasks: [{ fromCluster: 'm1', producer: 'TaintManager' }] },
    },
    results: ['m1 Dropped: TaintManager evicts it from there'],
  },
  {
    description: 'an eviction by another component has precedence too',
    scene: { ...leaving, reported: {}, spec: { gracefulEvictionTasks: [{ fromCluster: 'm1' }] } },
    results: ['m1 Dropped: another client evicts it from there'],
  },
  {
    description: 'its failover from elsewhere does not concern what is held',
    scene: {
      ...leaving,
      spec: { gracefulEvictionTasks: [{ fromCluster: 'm3', producer: 'TaintManager' }] },
      reported: { m1: 4, m2: 4 },
    },
    results: ['m1 waits: 4 of 8 ready on m2'],
  },
  {
    description: 'a cluster that has left the hub holds nothing',
    scene: { ...leaving, reported: {} },
    context: { absent: ['m1'] },
    results: ['m1 Dropped: the hub has no cluster m1 any more'],
  },
  {
    description: 'with dispatching suspended nothing goes, though its grace is over',
    scene: { ...leaving, spec: { suspension: { dispatching: true } } },
    context: { now: NOW + 3600_000 },
    results: ['m1 waits: its dispatching is suspended'],
  },
  {
    description: 'a template change is waited for',
    scene: { ...leaving, reported: { m1: { ready: 4, template: 1 }, m2: { ready: 2, replicas: 8, template: 2 } } },
    results: ['m1 waits: 2 of 8 ready on m2'],
  },
  {
    description: 'or ends the wait, where that was chosen',
    scene: { ...leaving, reported: { m1: { ready: 4, template: 1 }, m2: { ready: 2, replicas: 8, template: 2 } } },
    context: { releaseOnTemplateChange: true },
    results: ['m1 Template: its template has changed since'],
  },
  {
    description: 'which does not end while all have the same',
    scene: { ...leaving, reported: { m1: 4, m2: { ready: 2, replicas: 8 } } },
    context: { releaseOnTemplateChange: true },
    results: ['m1 waits: 2 of 8 ready on m2'],
  },
  {
    description: 'nor if the held cluster does not report its template',
    scene: { ...leaving, reported: { m1: { health: 'Healthy' }, m2: { ready: 2, replicas: 8 } } },
    context: { releaseOnTemplateChange: true },
    results: ['m1 waits: 2 of 8 ready on m2'],
  },
  {
    description: 'nor where it reports nothing',
    scene: { ...leaving, reported: { m2: { ready: 2, replicas: 8 } } },
    context: { releaseOnTemplateChange: true },
    results: ['m1 waits: 2 of 8 ready on m2'],
  },
];

describe('decideReductions', () => {
  it.each(cases)('$description', ({ scene, context, results: expected }) => {
    expect(results(scene, context)).toEqual(expected);
  });

  it('records the start and the timeout of a wait, and schedules a recheck at its end', () => {
    const { next, checkAgainAt } = decideReductions(
      inputOf({ ...leaving, queue: { m1: { replicas: 4 } }, reported: {} }),
    );
    expect([...next]).toEqual([['m1', { replicas: 4, gracePeriodSeconds: 600, creationTimestamp: NOW }]]);
    expect(checkAgainAt).toBe(NOW + 600_000);
  });

  it('records the grace period of the entry, not the default', () => {
    const queue = { m1: { replicas: 4, gracePeriodSeconds: 30 } };
    const { next, checkAgainAt } = decideReductions(inputOf({ ...leaving, queue, reported: {} }));
    expect([...next]).toEqual([['m1', { replicas: 4, gracePeriodSeconds: 30, creationTimestamp: NOW }]]);
    expect(checkAgainAt).toBe(NOW + 30_000);
  });

  it('leaves a time that was noted as it is', () => {
    const { next, checkAgainAt } = decideReductions(inputOf({ ...leaving, reported: {} }));
    expect([...next]).toEqual([['m1', { ...entry, creationTimestamp: Date.parse(begun) }]]);
    expect(checkAgainAt).toBe(Date.parse(begun) + 600_000);
  });

  it('schedules no recheck for an entry that waits for an operator', () => {
    const held = { replicas: 4, suppressDeletion: true };
    const { next, checkAgainAt } = decideReductions(inputOf({ ...leaving, queue: { m1: held } }));
    expect([[...next], checkAgainAt]).toEqual([[['m1', { ...held, creationTimestamp: NOW }]], undefined]);
  });

  it('restarts a grace period that expired while dispatching was suspended, because no replica could become ready', () => {
    const now = NOW + 3600_000;
    const suspended = { ...leaving, reported: {}, spec: { suspension: { dispatching: true } } };
    const { next, checkAgainAt } = decideReductions(inputOf(suspended, { now }));
    expect([...next]).toEqual([['m1', { ...entry, creationTimestamp: now }]]);
    expect(checkAgainAt).toBe(now + 600_000);
  });

  it.each([
    ['in the very moment in which it is over', '2026-11-21T12:08:00Z', '2026-11-21T12:18:00Z'],
    ['not a second before: it comes back then', '2026-11-21T12:07:59Z', '2026-11-21T12:08:00Z'],
  ])('restarts the wait %s', (_when, now, again) => {
    const suspended = { ...leaving, reported: {}, spec: { suspension: { dispatching: true } } };
    const { checkAgainAt } = decideReductions(inputOf(suspended, { now: Date.parse(now) }));
    expect(checkAgainAt).toBe(Date.parse(again));
  });

  it('schedules a recheck after at least one second', () => {
    const { checkAgainAt } = decideReductions(
      inputOf({ ...leaving, reported: {} }, { now: Date.parse('2026-11-21T12:07:59.700Z') }),
    );
    expect(checkAgainAt).toBe(Date.parse('2026-11-21T12:08:00.700Z'));
  });

  it('schedules a recheck for the earliest of several', () => {
    const later = { ...entry, creationTimestamp: '2026-11-21T11:59:00Z' };
    const { checkAgainAt } = decideReductions(
      inputOf({ assigned: { m3: 8 }, queue: { m1: later, m2: entry }, reported: {} }),
    );
    expect(checkAgainAt).toBe(Date.parse('2026-11-21T12:08:00Z'));
  });
});
