import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hrefOf, parseRoute, routeOf, titleOf } from '../../console/route.ts';

describe('the page’s addresses', () => {
  it.each([
    ['', { page: 'home' }],
    ['#/', { page: 'home' }],
    ['#/health', { page: 'health' }],
    ['#/practice', { page: 'fleet', hub: 'practice' }],
    ['#/practice/fleet', { page: 'fleet', hub: 'practice' }],
    ['#/practice/tasks', { page: 'tasks', hub: 'practice' }],
    ['#/practice/tasks/nightly', { page: 'task', hub: 'practice', name: 'nightly' }],
    ['#/practice/decisions', { page: 'decisions', hub: 'practice' }],
    ['#/practice/clusters/member1', { page: 'cluster', hub: 'practice', cluster: 'member1' }],
    ['#/practice/policies', { page: 'policies', hub: 'practice' }],
    ['#/practice/policies/home', { page: 'policy', hub: 'practice', name: 'home' }],
    ['#/practice/runs/r-1', { page: 'run', hub: 'practice', run: 'r-1' }],
    [
      '#/practice/workloads/shop/web-deployment',
      { page: 'workload', hub: 'practice', namespace: 'shop', name: 'web-deployment' },
    ],
    [
      '#/practice/workloads/-/viewer-clusterrole',
      { page: 'workload', hub: 'practice', namespace: '', name: 'viewer-clusterrole' },
    ],
    ['#/ocm/elastic/shop/web', { page: 'elastic', hub: 'ocm', namespace: 'shop', name: 'web' }],
    ['#/practice/clouds', { page: 'unknown', hash: '#/practice/clouds' }],
    ['#/practice/tasks/a/b', { page: 'unknown', hash: '#/practice/tasks/a/b' }],
    ['#/%E0%A4%A', { page: 'unknown', hash: '#/%E0%A4%A' }],
  ])('%s', (hash, route) => {
    expect(parseRoute(hash)).toEqual(route);
  });

  it('parse to the page that they were made of, for any name', () => {
    const word = fc.string({ minLength: 1, maxLength: 40, unit: 'grapheme' });
    fc.assert(
      fc.property(
        word,
        fc.oneof(
          fc.constant(''),
          word.filter((text) => text !== '-'),
        ),
        word,
        (hub, namespace, name) => {
          const workload = { page: 'workload', hub, namespace, name } as const;
          const task = { page: 'task', hub, name } as const;
          expect(parseRoute(hrefOf(workload))).toEqual(workload);
          expect(parseRoute(hrefOf(task))).toEqual(task);
          const cluster = { page: 'cluster', hub, cluster: name } as const;
          expect(parseRoute(hrefOf(cluster))).toEqual(cluster);
          const policy = { page: 'policy', hub, name } as const;
          expect(parseRoute(hrefOf(policy))).toEqual(policy);
        },
      ),
    );
  });

  it('lead from the map to a binding, and to an ElasticWorkload, which has none', () => {
    const key = { namespace: 'shop', name: 'web' };
    expect(hrefOf(routeOf('ocm', { kind: 'ElasticWorkload of Deployment', key }))).toBe('#/ocm/elastic/shop/web');
    expect(hrefOf(routeOf('eu', { kind: 'Deployment', key }))).toBe('#/eu/workloads/shop/web');
  });

  it('have the object first in the tab title, because tabs are truncated at their end', () => {
    expect(titleOf({ page: 'workload', hub: 'practice', namespace: 'shop', name: 'web-deployment' })).toBe(
      'web-deployment · Workload · Evenkeel',
    );
    expect(titleOf({ page: 'fleet', hub: 'practice' })).toBe('Fleet · practice · Evenkeel');
  });
});
