/** Texts that a spec takes, and such that it does not: names and paths. */
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { elasticObject, elasticSpec, elasticStatus } from '../../../shared/elastic-workload/elastic-workload-schema.ts';
import { plain } from './elastic-cases.ts';

const takes = (spec: object) => z.safeParse(elasticSpec, { ...plain, ...spec }).success;
const scaledBy = (scale: object) => takes({ target: { ...plain.target, scale: { resource: 'rings', ...scale } } });
const long = 'x'.repeat(62);

describe('a path of replicas', () => {
  it.each([
    ['replicas', true],
    ['a', true],
    ['_a', true],
    ['a1_B', true],
    ['a.b', true],
    ['a.b.c.d.e.f.g.h', true],
    ['a.b.c.d.e.f.g.h.i', false],
    [`a${long}`, true],
    [`a${long}x`, false],
    ['1a', false],
    ['a-b', false],
    ['a..b', false],
    ['a.', false],
    ['a[0]', false],
    ['', false],
  ])('goes down to %s: %s', (below, is) => {
    expect([
      scaledBy({ specReplicasPath: `.spec.${below}` }),
      scaledBy({ readyReplicasPath: `.status.${below}` }),
    ]).toEqual([is, is]);
  });

  it.each([
    ['spec.replicas', 'status.replicas'],
    ['x.spec.replicas', 'x.status.replicas'],
    ['.specreplicas', '.statusreplicas'],
    ['.status.replicas', '.spec.replicas'],
    ['.spec', '.status'],
  ])('does not begin as %s, nor as %s', (specReplicasPath, readyReplicasPath) => {
    expect([scaledBy({ specReplicasPath }), scaledBy({ readyReplicasPath })]).toEqual([false, false]);
  });

  it('defaults to the path of most kinds', () => {
    const spec = z.parse(elasticSpec, { ...plain, target: { ...plain.target, scale: { resource: 'rings' } } });
    expect(spec.target.scale).toEqual({
      resource: 'rings',
      specReplicasPath: '.spec.replicas',
      readyReplicasPath: '.status.readyReplicas',
    });
  });
});

describe('a namespace on managed clusters, or the plural of a kind', () => {
  it.each([
    ['a', true],
    ['a1', true],
    ['a-b', true],
    ['0', true],
    ['-a', false],
    ['a-', false],
    ['A', false],
    ['a.b', false],
    ['a b', false],
    ['', false],
  ])('may be %j: %s', (name, is) => {
    expect([takes({ spokeNamespace: name }), scaledBy({ resource: name })]).toEqual([is, is]);
  });
});

describe('the values of a spec', () => {
  it.each<[object, boolean]>([
    [{ distributionStrategy: { totalReplicas: 1, type: 'Even' } }, true],
    [{ distributionStrategy: { totalReplicas: 1, type: 'Weighted', weighted: {} } }, true],
    [{ distributionStrategy: { totalReplicas: 1, type: '' } }, false],
    [{ balanceStrategy: { transfer: 'Conservative' } }, true],
    [{ balanceStrategy: { transfer: '' } }, false],
    [{ statusCollection: { type: 'PollingGet' } }, true],
    [{ statusCollection: { type: 'Feedback' } }, true],
    [{ statusCollection: { type: '' } }, false],
    [{ target: { ...plain.target, type: '' } }, false],
    [{ target: { type: 'Inline', inline: { apiVersion: 'v1', kind: 'A', metadata: {} } } }, false],
  ])('%j are taken: %s', (spec, is) => {
    expect(takes(spec)).toBe(is);
  });
});

describe('a status', () => {
  it('is read with all that is reported', () => {
    const status = {
      ...{ observedGeneration: 2, selector: 'a=b', replicas: 4, readyReplicas: 3, desiredReplicas: 4 },
      numberOfClusters: 1,
      clusters: [
        { name: 'm1', share: 4, replicas: 4, observedReplicas: 4, readyReplicas: 3, reason: 'Short', message: 'why' },
      ],
      manifestWorks: [{ namespace: 'm1', name: 'w' }],
      conditions: [
        {
          ...{ type: 'Balanced', status: 'True', reason: 'a', message: 'b' },
          lastTransitionTime: '2026-11-22T10:00:00Z',
          observedGeneration: 2,
        },
      ],
    };
    expect(z.parse(elasticStatus, status)).toEqual(status);
    expect(z.parse(elasticObject, { spec: plain, status })).toMatchObject({ status });
    expect(z.parse(elasticObject, { spec: plain })).not.toHaveProperty('status');
  });

  it.each([{ clusters: [{}] }, { manifestWorks: [{}] }, { conditions: [{}] }, { replicas: 1.5 }])(
    'is not %j',
    (status) => {
      expect(z.safeParse(elasticStatus, status).success).toBe(false);
    },
  );
});
