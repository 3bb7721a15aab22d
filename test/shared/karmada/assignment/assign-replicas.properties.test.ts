/** Replica assignment by what must hold for any input. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type AssignmentRequest,
  assignReplicas,
  type CandidateCluster,
} from '../../../../shared/karmada/assignment/assign-replicas.ts';
import type { Strategy } from '../../../../shared/karmada/assignment/placement.ts';
import { rankClusters } from '../../../../shared/karmada/assignment/rank-clusters.ts';

const dividing = fc.constantFrom<Strategy>({ kind: 'DynamicWeight' }, { kind: 'Aggregated' });
const anything = fc.constantFrom<Strategy>(
  { kind: 'DynamicWeight' },
  { kind: 'Aggregated' },
  { kind: 'StaticWeight', weights: [{ targetCluster: { clusterNames: ['m1', 'm3'] }, weight: 2 }] },
  { kind: 'StaticWeight', weights: [] },
);

function anyRequest(strategy: fc.Arbitrary<Strategy>): fc.Arbitrary<AssignmentRequest> {
  const member = fc.record({ available: fc.nat(40), held: fc.nat(30), candidate: fc.boolean() });
  return fc
    .record({
      replicas: fc.nat(80),
      strategy,
      members: fc.array(member, { minLength: 1, maxLength: 8 }),
      mode: fc.constantFrom<AssignmentRequest['mode']>('Steady', 'Fresh'),
      uid: fc.string({ maxLength: 3 }),
    })
    .map(({ members, ...rest }) => ({
      ...rest,
      clusters: members.flatMap(({ available, candidate }, i) => (candidate ? [{ name: `m${i}`, available }] : [])),
      current: new Map(members.flatMap(({ held }, i) => (held > 0 ? [[`m${i}`, held] as const] : []))),
    }));
}

function assign(request: AssignmentRequest): ReadonlyMap<string, number> | undefined {
  const assignment = assignReplicas(request);
  return assignment.outcome === 'Assigned'
    ? new Map(assignment.clusters.map(({ name, replicas }) => [name, replicas]))
    : undefined;
}

function held(request: AssignmentRequest): number {
  return request.clusters.reduce((sum, { name }) => sum + (request.current.get(name) ?? 0), 0);
}

describe('assignReplicas', () => {
  it('assigns exactly the replicas asked for, to candidates only, by name', () => {
    fc.assert(
      fc.property(anyRequest(anything), (request) => {
        const result = assign(request);
        if (result === undefined) return;
        expect([...result.values()].reduce((sum, replicas) => sum + replicas, 0)).toBe(request.replicas);
        const candidates = request.clusters.map(({ name }) => name);
        expect([...result.keys()].filter((name) => !candidates.includes(name))).toEqual([]);
        expect([...result.keys()]).toEqual([...result.keys()].sort());
        expect([...result.values()].every((replicas) => replicas > 0)).toBe(true);
      }),
    );
  });
  it('never assigns more new replicas to a cluster than its available replicas', () => {
    fc.assert(
      fc.property(anyRequest(dividing), (request) => {
        for (const { name, available } of request.clusters) {
          const added = (assign(request)?.get(name) ?? 0) - (request.current.get(name) ?? 0);
          expect(added).toBeLessThanOrEqual(available);
        }
      }),
    );
  });
  it('is unschedulable exactly if the available replicas do not suffice', () => {
    fc.assert(
      fc.property(anyRequest(dividing), (request) => {
        fc.pre(request.clusters.length > 0);
        const own = held(request);
        const capacity = request.clusters.reduce((sum, { available }) => sum + available, 0);
        const enough = own + capacity >= request.replicas || (request.mode === 'Steady' && own >= request.replicas);
        expect(assignReplicas(request).outcome).toBe(enough ? 'Assigned' : 'Unschedulable');
      }),
    );
  });
  it('Steady never moves a replica without need: scaling up only adds, scaling down only removes', () => {
    fc.assert(
      fc.property(anyRequest(dividing), (fresh) => {
        const request: AssignmentRequest = { ...fresh, mode: 'Steady' };
        const result = assign(request);
        if (result === undefined) return;
        for (const { name } of request.clusters) {
          const [before, after] = [request.current.get(name) ?? 0, result.get(name) ?? 0];
          if (held(request) <= request.replicas) expect(after).toBeGreaterThanOrEqual(before);
          if (held(request) >= request.replicas) expect(after).toBeLessThanOrEqual(before);
        }
      }),
    );
  });
  it('moves no replica when it runs again without changes, in either mode', () => {
    fc.assert(
      fc.property(anyRequest(dividing), (request) => {
        const result = assign(request);
        if (result === undefined) return;
        const clusters = request.clusters.map(({ name, available }) => ({
          name,
          available: available + (request.current.get(name) ?? 0) - (result.get(name) ?? 0),
        }));
        expect(assign({ ...request, clusters, current: result })).toEqual(result);
      }),
    );
  });
  it('does not depend on the order in which clusters are listed, if they are ranked', () => {
    const ranked = ({ current }: AssignmentRequest, candidates: readonly CandidateCluster[]) =>
      rankClusters({ candidates, current, available: ({ available }) => available, tierOf: () => 0 });
    fc.assert(
      fc.property(anyRequest(anything), (request) => {
        const assignment = assign({ ...request, clusters: ranked(request, request.clusters) });
        const reversed = [...request.clusters].reverse();
        expect(assign({ ...request, clusters: ranked(request, reversed) })).toEqual(assignment);
      }),
    );
  });
  it('spreads replicas over clusters of equal capacity with a difference of at most one', () => {
    fc.assert(
      fc.property(fc.nat(200), fc.integer({ min: 1, max: 9 }), fc.string(), (replicas, count, uid) => {
        const clusters = Array.from({ length: count }, (_, i) => ({ name: `m${i}`, available: 200 }));
        const result = assign({
          replicas,
          clusters,
          uid,
          strategy: { kind: 'DynamicWeight' },
          current: new Map(),
          mode: 'Steady',
        });
        const shares = clusters.map(({ name }) => result?.get(name) ?? 0);
        expect(Math.max(...shares) - Math.min(...shares)).toBeLessThanOrEqual(1);
      }),
    );
  });
  it('assigns no fewer replicas to a cluster with a higher weight', () => {
    fc.assert(
      fc.property(fc.nat(300), capacities, weighing, (replicas, weights, by) => {
        const result = byWeight(replicas, weights, by);
        if (result === undefined) return;
        for (const [i, weight] of weights.entries())
          for (const [j, other] of weights.entries())
            if (weight > other) expect(result.get(`m${i}`) ?? 0).toBeGreaterThanOrEqual(result.get(`m${j}`) ?? 0);
      }),
    );
  });
  it('assigns no fewer replicas to a cluster if its weight rises and the others keep theirs', () => {
    fc.assert(
      fc.property(fc.nat(300), capacities, weighing, fc.integer({ min: 1, max: 60 }), (replicas, weights, by, more) => {
        const [before, after] = [weights, weights.with(0, (weights[0] ?? 0) + more)].map((each) =>
          byWeight(replicas, each, by),
        );
        if (before !== undefined) expect(after?.get('m0') ?? 0).toBeGreaterThanOrEqual(before.get('m0') ?? 0);
      }),
    );
  });
  it('moves, when Steady, exactly the difference of the replica counts', () => {
    fc.assert(
      fc.property(anyRequest(dividing), (fresh) => {
        const request: AssignmentRequest = { ...fresh, mode: 'Steady' };
        const result = assign(request);
        if (result === undefined) return;
        const moved = request.clusters.reduce(
          (sum, { name }) => sum + Math.abs((result.get(name) ?? 0) - (request.current.get(name) ?? 0)),
          0,
        );
        expect(moved).toBe(Math.abs(request.replicas - held(request)));
      }),
    );
  });
});

const capacities = fc.array(fc.integer({ min: 1, max: 120 }), { minLength: 1, maxLength: 8 });
const weighing = fc.constantFrom('DynamicWeight', 'StaticWeight');

/** Divided for the first time, each cluster with this weight: its available replicas, or the weight of its rule. */
function byWeight(
  replicas: number,
  weights: readonly number[],
  by: 'DynamicWeight' | 'StaticWeight',
): ReadonlyMap<string, number> | undefined {
  const rules = weights.map((weight, i) => ({ targetCluster: { clusterNames: [`m${i}`] }, weight }));
  return assign({
    replicas,
    strategy: by === 'StaticWeight' ? { kind: by, weights: rules } : { kind: by },
    clusters: weights.map((available, i) => ({ name: `m${i}`, available })),
    current: new Map(),
    mode: 'Steady',
    uid: '',
  });
}
