import { describe, expect, it } from 'vitest';
import { foundNames, namesOfHub } from '../../console/search-names.ts';
import { fakeFleet } from './fake-fleet.ts';

const fleet = fakeFleet({ clusters: 2, workloads: 34 });
const names = namesOfHub('eu', {
  ...{ fleet, tasks: [{ name: 'nightly-1' }, { name: 'member-fix' }] },
  policies: [{ name: 'nightly' }],
});
const found = (text: string) => foundNames(names, text).map(({ kind, name }) => `${kind} ${name}`);

describe('the names of a hub', () => {
  it('are found by a part, those that begin with it first', () => {
    expect(found('NIGHT')).toEqual(['policy nightly', 'task nightly-1']);
    expect(found('member')).toEqual(['cluster member1', 'cluster member2', 'task member-fix']);
    expect(found('fix')).toEqual(['task member-fix']);
  });

  it('are of workloads with their namespace, which the text may leave out', () => {
    expect(found('shop/web')).toContain('Deployment shop/web');
    expect(found('web')[0]).toBe('Deployment shop/web');
  });

  it('lead to their pages', () => {
    const routes = ['member1', 'nightly', 'nightly-1', 'shop/web'].map((text) => foundNames(names, text)[0]?.route);
    expect(routes).toMatchObject([
      { page: 'cluster', hub: 'eu', cluster: 'member1' },
      { page: 'policy', hub: 'eu', name: 'nightly' },
      { page: 'task', hub: 'eu', name: 'nightly-1' },
      { page: 'workload', hub: 'eu', namespace: 'shop' },
    ]);
  });

  it('are at most twelve, and none for an empty text or before anything is read', () => {
    expect(found('a').length).toBe(12);
    expect(found('  ')).toEqual([]);
    expect(foundNames(namesOfHub('eu', { fleet: undefined, tasks: undefined, policies: undefined }), 'a')).toEqual([]);
  });
});
