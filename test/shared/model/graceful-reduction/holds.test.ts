/** What is written to have reductions held or released; and that admission finds nothing to add to it. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mergePatch } from '../../../../local/practice-hub/store/patches.ts';
import { applyPatch } from '../../../../shared/model/admission/apply-patch.ts';
import { compileMutation } from '../../../../shared/model/admission/evaluate-rules.ts';
import { holdRules } from '../../../../shared/model/admission/hold-rules.ts';
import { queuePatch, suspendedByOthers } from '../../../../shared/model/graceful-reduction/holds.ts';
import {
  QUEUE,
  queueOf,
  REDUCTION_STRATEGY,
  REQUIRED_BY,
  type ReplicaReductionTask,
} from '../../../../shared/model/graceful-reduction/replica-reduction.ts';
import { type PlacedBinding, parsePlacedBinding } from '../../../../shared/model/placed-binding.ts';
import { bindingObject } from '../../../placed-objects.ts';
import { bindingOf } from './binding-scene.ts';

const US = 'system:serviceaccount:evenkeel:evenkeel';
const CREATED = Date.parse('2026-11-21T11:58:00Z');
const task: ReplicaReductionTask = { replicas: 4, gracePeriodSeconds: 600, creationTimestamp: CREATED };
const entry = { ...task, creationTimestamp: '2026-11-21T11:58:00Z' };
const ours = { ...REQUIRED_BY, clusters: [{ name: 'm1', replicas: 4 }] };
const theirs = { namespace: 'shop', name: 'front-deployment', clusters: [{ name: 'm3', replicas: 1 }] };
const failover = { fromCluster: 'm3', producer: 'TaintManager', reason: 'TaintUntolerated' };
const released = { 'evenkeel.dev/replica-reduction-released-for': '2026-11-21T11:59:50Z' };

describe('queuePatch', () => {
  it('holds a cluster that is no longer assigned by requiring what it has', () => {
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

  it('holds a cluster that is assigned less by suspending what is dispatched to it', () => {
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

  it('puts back what somebody took away', () => {
    const wiped = bindingOf({ assigned: { m1: 2, m2: 6 }, queue: { m1: entry } });
    expect(queuePatch(wiped, queueOf(wiped))).toEqual({
      spec: { suspension: { dispatchingOnClusters: { clusterNames: ['m1'] } } },
    });
  });

  it('changes nothing where all is as it should be', () => {
    const held = bindingOf({ assigned: { m2: 8 }, queue: { m1: entry }, spec: { requiredBy: [ours] } });
    expect(queuePatch(held, queueOf(held))).toBeUndefined();
  });
});

const CLUSTERS = ['m1', 'm2', 'm3', 'm4'];
const some = fc.subarray(CLUSTERS);
const sizes = fc.dictionary(fc.constantFrom(...CLUSTERS), fc.integer({ min: 0, max: 9 }));

/** A binding that is stored: whatever admission makes of one with any assignment, queue, tasks and suspension. */
const stored = fc
  .record({ assigned: sizes, kept: sizes, evicted: some, suspended: some })
  .map(({ assigned, kept, evicted, suspended }) => {
    const queue = Object.entries(kept).map(
      ([name, size]) => [`${QUEUE}${name}`, JSON.stringify({ replicas: size })] as const,
    );
    const object = bindingObject({
      replicas: 20,
      current: assigned,
      metadata: { annotations: { [REDUCTION_STRATEGY]: 'DelayWorkDeletion', ...Object.fromEntries(queue) } },
      spec: {
        requiredBy: [theirs],
        gracefulEvictionTasks: evicted.map((fromCluster) => ({ ...failover, fromCluster })),
        suspension: { dispatchingOnClusters: { clusterNames: suspended } },
      },
      status: { lastScheduledTime: '2026-11-21T11:59:50Z' },
    });
    return admitted(object, object, 'a-person');
  });

const mutation = compileMutation(holdRules(US));

function admitted(oldObject: object, object: object, username: string): object {
  const steps = mutation({ oldObject, object, request: { userInfo: { username } } });
  if (steps === undefined) throw new Error('the rules could not be evaluated');
  return applyPatch(object, steps);
}

/** What people and Karmada act on. */
function effects(object: object): object {
  const { metadata, spec } = parsePlacedBinding(object);
  const names = spec.suspension?.dispatchingOnClusters?.clusterNames ?? [];
  return { annotations: metadata.annotations, lines: (spec.requiredBy ?? []).map(textOf), names };
}

function textOf({ namespace, name, clusters }: NonNullable<PlacedBinding['spec']['requiredBy']>[number]): string {
  const targets = (clusters ?? []).map((target) => `${target.name} ${String(target.replicas)}`).sort();
  return `${namespace}/${name}: ${targets.join(', ')}`;
}

describe('what our function writes', () => {
  it('is what admission would make of the queue alone', () => {
    fc.assert(
      fc.property(stored, some, (object, released) => {
        const binding = parsePlacedBinding(object);
        const next = new Map([...queueOf(binding)].filter(([name]) => !released.includes(name)));
        const ofAnnotations = structuredClone(object) as { metadata: { annotations: Record<string, string> } };
        for (const name of released) delete ofAnnotations.metadata.annotations[`${QUEUE}${name}`];
        const patch = queuePatch(binding, next);
        const written = patch === undefined ? object : (mergePatch(object, patch) as object);
        expect(effects(written)).toEqual(effects(admitted(object, ofAnnotations, 'a-person')));
        expect(effects(admitted(object, written, US))).toEqual(effects(written));
      }),
      { numRuns: 300 },
    );
  });
});
