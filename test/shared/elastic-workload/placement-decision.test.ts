import { describe, expect, it } from 'vitest';
import {
  type PlacementSlice,
  placementDecisions,
  placements,
  selectionOf,
} from '../../../shared/elastic-workload/placement-decision.ts';

const metadata = {
  name: 'all',
  namespace: 'shop',
  uid: 'u',
  resourceVersion: '1',
  creationTimestamp: '2026-11-22T10:00:00Z',
};

function slice(...clusters: readonly string[]): PlacementSlice {
  const labels = { 'cluster.open-cluster-management.io/placement': 'all' };
  const decisions = clusters.map((clusterName) => ({ clusterName, reason: '' }));
  return placementDecisions.parse({ metadata: { ...metadata, name: 'all-decision-1', labels }, status: { decisions } });
}

function placement(status: object) {
  return placements.parse({ metadata, spec: {}, status });
}

describe('the decision of a Placement', () => {
  it('is the clusters of all slices, each once, by name', () => {
    const selection = selectionOf(placement({ numberOfSelectedClusters: 3 }), [slice('c', 'a'), slice('b', 'a')]);
    expect(selection).toEqual({ clusters: ['a', 'b', 'c'], whole: true });
  });

  it('is not whole while the slices have fewer clusters than the placement has selected', () => {
    expect(selectionOf(placement({ numberOfSelectedClusters: 150 }), [slice('a')]).whole).toBe(false);
  });

  it('is incomplete before there is any PlacementDecision, or before the Placement was scheduled', () => {
    expect(selectionOf(placement({ numberOfSelectedClusters: 0 }), []).whole).toBe(false);
    expect(selectionOf(placement({}), [slice()]).whole).toBe(false);
  });

  it('may be empty: the number is omitted if it is 0', () => {
    const unsatisfied = placement({ conditions: [{ type: 'PlacementSatisfied', status: 'False' }] });
    expect(selectionOf(unsatisfied, [slice()])).toEqual({ clusters: [], whole: true });
  });

  it('names its placement by label, and survives a slice without a status', () => {
    expect(slice('a')).toMatchObject({ placement: 'all', namespace: 'shop', clusters: ['a'] });
    expect(placementDecisions.parse({ metadata }).clusters).toEqual([]);
  });
});
