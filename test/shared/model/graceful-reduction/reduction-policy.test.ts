/** How a policy's words about reductions come onto its bindings, and go again. */
import { describe, expect, it } from 'vitest';
import {
  carriedWords,
  reductionPolicies,
  reductionPolicyKind,
} from '../../../../shared/model/graceful-reduction/reduction-policy.ts';

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
  return carriedWords({ metadata: { ...metadata, namespace: 'shop', generation: 1, annotations: on } }, from);
}

const says = { [STRATEGY]: 'DelayWorkDeletion', [GRACE]: '30' };
const stands = { ...says, [FROM]: 'PropagationPolicy shop/web' };

describe("a policy's words", () => {
  it('are brought onto its binding, with whose they are', () => {
    expect(carried({ other: 'x' }, policy({ ...says, unrelated: 'y' }))).toEqual(stands);
  });

  it('stand there once', () => {
    expect(carried(stands, policy(says))).toBeUndefined();
  });

  it('follow the policy', () => {
    expect(carried(stands, policy({ [STRATEGY]: 'DelayWorkDeletion', [SUPPRESS]: 'true' }))).toEqual({
      [GRACE]: null,
      [SUPPRESS]: 'true',
    });
  });

  it('go when the policy says nothing any more, or is gone', () => {
    const gone = { [STRATEGY]: null, [GRACE]: null, [FROM]: null };
    expect([carried(stands, policy({})), carried(stands, undefined)]).toEqual([gone, gone]);
  });

  it('give way to what a person wrote on the binding itself', () => {
    expect(carried({ [STRATEGY]: 'DelayWorkDeletion' }, policy(says))).toBeUndefined();
  });

  it('name the policy that the binding is of now', () => {
    const other = reductionPolicyKind({ namespace: '' }).parse({
      metadata: { ...metadata, name: 'all', annotations: says },
    });
    expect(carried(stands, other)).toEqual({ [FROM]: 'ClusterPropagationPolicy all' });
  });

  it('are read from the field where the hub has one', () => {
    expect(carried({}, policy({}, { replicaReductionStrategy: 'DelayWorkDeletion' }))).toEqual({
      [STRATEGY]: 'DelayWorkDeletion',
      [FROM]: 'PropagationPolicy shop/web',
    });
  });

  it('leave alone how long a person has it wait, where no policy asks for it', () => {
    expect([carried({ [GRACE]: '30' }, policy({})), carried({ [GRACE]: '30' }, undefined)]).toEqual([
      undefined,
      undefined,
    ]);
  });

  it('are all that is read of it', () => {
    expect(policy({ ...says, 'kubectl.kubernetes.io/last-applied-configuration': '{}' }).words).toEqual(says);
  });

  it('are none where it only says how long', () => {
    expect(carried({}, policy({ [GRACE]: '30' }))).toBeUndefined();
  });
});

describe('policies that may ask for it', () => {
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

  it('are told by their kind where they cannot be read', () => {
    for (const { kind, parse } of reductionPolicies)
      expect(() => parse({ metadata: { name: 'web' } })).toThrow(new RegExp(`^${kind} web cannot be read`));
  });
});
