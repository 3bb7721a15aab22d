/** Which clusters' capacity may decide the assignment of a binding, and whether capacity decides at all. */
import { describe, expect, it } from 'vitest';
import {
  countsCapacity,
  goesEverywhere,
  possibleClusters,
} from '../../../../shared/karmada/assignment/plan-scheduling.ts';
import {
  AGGREGATED,
  byStaticWeight,
  cluster,
  clusters,
  DUPLICATED,
  DYNAMIC,
  placedBinding,
} from '../../../placed-objects.ts';

const three = clusters({ m1: 20, m2: 20, m3: 20 });
const tainted = cluster('m4', { taints: [{ key: 'gpu', effect: 'NoSchedule' }] });

describe('clusters whose capacity may decide', () => {
  it.each<[string, object, readonly string[]]>([
    ['are all that fit', {}, ['m1', 'm2', 'm3']],
    ['are those of its affinity', { clusterAffinity: { clusterNames: ['m2', 'm4'] } }, ['m2']],
    [
      'are those of any of its terms, each once',
      {
        clusterAffinities: [
          { affinityName: 'near', clusterNames: ['m3', 'm1'] },
          { affinityName: 'far', clusterNames: ['m2', 'm3'] },
        ],
      },
      ['m1', 'm3', 'm2'],
    ],
    ['are none where there are no terms', { clusterAffinities: [] }, []],
    ['are those whose taints it tolerates', { clusterTolerations: [{ operator: 'Exists' }] }, ['m1', 'm2', 'm3', 'm4']],
  ])('%s', (_, placement, names) => {
    const possible = possibleClusters(placedBinding({ placement }), [...three, tainted]);
    expect(possible.map(({ name }) => name)).toEqual(names);
  });

  it('are all matching clusters without a placement', () => {
    expect(possibleClusters(placedBinding({ placement: null }), three)).toHaveLength(3);
  });
});

describe('whether capacity decides', () => {
  const two = [{ spreadByField: 'cluster', maxGroups: 2 }];
  it.each<[string, object | null, boolean]>([
    ['it does by dynamic weight', { replicaScheduling: DYNAMIC }, true],
    ['it does where replicas are kept together', { replicaScheduling: AGGREGATED }, true],
    ['it does not by static weights', { replicaScheduling: byStaticWeight({ m1: 1 }) }, false],
    [
      'nor by static weights with a constraint, which they ignore',
      { replicaScheduling: byStaticWeight({ m1: 1 }), spreadConstraints: two },
      false,
    ],
    [
      'it does with missing weights and a constraint',
      { replicaScheduling: { replicaSchedulingType: 'Divided' }, spreadConstraints: two },
      true,
    ],
    ['it does not with missing weights', { replicaScheduling: { replicaSchedulingType: 'Divided' } }, false],
    ['it does not for what goes everywhere', { replicaScheduling: DUPLICATED }, false],
    ['it does if only some clusters get all replicas', { replicaScheduling: DUPLICATED, spreadConstraints: two }, true],
    [
      'it does by static weights if the clusters overflow to others',
      { replicaScheduling: byStaticWeight({ m1: 1 }), clusterAffinities: [{ overflowAffinities: [{}] }] },
      true,
    ],
    ['nor without a placement', null, false],
  ])('%s', (_, placement, counts) => {
    expect(countsCapacity(placedBinding({ placement }))).toBe(counts);
  });

  it('it does not for a workload that is scaled to zero', () => {
    const spec = { replicaRequirements: { resourceRequest: { cpu: '1' } } };
    expect(countsCapacity(placedBinding({ replicas: 0, spec }))).toBe(false);
  });
});

describe('a workload that goes to all clusters', () => {
  it.each<[string, Parameters<typeof placedBinding>[0], boolean]>([
    ['is what is Duplicated', { placement: { replicaScheduling: DUPLICATED } }, true],
    ['is what has no word for it', { placement: null }, true],
    ['is what has no replicas', { replicas: 0 }, true],
    ['is not what is divided', {}, false],
    [
      'is not one with an unknown division',
      { placement: { replicaScheduling: { replicaSchedulingType: 'Halved' } } },
      false,
    ],
  ])('%s', (_, parts, everywhere) => {
    expect(goesEverywhere(placedBinding(parts))).toBe(everywhere);
  });
});
