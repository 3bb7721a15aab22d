import { describe, expect, it } from 'vitest';
import { applyPatch } from '../../../shared/admission/apply-patch.ts';
import { compileMutation } from '../../../shared/admission/evaluate-rules.ts';
import { holdRules } from '../../../shared/graceful-reduction/hold-rules.ts';
import { QUEUE, REDUCTION_STRATEGY } from '../../../shared/graceful-reduction/replica-reduction.ts';
import { type BindingState, objectOf, stateOf } from './binding-states.ts';
import { OTHER_USER, OURS } from './hold-cases.ts';

const mutate = compileMutation(holdRules(OURS));
const request = { userInfo: { username: OTHER_USER } };

const asking = { [REDUCTION_STRATEGY]: 'DelayWorkDeletion' };
const before: BindingState = { notes: asking, clusters: { m1: 4, m2: 2 } };
const shrunk: BindingState = { notes: asking, clusters: { m2: 6 } };

type BindingObject = ReturnType<typeof objectOf>;

function stored(oldObject: object, object: object): ReturnType<typeof stateOf> {
  const steps = mutate({ object, oldObject, request });
  if (steps === undefined) throw new Error('the rules could not be evaluated');
  return stateOf(applyPatch(object, steps) as BindingObject);
}

const withClusters = (clusters: unknown, state = before): object => {
  const { spec, ...rest } = objectOf(state);
  return { ...rest, spec: { ...spec, clusters } };
};
const heldIn = ({ notes }: ReturnType<typeof stateOf>) => Object.keys(notes).filter((name) => name.startsWith(QUEUE));

const keptIn = ({ requiredBy }: ReturnType<typeof stateOf>) =>
  requiredBy.flatMap((line) => line.clusters.map(({ name, replicas }) => `${name} ${replicas}`));

describe('an object that is none', () => {
  it.each([
    null,
    undefined,
    'text',
    5,
    [],
    {},
    { spec: null },
    { metadata: null, spec: {} },
    { metadata: {}, spec: { clusters: 5 } },
  ])('goes through as it is: %j', (object) => {
    expect(mutate({ object, oldObject: objectOf(before), request }) ?? []).toEqual([]);
    expect(mutate({ object: objectOf(shrunk), oldObject: object, request }) ?? []).toEqual([]);
  });
});

describe('clusters', () => {
  it('that are absent or empty had nothing to lose', () => {
    for (const clusters of [undefined, []])
      expect(heldIn(stored(withClusters(clusters), objectOf(shrunk)))).toEqual([]);
  });

  it('without replicas, as of a ConfigMap, are not held', () => {
    expect(heldIn(stored(withClusters([{ name: 'm1' }, { name: 'm3' }]), objectOf(shrunk)))).toEqual([]);
  });

  it('that are named twice, which no scheduler does, are kept, and go with the entry', () => {
    const twice = [
      { name: 'm1', replicas: 4 },
      { name: 'm1', replicas: 4 },
    ];
    const held = stored(withClusters(twice), objectOf(shrunk));
    expect([heldIn(held), new Set(keptIn(held))]).toEqual([[`${QUEUE}m1`], new Set(['m1 4'])]);
    const after = { ...shrunk, kept: { m1: 4 } };
    expect(keptIn(stored(objectOf({ ...after, notes: held.notes }), objectOf(after)))).toEqual([]);
  });

  it('with as many replicas as an int32 holds are held with them', () => {
    const most = 2_147_483_647;
    const wanted = { ...shrunk, replicas: most };
    expect(keptIn(stored(withClusters([{ name: 'm1', replicas: most }]), objectOf(wanted)))).toEqual([`m1 ${most}`]);
  });
});

describe('an entry', () => {
  const held = { ...shrunk, notes: { ...asking, [`${QUEUE}m1`]: '{"replicas":4}' } };

  it.each([
    '',
    'null',
    '[]',
    '"replicas"',
    '{"replicas":"4"}',
    '{"replicas":4.5}',
    '{"replicas":-4}',
    '{"replicas":99999999999999999999}',
    '{"creationTimestamp":"x\\"},"}',
    `{"replicas":4,"note":"${'x'.repeat(10_000)}"}`,
    '{"gracePeriodSeconds":{"a":1},"suppressDeletion":"true"}',
    "'; DROP TABLE bindings; --",
    '{"replicas"\n:\t4}',
  ])('in place of one that holds holds on: %s', (entry) => {
    const after = { ...held, notes: { ...asking, [`${QUEUE}m1`]: entry } };
    const result = stored(objectOf(held), objectOf(after));
    expect(keptIn(result)).toEqual(['m1 4']);
    expect(result.notes[`${QUEUE}m1`]).toMatch(/^\{"replicas":4/);
  });

  it.each(['', 'x', '{"replicas":-4}', '{"replicas":99999999999999999999}'])(
    'without a replica count sets no member replicas: %j',
    (entry) => {
      const odd = { ...held, notes: { ...asking, [`${QUEUE}m1`]: entry } };
      const result = stored(objectOf(odd), objectOf({ ...odd, label: 'seen' }));
      expect([heldIn(result), keptIn(result)]).toEqual([[], []]);
    },
  );

  it.each(['{"replicas":9}', '{"replicas":1000000}'])(
    'written by another user on a cluster without replicas sets no member replicas: %s',
    (entry) => {
      const odd = { ...before, notes: { ...asking, [`${QUEUE}m3`]: entry } };
      const result = stored(objectOf(before), objectOf(odd));
      expect([heldIn(result), keptIn(result)]).toEqual([[], []]);
    },
  );

  it('whose cluster has no name is dropped once nothing is like it', () => {
    const odd = { ...before, notes: { ...asking, [QUEUE]: '{"replicas":4}' } };
    const result = stored(objectOf(odd), objectOf({ ...odd, notes: { ...odd.notes, seen: 'yes' }, replicas: 0 }));
    expect(heldIn(result)).toEqual([]);
  });
});

describe('annotations', () => {
  it('by names that JavaScript gives a meaning are annotations', () => {
    const odd = JSON.parse('{"constructor":"x","__proto__":"y","toString":"z"}') as Record<string, string>;
    const result = stored(
      objectOf({ ...before, notes: { ...odd, ...asking } }),
      objectOf({ ...shrunk, notes: { ...odd, ...asking } }),
    );
    expect(heldIn(result)).toEqual([`${QUEUE}m1`]);
  });
});

describe('an account', () => {
  it('with quotes in its name is still treated as another user', () => {
    const odd = `o'malley "the" \\ ${OTHER_USER}`;
    const entry = '{"replicas":4,"creationTimestamp":"2026-07-01T08:00:01Z"}';
    const held = { ...shrunk, notes: { ...asking, [`${QUEUE}m1`]: '{"replicas":4}' } };
    const after = objectOf({ ...held, notes: { ...asking, [`${QUEUE}m1`]: entry } });
    const noted = (username: string) => {
      const steps = compileMutation(holdRules(odd))({
        object: after,
        oldObject: objectOf(held),
        request: { userInfo: { username } },
      });
      return stateOf(applyPatch(after, steps ?? [])).notes[`${QUEUE}m1`];
    };
    expect([noted(odd), noted(OTHER_USER)]).toEqual([entry, '{"replicas":4}']);
  });
});
