/** How a policy's words about reductions come onto its bindings, and go again. */
import { describe, expect, it } from 'vitest';
import {
  carriedAnnotations,
  reductionPolicies,
  reductionPolicyKind,
} from '../../../shared/graceful-reduction/reduction-policy.ts';

const STRATEGY = 'evenkeel.dev/replica-reduction-strategy';
const GRACE = 'evenkeel.dev/replica-reduction-grace-period-seconds';
const SUPPRESS = 'evenkeel.dev/replica-reduction-suppress-deletion';
const FROM = 'evenkeel.dev/replica-reduction-strategy-from';

type Annotations = Readonly<Record<string, string>>;

const metadata = { name: 'web', uid: 'uid-web', resourceVersion: '3', creationTimestamp: '2026-11-20T10:00:00Z' };

function policy(annotations: Annotations, spec: object = {}) {
  return reductionPolicyKind({ namespace: 'shop' }).parse({
    metadata: { ...metadata, namespace: 'shop', annotations },
    spec,
  });
}

function carried(on: Annotations, from: ReturnType<typeof policy> | undefined) {
  return carriedAnnotations({ metadata: { ...metadata, namespace: 'shop', generation: 1, annotations: on } }, from);
}

const description = { [STRATEGY]: 'DelayWorkDeletion', [GRACE]: '30' };
const stands = { ...description, [FROM]: 'PropagationPolicy shop/web' };

describe('the annotations of a policy', () => {
  it('are copied to its binding, with the name of the policy', () => {
    expect(carried({ other: 'x' }, policy({ ...description, unrelated: 'y' }))).toEqual(stands);
  });

  it('stand there once', () => {
    expect(carried(stands, policy(description))).toBeUndefined();
  });

  it('follow the policy', () => {
    expect(carried(stands, policy({ [STRATEGY]: 'DelayWorkDeletion', [SUPPRESS]: 'true' }))).toEqual({
      [GRACE]: null,
      [SUPPRESS]: 'true',
    });
  });

  it('are removed when the policy has none any more, or is deleted', () => {
    const gone = { [STRATEGY]: null, [GRACE]: null, [FROM]: null };
    expect([carried(stands, policy({})), carried(stands, undefined)]).toEqual([gone, gone]);
  });

  it('are overridden by an annotation that a user wrote on the binding itself', () => {
    expect(carried({ [STRATEGY]: 'DelayWorkDeletion' }, policy(description))).toBeUndefined();
  });

  it('are those of a drain while one of its reductions is held, and then those of the policy again', () => {
    const drained = { ...description, [GRACE]: '604800', [FROM]: 'ClusterDrain of m1' };
    const held = { ...drained, 'replica-reduction-queue.evenkeel.dev/m1': '{"replicas":4}' };
    expect([carried(held, policy({})), carried(held, policy(description))]).toEqual([undefined, undefined]);
    expect(carried(drained, policy({}))).toEqual({ [STRATEGY]: null, [GRACE]: null, [FROM]: null });
    expect(carried(drained, policy(description))).toEqual({ [GRACE]: '30', [FROM]: 'PropagationPolicy shop/web' });
  });

  it('name the policy that the binding is of now', () => {
    const other = reductionPolicyKind({ namespace: '' }).parse({
      metadata: { ...metadata, name: 'all', annotations: description },
    });
    expect(carried(stands, other)).toEqual({ [FROM]: 'ClusterPropagationPolicy all' });
  });

  it('are read from the spec field if the hub has it', () => {
    expect(carried({}, policy({}, { replicaReductionStrategy: 'DelayWorkDeletion' }))).toEqual({
      [STRATEGY]: 'DelayWorkDeletion',
      [FROM]: 'PropagationPolicy shop/web',
    });
  });

  it('keep the suppressDeletion of a user if no policy requests it', () => {
    expect([carried({ [GRACE]: '30' }, policy({})), carried({ [GRACE]: '30' }, undefined)]).toEqual([
      undefined,
      undefined,
    ]);
  });

  it('are all that is read of it', () => {
    expect(policy({ ...description, 'kubectl.kubernetes.io/last-applied-configuration': '{}' }).annotations).toEqual(
      description,
    );
  });

  it('are empty if the policy sets only the duration', () => {
    expect(carried({}, policy({ [GRACE]: '30' }))).toBeUndefined();
  });
});

describe('policies with a reduction strategy', () => {
  it('are of a namespace or of the whole cluster', () => {
    expect(reductionPolicies.map(({ plural }) => plural)).toEqual([
      'propagationpolicies',
      'clusterpropagationpolicies',
    ]);
    expect(['shop', ''].map((namespace) => reductionPolicyKind({ namespace }).plural)).toEqual([
      'propagationpolicies',
      'clusterpropagationpolicies',
    ]);
  });

  it('are reported by their kind if they are unreadable', () => {
    const read = reductionPolicies.map(
      ({ parse }) =>
        () =>
          parse({ metadata: { name: 'web' } }),
    );
    expect(read).toHaveLength(2);
    expect(read[0]).toThrow(/^PropagationPolicy web cannot be read/);
    expect(read[1]).toThrow(/^ClusterPropagationPolicy web cannot be read/);
  });
});
