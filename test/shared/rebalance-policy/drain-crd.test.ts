/** The CustomResourceDefinition of ClusterDrain, on the practice hub. */
import { beforeEach, describe, expect, it } from 'vitest';
import { createObjectStore } from '../../../local/practice-hub/store/object-store.ts';
import type { ObjectStore } from '../../../local/practice-hub/store/objects.ts';
import { parseClusterDrain, policyKind } from '../../../shared/rebalance-policy/cluster-drain.ts';
import { drainCrd } from '../../../shared/rebalance-policy/drain-crd.ts';
import { user } from '../../fakes/practice-fleet.ts';

let store: ObjectStore;
const kind = { apiVersion: 'evenkeel.dev/v1alpha1', kind: 'ClusterDrain' };
const create = (spec: object, name = 'member1') =>
  store.create('clusterdrains', { ...kind, metadata: { name }, spec }, user);
const edit = (spec: object) =>
  store.patch('clusterdrains', { namespace: '', name: 'member1' }, { type: 'merge', body: { spec } }, user);

beforeEach(() => {
  store = createObjectStore({ now: () => Date.parse('2026-11-21T10:00:00Z'), newUid: () => 'uid' });
});

describe('a ClusterDrain', () => {
  it('needs only a cluster; its waves are those of a policy', () => {
    const read = parseClusterDrain(create({ cluster: 'member1' }));
    expect(read).toMatchObject({
      drains: 'member1',
      spec: {
        suspend: false,
        dryRun: false,
        triggers: {},
        strategy: { waves: { pause: '0s', readyWithin: '10m' }, coolDown: '0s', requireGracefulReduction: false },
      },
    });
    expect(policyKind(read).kind).toBe('ClusterDrain');
  });

  it.each([
    [{}, 'spec.cluster: Required value'],
    [{ cluster: '' }, 'spec.cluster: Invalid value'],
    [{ cluster: 'm', until: 'tomorrow' }, 'spec.until'],
    [{ cluster: 'm', strategy: { waves: { size: 501 } } }, 'spec.strategy.waves.size: Invalid value: 501'],
    [{ cluster: 'm', strategy: { waves: { size: 1, percent: 1 } } }, 'write one of them'],
    [{ cluster: 'm', strategy: { waves: { readyWithin: '1s' } } }, 'write a duration from 10s to 24h'],
  ])('is rejected with %j, with the field and what to write', (spec, message) => {
    expect(() => create(spec)).toThrow(message);
  });

  it('has a time when it ends, which may be changed', () => {
    const until = '2026-11-21T12:00:00Z';
    expect(parseClusterDrain(create({ cluster: 'member1', until })).until).toBe(Date.parse(until));
    const later = '2026-11-21T15:00:00+02:00';
    expect(parseClusterDrain(edit({ until: later })).until).toBe(Date.parse(later));
  });

  it('keeps its cluster', () => {
    create({ cluster: 'member1' });
    expect(() => edit({ cluster: 'member2' })).toThrow(
      'spec.cluster is member1, and cannot change; delete this ClusterDrain, and create one for member2',
    );
    expect(edit({ suspend: true }).spec).toMatchObject({ suspend: true });
  });

  it('is shown with its cluster, its state, and whether that is drained', () => {
    const { versions } = (drainCrd() as { spec: { versions: { additionalPrinterColumns: { name: string }[] }[] } })
      .spec;
    expect(versions[0]?.additionalPrinterColumns.map(({ name }) => name)).toEqual([
      ...['CLUSTER', 'STATE', 'DRAINED', 'UNTIL', 'LAST-RUN', 'WAVES', 'DONE', 'MOVED', 'SUSPEND', 'DRY-RUN'],
      ...['SKIPPED', 'MESSAGE', 'AGE'],
    ]);
  });
});
