/** Which reductions can still be held although the write that made them added no hold. */
import { describe, expect, it } from 'vitest';
import { unheldReductions } from '../../../shared/graceful-reduction/unheld-reductions.ts';
import { type Around, inputOf, NOW, type Scene } from './binding-scene.ts';

/** 4/4 became 0/8 ten seconds ago, and m1 still has its four. */
const missed: Scene = { assigned: { m2: 8 }, reported: { m1: 4, m2: { ready: 4, replicas: 8 } } };
const held = { replicas: 4, creationTimestamp: NOW };

const unheld = (scene: Scene, context?: Around) => Object.fromEntries(unheldReductions(inputOf(scene, context)));

describe('a reduction without a hold', () => {
  it('is held with the replicas that the member still reports', () => {
    expect(unheld(missed)).toEqual({ m1: held });
  });

  it('is held if a cluster is scaled down', () => {
    expect(unheld({ ...missed, assigned: { m1: 2, m2: 6 } })).toEqual({ m1: held });
  });

  it('is held for the duration in the binding', () => {
    const annotations = { 'evenkeel.dev/replica-reduction-grace-period-seconds': '30' };
    expect(unheld({ ...missed, annotations })).toEqual({ m1: { ...held, gracePeriodSeconds: 30 } });
  });
});

describe('a binding without a late hold', () => {
  const cases: readonly (readonly [string, Scene, Around?])[] = [
    ['where nothing asks for it', { ...missed, annotations: { 'evenkeel.dev/replica-reduction-strategy': undefined } }],
    ['when the others are ready: it would be released at once', { ...missed, reported: { m1: 4, m2: 8 } }],
    ['when it is held already', { ...missed, queue: { m1: { replicas: 4 } } }],
    [
      "where Karmada's failover is at work",
      { ...missed, spec: { gracefulEvictionTasks: [{ fromCluster: 'm1', producer: 'TaintManager' }] } },
    ],
    [
      'if a user suspended dispatching',
      {
        ...missed,
        assigned: { m1: 2, m2: 6 },
        spec: { suspension: { dispatchingOnClusters: { clusterNames: ['m1'] } } },
      },
    ],
    ['on a cluster that is not Ready: it may be long done', missed, { unready: ['m1'] }],
    ['when nothing of it is ready there', { ...missed, reported: { m1: { ready: 0, replicas: 4 }, m2: 4 } }],
    [
      'in the middle of a rollout, which has pods to spare',
      { ...missed, assigned: { m1: 4, m2: 8 }, reported: { m1: { ready: 4, replicas: 5, updated: 2 }, m2: 4 } },
    ],
    [
      'by a report of before',
      { ...missed, reported: { m1: { ready: 4, generation: 3, observedGeneration: 2 }, m2: 4 } },
    ],
    ['longer after the scheduling than it may wait', missed, { graceSeconds: 10 }],
    [
      'when it was released since',
      { ...missed, annotations: { 'evenkeel.dev/replica-reduction-released-for': '2026-11-21T11:59:50Z' } },
    ],
    ['scaled to 0', { ...missed, replicas: 0 }],
    ['when it is being deleted', { ...missed, metadata: { deletionTimestamp: '2026-11-21T11:59:59Z' } }],
    ['when it was never scheduled', { ...missed, status: { lastScheduledTime: null } }],
    [
      'nor since its status was lost',
      {
        ...missed,
        annotations: { 'evenkeel.dev/replica-reduction-released-for': '2026-11-21T11:00:00Z' },
        status: { lastScheduledTime: undefined },
      },
    ],
    ['on a cluster that has what it is to have', { ...missed, assigned: { m1: 4, m2: 8 } }],
    ['on a cluster that the hub does not know', missed, { absent: ['m1'] }],
  ];
  it.each(cases.map(([description, scene, context]) => ({ description, scene, context })))(
    '$description',
    ({ scene, context }) => {
      expect(unheld(scene, context)).toEqual({});
    },
  );

  it('but a hold that was released before the last scheduling is finished', () => {
    const annotations = { 'evenkeel.dev/replica-reduction-released-for': '2026-11-21T11:00:00Z' };
    expect(unheld({ ...missed, annotations })).toEqual({ m1: held });
  });
});
