import { describe, expect, it } from 'vitest';
import { elasticGroups } from '../../../shared/elastic-workload/elastic-groups.ts';
import { elasticKind, elasticOfWork, workName } from '../../../shared/elastic-workload/elastic-workload.ts';
import { elasticOf, plain } from './elastic-cases.ts';

const [workload, scheduling] = elasticGroups;
const longest = { namespace: 'n'.repeat(63), name: 'w'.repeat(63) };

describe('the ManifestWorks of an ElasticWorkload', () => {
  it.each([
    [workload, 'elasticworkload.shop.web'],
    [scheduling, 'elasticworkload-scheduling.shop.web'],
  ] as const)('of %s are called %s, and belong to it by that name', (group = workload, name) => {
    const key = { namespace: 'shop', name: 'web' };
    expect(workName({ group, key })).toBe(name);
    expect(elasticOfWork(name)).toEqual({ group, ...key });
  });

  it.each(elasticGroups)('have a name that a hub takes, however long the names of it are (%s)', (group) => {
    const name = workName({ group, key: longest });
    // With the hash of the hub before it, the agent names an object on the managed cluster after it.
    expect(name.length + 65).toBeLessThanOrEqual(253);
    expect(elasticOfWork(name)).toEqual({ group, ...longest });
  });

  it.each([
    'web',
    'elasticworkload',
    'elasticworkload.shop',
    'elasticworkload.shop.web.eu',
    'elasticworkload..web',
    'elasticworkload.shop.',
    'elasticworkloads.shop.web',
    'addon-elasticworkload.shop.web',
    'constructor.shop.web',
  ])('do not include one named %s', (name) => {
    expect(elasticOfWork(name)).toBeUndefined();
  });
});

describe('an ElasticWorkload', () => {
  it.each(elasticGroups)('is read as one of the group that it was asked of: %s', (group) => {
    const { metadata, ...rest } = elasticOf('web', plain, group) as { metadata: object };
    const written = { uid: 'u', resourceVersion: '7', creationTimestamp: '2026-11-21T08:00:00Z' };
    expect(elasticKind(group).parse({ ...rest, metadata: { ...metadata, ...written } })).toMatchObject({
      group,
      key: { namespace: 'default', name: 'web' },
      generation: 1,
      finalizers: [],
      status: {},
      spec: { target: plain.target, balanceStrategy: { type: 'None' } },
    });
  });

  it('that is unreadable is reported by name and field', () => {
    const written = { name: 'web', uid: 'u', resourceVersion: '7', creationTimestamp: '2026-11-21T08:00:00Z' };
    expect(() => elasticKind(workload).parse({ metadata: written, spec: { ...plain, target: {} } })).toThrow(
      'ElasticWorkload web cannot be read: spec.target.type:',
    );
  });
});
