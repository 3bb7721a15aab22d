/** The cases on which Karmada's division and ours are timed, and how their answers are compared. */
import { describe, expect, it } from 'vitest';
import { casesOf, requestOf } from '../../bench/assignment/cases.ts';
import { differences } from '../../bench/assignment/differences.ts';
import { sum } from '../../shared/core/sum.ts';
import { assignReplicas } from '../../shared/karmada/assignment/assign-replicas.ts';

const cases = casesOf([
  { clusters: 10, replicas: 10 },
  { clusters: 100, replicas: 100_000 },
  { clusters: 5000, replicas: 10 },
]);

describe('the cases of the assignment bench', () => {
  it.each(cases.map((asked) => [asked.name, asked] as const))(
    '%s: every replica is assigned to a cluster',
    (_, asked) => {
      const assignment = assignReplicas(requestOf(asked));
      const placed = assignment.outcome === 'Assigned' ? sum(assignment.clusters.map(({ replicas }) => replicas)) : 0;
      expect([assignment.outcome, placed]).toEqual(['Assigned', asked.replicas]);
    },
  );

  it.each(cases.map((asked) => [asked.name, asked] as const))(
    '%s: no two clusters have the same capacity or appear twice in the current assignment',
    (_, { clusters, current }) => {
      const held = new Map(current.map(({ name, replicas }) => [name, replicas]));
      expect(new Set(clusters.map(({ available }) => available)).size).toBe(clusters.length);
      // With equal capacities the order of clusters is undefined, and two correct results may differ.
      expect(new Set(held.keys()).size).toBe(current.length);
    },
  );

  it('cover every strategy, and every way to divide by capacity', () => {
    const ways = cases.map(({ strategy, mode, current, replicas }) => {
      const assigned = sum(current.map((one) => one.replicas));
      return `${strategy} ${mode} ${assigned === 0 ? 'first' : assigned < replicas ? 'up' : assigned > replicas ? 'down' : 'same'}`;
    });
    expect([...new Set(ways)].sort()).toEqual([
      'Aggregated Fresh same',
      'DynamicWeight Fresh same',
      'DynamicWeight Steady down',
      'DynamicWeight Steady first',
      'DynamicWeight Steady up',
      'StaticWeight Steady first',
    ]);
  });
});

describe('two assignments', () => {
  it('are equal in any order of clusters, and if one lists clusters without replicas', () => {
    const ours = [
      { name: 'a', replicas: 1 },
      { name: 'b', replicas: 2 },
    ];
    expect(differences(ours, [...ours].reverse())).toEqual([]);
    expect(differences(ours, [...ours, { name: 'c', replicas: 0 }])).toEqual([]);
  });

  it('differ by each cluster with another number of replicas', () => {
    const ours = [
      { name: 'a', replicas: 1 },
      { name: 'b', replicas: 2 },
    ];
    const theirs = [
      { name: 'a', replicas: 2 },
      { name: 'c', replicas: 1 },
    ];
    expect(differences(ours, theirs)).toEqual([
      'a has 1 here and 2 there',
      'b has 2 here and 0 there',
      'c has 0 here and 1 there',
    ]);
  });
});
