import { describe, expect, it } from 'vitest';
import { contains, stateOf, viewOf } from '../../../console/fleet/fleet-view.ts';
import { cellText } from '../../../console/fleet/heat-text.ts';
import type { FleetAnswer } from '../../../shared/console-api/operations/fleet.ts';
import { workOf } from '../../work.ts';

const cluster = (name: string) => ({ name, drainable: false, healthy: true, ready: true, taints: [] });
const workload = (
  namespace: string,
  name: string,
  shares: FleetAnswer['workloads'][number]['shares'],
  replicas = 0,
) => ({
  ...{ kind: 'Deployment', namespace, name, replicas, shares },
  key: { namespace, name: `${name}-deployment` },
});

const fleet: FleetAnswer = {
  clusters: ['member1', 'member2', 'edge1'].map(cluster),
  workloads: [
    workload(
      'shop',
      'web',
      [
        [0, 4, 4, 0],
        [1, 2, 1, 0],
      ],
      6,
    ),
    workload('media', 'api', [[2, 9, 9, 2]], 9),
    workload('shop', 'cache', [], 0),
  ],
};
const all = { workload: '', cluster: '', which: 'all', order: 'name' } as const;
const namesOf = (wanted: Partial<Parameters<typeof viewOf>[1]>) =>
  viewOf(fleet, { ...all, ...wanted }).rows.map(({ workload: { name } }) => name);

describe('the heat map', () => {
  it('is sorted by namespace and name by default, or by size, lateness or holds', () => {
    expect(namesOf({})).toEqual(['api', 'cache', 'web']);
    expect(namesOf({ order: 'replicas' })).toEqual(['api', 'web', 'cache']);
    expect(namesOf({ order: 'behind' })).toEqual(['web', 'api', 'cache']);
    expect(namesOf({ order: 'held' })).toEqual(['api', 'cache', 'web']);
  });

  it('is filtered by words of kind, namespace and name, and by state', () => {
    expect(namesOf({ workload: 'WEB shop' })).toEqual(['web']);
    expect(namesOf({ workload: 'deployment' })).toEqual(['api', 'cache', 'web']);
    expect(namesOf({ workload: 'shop/c' })).toEqual(['cache']);
    expect(namesOf({ which: 'behind' })).toEqual(['web']);
    expect(namesOf({ which: 'held' })).toEqual(['api']);
  });

  it('finds the column of a share when clusters are filtered out', () => {
    const view = viewOf(fleet, { ...all, cluster: 'edge' });
    expect(view.columns.map(({ cluster: { name }, place }) => [name, place])).toEqual([['edge1', 2]]);
    expect([...view.columnOfPlace]).toEqual([-1, -1, 0]);
  });

  it('keeps its colours under a filter', () => {
    expect(viewOf(fleet, { ...all, workload: 'web' }).most).toBe(9);
  });

  it('counts replicas by cluster', () => {
    expect(viewOf(fleet, all).columns.map(({ replicas }) => replicas)).toEqual([9, 4, 2]);
  });

  it('sorts names naturally: member2 before member10', () => {
    const clusters = ['member10', 'member2', 'member1'].map(cluster);
    expect(viewOf({ clusters, workloads: [] }, all).columns.map(({ place }) => place)).toEqual([2, 1, 0]);
  });

  it('describes a cell as text', () => {
    const view = viewOf(fleet, all);
    expect(cellText(view, { row: 2, column: 2 })).toBe('shop/web on member2: 2 assigned, 1 ready');
    expect(cellText(view, { row: 0, column: 0 })).toBe(
      'media/api on edge1: 9 assigned, 9 ready, 2 held until replaced',
    );
    expect(cellText(view, { row: 1, column: 1 })).toBe('shop/cache on member1: none');
    expect(cellText(view, { row: 9, column: 0 })).toBe('');
  });

  it('does the same work per workload for a fleet of 5,000 as for one of 500', async () => {
    const shares = Array.from({ length: 35 }, (_, place): [number, number, number, number] => [place, 3, 3, 0]);
    const fleet = (workloads: number): FleetAnswer => ({
      clusters: Array.from({ length: 200 }, (_, place) => cluster(`member${place}`)),
      workloads: Array.from({ length: workloads }, (_, place) => workload('shop', `web-${place}`, shares, 105)),
    });
    const large = fleet(5000);
    expect(viewOf(large, { ...all, workload: 'web-49' }).rows).toHaveLength(111);
    const ten = await workOf(() => viewOf(fleet(500), all));
    expect(await workOf(() => viewOf(large, all))).toBeLessThan(12 * ten);
  });
});

describe('the state of a cluster', () => {
  function drain(state: string) {
    return { name: 'member1', state, message: '' };
  }

  it.each([
    [{ ready: true, healthy: true, taints: [] }, 'ready'],
    [{ ready: false, healthy: false, taints: ['a:NoExecute'] }, 'not ready'],
    [{ ready: true, healthy: false, taints: ['a:NoExecute'] }, 'tainted'],
    [{ ready: true, healthy: false, taints: [] }, 'leaving'],
    [{ ready: true, healthy: false, taints: ['a:NoSchedule'], drain: drain('Running') }, 'draining'],
    [{ ready: true, healthy: false, taints: ['a:NoSchedule'], drain: drain('Drained') }, 'drained'],
    [{ ready: false, healthy: false, taints: ['a:NoExecute'], drain: drain('Drained') }, 'not ready'],
  ])('%j is %s', (of, state) => {
    expect(stateOf({ name: 'member1', drainable: true, ...of })).toBe(state);
  });
});

describe('typed words', () => {
  it('match only texts that contain all of them', () => {
    expect(contains('Deployment shop/web', '  ')).toBe(true);
    expect(contains('Deployment shop/web', 'shop api')).toBe(false);
  });
});
