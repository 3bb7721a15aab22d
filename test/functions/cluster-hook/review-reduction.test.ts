/** The webhook's answers about bindings and their policies: the same tables as those of the rules. */
import { describe, expect, it } from 'vitest';
import { reviewAdmission } from '../../../functions/cluster-hook/review-admission.ts';
import { applyPatch } from '../../../shared/admission/apply-patch.ts';
import type { PatchStep } from '../../../shared/admission/evaluate-rules.ts';
import { QUEUE, REDUCTION_STRATEGY } from '../../../shared/graceful-reduction/replica-reduction.ts';
import { type BindingState, objectOf, stateOf } from '../../shared/graceful-reduction/binding-states.ts';
import { holdWrites, OTHER_USER, OURS } from '../../shared/graceful-reduction/hold-cases.ts';
import { entryWrites, type ReductionWrite, wordWrites } from '../../shared/graceful-reduction/reduction-cases.ts';

const bindings = { group: 'work.karmada.io', version: 'v1alpha2', resource: 'resourcebindings' };
const policies = { group: 'policy.karmada.io', version: 'v1alpha1', resource: 'propagationpolicies' };

interface Response {
  readonly allowed: boolean;
  readonly patchType?: string;
  readonly patch?: string;
  readonly status?: { readonly message: string };
}

function ask(over: object, account: string | undefined = OURS) {
  const request = { uid: 'u-1', resource: bindings, operation: 'UPDATE', userInfo: { username: OTHER_USER }, ...over };
  const body = JSON.stringify({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', request });
  const { answer, reason } = reviewAdmission(body, account);
  const { response } = answer as { response: Response };
  const steps = JSON.parse(Buffer.from(response.patch ?? 'W10=', 'base64').toString()) as readonly PatchStep[];
  return { response, reason, steps };
}

const asking = { [REDUCTION_STRATEGY]: 'DelayWorkDeletion' };
const before: BindingState = { notes: asking, clusters: { m1: 4, m2: 2 } };
const shrunk: BindingState = { notes: asking, clusters: { m2: 6 } };
const held: BindingState = { ...shrunk, notes: { ...asking, [`${QUEUE}m1`]: '{"replicas":4}' } };
const reduction = { object: objectOf(shrunk), oldObject: objectOf(before) };

describe('a review of a binding of which', () => {
  it.each(holdWrites)('$description', ({ before: was, after, stored = after, by = OTHER_USER }) => {
    const [object, oldObject] = [objectOf(after), objectOf(was)];
    const { response, steps } = ask({ object, oldObject, userInfo: { username: by } });
    expect([response.allowed, response.patchType]).toEqual([true, steps.length > 0 ? 'JSONPatch' : undefined]);
    expect(stateOf(applyPatch(object, steps))).toEqual(stateOf(objectOf(stored)));
  });

  it.each(['resourcebindings', 'clusterresourcebindings'])('replicas are taken away is held, for %s', (resource) => {
    expect(ask({ ...reduction, resource: { ...bindings, resource } }).reason).toBe('Held');
  });

  it('removes replicas is held if our account is unknown: every writer then counts as another user', () => {
    expect(ask(reduction, undefined).steps).toEqual(ask(reduction).steps);
  });

  it('removes all replicas of a cluster returns patches in an applicable order, with the slash of an annotation escaped', () => {
    expect(ask(reduction).steps.map(({ op, path }) => `${op} ${path}`)).toEqual([
      'add /metadata/annotations/replica-reduction-queue.evenkeel.dev~1m1',
      'add /spec/requiredBy',
      'add /spec/requiredBy/-',
    ]);
  });
});

describe('a review of a binding', () => {
  it('that is created has nothing to hold', () => {
    expect(ask({ ...reduction, operation: 'CREATE', oldObject: null })).toMatchObject({ reason: 'Valid', steps: [] });
  });

  it.each([
    ['its status', { subResource: 'status' }],
    ['a delete', { operation: 'DELETE', object: null }],
  ])('for %s is of no concern', (_, over) => {
    expect(ask({ ...reduction, ...over })).toMatchObject({ response: { allowed: true }, reason: 'OfNoConcern' });
  });

  it.each([
    ['no user', { object: objectOf(held), oldObject: objectOf(held), userInfo: undefined }],
    [
      'clusters that are none',
      { ...reduction, object: { spec: { clusters: 'm1', replicas: 6 }, metadata: { annotations: asking } } },
    ],
    [
      'a task without a producer',
      {
        ...reduction,
        object: { ...objectOf(shrunk), spec: { ...objectOf(shrunk).spec, gracefulEvictionTasks: [{}] } },
      },
    ],
  ])('with %s goes through unchanged, with a warning', (_, over) => {
    const { response, reason } = ask(over);
    expect([response.allowed, response.patch, reason.split(' ')[0]]).toEqual([true, undefined, 'Unevaluated']);
  });

  it('of more than 2,000 clusters goes through as it is: to compare them would take longer than the API server waits', () => {
    const clusters = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`m${i}`, 4]));
    const of = (count: number) =>
      ask({ object: objectOf(shrunk), oldObject: objectOf({ notes: asking, clusters: clusters(count) }) });
    expect([of(2001).reason, of(2001).steps]).toEqual(['TooManyClusters', []]);
    expect(of(2000).reason).toBe('Held');
  });

  it('does not take the names of what JavaScript has for clusters', () => {
    const names = ['constructor', '__proto__', 'toString'];
    const clusters = names.map((name) => ({ name, replicas: 2 }));
    const oldObject = { ...objectOf(before), spec: { ...objectOf(before).spec, clusters } };
    const { steps } = ask({ object: objectOf(shrunk), oldObject });
    const [line] = stateOf(applyPatch(objectOf(shrunk), steps)).requiredBy;
    expect(line?.clusters.map(({ name }) => name)).toEqual(names.toSorted());
  });
});

function words(resource: object, { before: was, after }: ReductionWrite) {
  const of = (annotations: object) => ({ metadata: { name: 'web', annotations }, spec: { replicas: 2 } });
  const operation = was ? 'UPDATE' : 'CREATE';
  return ask({ resource, operation, object: of(after), oldObject: was ? of(was) : null }).response;
}

const expected = ({ rejection }: ReductionWrite) =>
  rejection === undefined ? { allowed: true } : { allowed: false, status: { message: rejection } };

describe('a review of a policy with', () => {
  it.each(wordWrites)('$description', (write) => {
    expect(words(policies, write)).toMatchObject(expected(write));
    expect(words({ ...policies, resource: 'clusterpropagationpolicies' }, write)).toMatchObject(expected(write));
  });
});

describe('a review of a binding with', () => {
  it.each([...wordWrites, ...entryWrites])('$description', (write) => {
    expect(words(bindings, write)).toMatchObject(expected(write));
  });
});
