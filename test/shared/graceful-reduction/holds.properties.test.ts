/** That what our function writes is what admission makes of the same queue, for any binding that is stored. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mergePatch } from '../../../local/practice-hub/store/patches.ts';
import { applyPatch } from '../../../shared/admission/apply-patch.ts';
import { compileMutation } from '../../../shared/admission/evaluate-rules.ts';
import { holdRules } from '../../../shared/graceful-reduction/hold-rules.ts';
import { queuePatch } from '../../../shared/graceful-reduction/holds.ts';
import { QUEUE, queueOf, REDUCTION_STRATEGY } from '../../../shared/graceful-reduction/replica-reduction.ts';
import { type PlacedBinding, parsePlacedBinding } from '../../../shared/karmada/placed-binding.ts';
import { cases } from '../../depth.ts';
import { bindingObject } from '../../placed-objects.ts';

const US = 'system:serviceaccount:evenkeel:evenkeel';
const theirs = { namespace: 'shop', name: 'front-deployment', clusters: [{ name: 'm3', replicas: 1 }] };
const failover = { fromCluster: 'm3', producer: 'TaintManager', reason: 'TaintUntolerated' };

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
    return admitted(object, object, 'a-user');
  });

const mutation = compileMutation(holdRules(US));

function admitted(oldObject: object, object: object, username: string): object {
  const steps = mutation({ oldObject, object, request: { userInfo: { username } } });
  if (steps === undefined) throw new Error('the rules could not be evaluated');
  return applyPatch(object, steps);
}

/** The fields on which users and Karmada act. */
function effects(object: object): object {
  const { metadata, spec } = parsePlacedBinding(object);
  const names = spec.suspension?.dispatchingOnClusters?.clusterNames ?? [];
  return { annotations: metadata.annotations, lines: (spec.requiredBy ?? []).map(textOf), names };
}

function textOf({ namespace, name, clusters }: NonNullable<PlacedBinding['spec']['requiredBy']>[number]): string {
  const targets = (clusters ?? []).map((target) => `${target.name} ${String(target.replicas)}`).sort();
  return `${namespace}/${name}: ${targets.join(', ')}`;
}

describe('the write of our function', () => {
  it('equals the mutation that admission derives from the queue alone', () => {
    fc.assert(
      fc.property(stored, some, (object, released) => {
        const binding = parsePlacedBinding(object);
        const next = new Map([...queueOf(binding)].filter(([name]) => !released.includes(name)));
        const ofAnnotations = structuredClone(object) as { metadata: { annotations: Record<string, string> } };
        for (const name of released) delete ofAnnotations.metadata.annotations[`${QUEUE}${name}`];
        const patch = queuePatch(binding, next);
        const written = patch === undefined ? object : (mergePatch(object, patch) as object);
        expect(effects(written)).toEqual(effects(admitted(object, ofAnnotations, 'a-user')));
        expect(effects(admitted(object, written, US))).toEqual(effects(written));
      }),
      { numRuns: cases({ few: 100, all: 300 }) },
    );
  });
});
