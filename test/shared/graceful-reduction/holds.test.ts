/** What is written to have reductions held or released; holds.properties.test.ts shows that admission finds nothing to add to it. */
import { describe, expect, it } from 'vitest';
import { onVersion, queuePatch, suspendedByOthers } from '../../../shared/graceful-reduction/holds.ts';
import {
  QUEUE,
  queueOf,
  REQUIRED_BY,
  type ReplicaReductionTask,
} from '../../../shared/graceful-reduction/replica-reduction.ts';
import { bindingOf } from './binding-scene.ts';

const CREATED = Date.parse('2026-11-21T11:58:00Z');
const task: ReplicaReductionTask = { replicas: 4, gracePeriodSeconds: 600, creationTimestamp: CREATED };
const entry = { ...task, creationTimestamp: '2026-11-21T11:58:00Z' };
const ours = { ...REQUIRED_BY, clusters: [{ name: 'm1', replicas: 4 }] };
const theirs = { namespace: 'shop', name: 'front-deployment', clusters: [{ name: 'm3', replicas: 1 }] };
const released = { 'evenkeel.dev/replica-reduction-released-for': '2026-11-21T11:59:50Z' };

describe('queuePatch', () => {
  it('holds a cluster that is no longer assigned with a requiredBy entry', () => {
    expect(queuePatch(bindingOf({ assigned: { m2: 8 } }), new Map([['m1', task]]))).toEqual({
      metadata: {
        annotations: {
          [`${QUEUE}m1`]: '{"replicas":4,"gracePeriodSeconds":600,"creationTimestamp":"2026-11-21T11:58:00Z"}',
        },
      },
      spec: {
        requiredBy: [ours],
      },
    });
  });

  it('holds a cluster that is scaled down by suspending its dispatching', () => {
    const { spec } = queuePatch(bindingOf({ assigned: { m1: 2, m2: 6 } }), new Map([['m1', task]])) ?? {};
    expect(spec).toEqual({ suspension: { dispatchingOnClusters: { clusterNames: ['m1'] } } });
  });

  it("releases by taking both away, and leaves others' lines and suspensions as they are", () => {
    const held = bindingOf({
      assigned: { m2: 2, m3: 6 },
      queue: { m1: entry, m2: entry },
      spec: {
        requiredBy: [theirs, ours],
        suspension: { dispatchingOnClusters: { clusterNames: ['m2', 'm3'] } },
      },
    });
    expect(suspendedByOthers(held)).toEqual(['m3']);
    expect(queuePatch(held, new Map())).toEqual({
      metadata: { annotations: { [`${QUEUE}m1`]: null, [`${QUEUE}m2`]: null, ...released } },
      spec: { requiredBy: [theirs], suspension: { dispatchingOnClusters: { clusterNames: ['m3'] } } },
    });
  });

  it('leaves no empty fields if nothing else was required or suspended', () => {
    const left = bindingOf({ assigned: { m2: 8 }, queue: { m1: entry }, spec: { requiredBy: [ours] } });
    expect(queuePatch(left, new Map())?.spec).toEqual({ requiredBy: null });
    const spec = { suspension: { dispatchingOnClusters: { clusterNames: ['m1'] } } };
    const shrunk = bindingOf({ assigned: { m1: 2, m2: 6 }, queue: { m1: entry }, spec });
    expect(queuePatch(shrunk, new Map())?.spec).toEqual({ suspension: { dispatchingOnClusters: null } });
  });

  it('records no scheduling time of a binding that was never scheduled', () => {
    const status = { lastScheduledTime: null };
    const left = bindingOf({ assigned: { m2: 8 }, queue: { m1: entry }, spec: { requiredBy: [ours] }, status });
    expect(queuePatch(left, new Map())?.metadata).toEqual({ annotations: { [`${QUEUE}m1`]: null } });
  });

  it('releases one of several holds, and keeps the others', () => {
    const both = { ...ours, clusters: [...ours.clusters, { name: 'm2', replicas: 4 }] };
    const held = bindingOf({ assigned: { m3: 8 }, queue: { m1: entry, m2: entry }, spec: { requiredBy: [both] } });
    expect(queuePatch(held, new Map([['m1', task]]))).toEqual({
      metadata: { annotations: { [`${QUEUE}m2`]: null, ...released } },
      spec: { requiredBy: [ours] },
    });
  });

  it('recognises only entries with both our names as ours', () => {
    const alike = [
      { ...theirs, name: REQUIRED_BY.name },
      { ...theirs, namespace: REQUIRED_BY.namespace },
    ];
    const held = bindingOf({ assigned: { m2: 8 }, queue: { m1: entry }, spec: { requiredBy: [...alike, ours] } });
    expect(queuePatch(held, new Map())?.spec).toEqual({ requiredBy: alike });
  });

  it('accepts our entry in any order that admission wrote it', () => {
    const names = ['m1', 'm2', 'm3'];
    const queue = Object.fromEntries(names.map((name) => [name, entry]));
    const clusters = ['m3', 'm1', 'm2'].map((name) => ({ name, replicas: 4 }));
    const held = bindingOf({ assigned: { m4: 12 }, queue, spec: { requiredBy: [{ ...ours, clusters }] } });
    expect(queuePatch(held, queueOf(held))).toBeUndefined();
  });

  it('restores an entry of ours that another user emptied', () => {
    const emptied = bindingOf({ assigned: { m2: 8 }, queue: { m1: entry }, spec: { requiredBy: [REQUIRED_BY] } });
    expect(queuePatch(emptied, queueOf(emptied))).toEqual({ spec: { requiredBy: [ours] } });
  });

  it('is applied only to the resource version that it was computed from', () => {
    const binding = bindingOf({ assigned: { m2: 8 }, metadata: { resourceVersion: '41' } });
    expect(onVersion(binding, { metadata: { annotations: { a: null } }, spec: {} })).toEqual({
      metadata: { annotations: { a: null }, resourceVersion: '41' },
      spec: {},
    });
  });

  it('suspends only clusters that are not suspended yet, after the entries of others', () => {
    const spec = { suspension: { dispatchingOnClusters: { clusterNames: ['m1', 'm3'] } } };
    const held = bindingOf({ assigned: { m1: 2, m2: 2, m3: 8 }, queue: { m1: entry, m2: entry }, spec });
    expect(queuePatch(held, queueOf(held))?.spec).toEqual({
      suspension: { dispatchingOnClusters: { clusterNames: ['m1', 'm3', 'm2'] } },
    });
  });

  it('reports no suspended cluster if a suspension lists no clusters', () => {
    expect(suspendedByOthers(bindingOf({ assigned: { m2: 8 }, spec: { suspension: { dispatching: true } } }))).toEqual(
      [],
    );
  });

  it('restores what another user removed', () => {
    const wiped = bindingOf({ assigned: { m1: 2, m2: 6 }, queue: { m1: entry } });
    expect(queuePatch(wiped, queueOf(wiped))).toEqual({
      spec: { suspension: { dispatchingOnClusters: { clusterNames: ['m1'] } } },
    });
  });

  it('is empty if everything is up to date', () => {
    const held = bindingOf({ assigned: { m2: 8 }, queue: { m1: entry }, spec: { requiredBy: [theirs, ours] } });
    expect(queuePatch(held, queueOf(held))).toBeUndefined();
  });
});
