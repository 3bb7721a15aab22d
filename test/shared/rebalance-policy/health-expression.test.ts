import { describe, expect, it } from 'vitest';
import { compileHealth, flawOfHealth, healthKind } from '../../../shared/rebalance-policy/health-expression.ts';

const resource = { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: 'web' };
const m1 = {
  clusterName: 'm1',
  applied: true,
  health: 'Healthy',
  status: { replicas: 2, updatedReplicas: 2, phase: 'Up' },
};
const m2 = { clusterName: 'm2', applied: true, health: 'Unhealthy', status: { replicas: 4, updatedReplicas: 3 } };

function reported(clusters: readonly object[] | undefined, replicas?: number) {
  return healthKind({ namespace: 'shop' }).parse({
    metadata: { name: 'web-deployment', namespace: 'shop' },
    spec: { resource, ...(replicas !== undefined && { replicas }) },
    ...(clusters && { status: { aggregatedStatus: clusters } }),
  });
}

describe('a health expression', () => {
  it.each([
    ['true', [m1, m2], true],
    ["clusters.all(c, c.health == 'Healthy')", [m1], true],
    ["clusters.all(c, c.health == 'Healthy')", [m1, m2], false],
    ['clusters.all(c, c.status.updatedReplicas == c.status.replicas)', [m1], true],
    ['clusters.all(c, c.status.updatedReplicas == c.status.replicas)', [m1, m2], false],
    ['clusters.map(c, c.status.updatedReplicas).sum() >= replicas', [m1, m2], true],
    ["clusters.exists(c, has(c.status.phase) && c.status.phase == 'Up')", [m2, m1], true],
    ["workload.kind == 'StatefulSet' || workload.namespace == 'shop'", [], true],
    ["workload.name == 'api'", [], false],
    ['clusters.size() == 0', undefined, true],
    ['replicas', [], false],
  ])('%s of %j is %s', (expression, clusters, healthy) => {
    expect(flawOfHealth(expression)).toBeUndefined();
    expect(compileHealth(expression)(reported(clusters, 5))).toBe(
      healthy ? undefined : `strategy.waves.healthy is not true: ${expression}`,
    );
  });

  it('that reads a field which is not reported is not true, with the field named', () => {
    expect(compileHealth("clusters.all(c, c.status.phase == 'Up')")(reported([m2]))).toMatch(
      /^strategy\.waves\.healthy can't be evaluated: .*phase/,
    );
  });

  it.each(['clusters.all(c, ', 'pods > 2', 'object.metadata', '1 +', "clusters.all(c, c == 'x') &&"])(
    '%s is invalid',
    (expression) => {
      expect(flawOfHealth(expression)).toEqual(expect.any(String));
    },
  );

  it('is of bindings of either scope', () => {
    expect([healthKind({ namespace: '' }).plural, healthKind({ namespace: 'shop' }).plural]).toEqual([
      'clusterresourcebindings',
      'resourcebindings',
    ]);
    expect(reported(undefined)).toEqual({ workload: resource, replicas: 0, clusters: [] });
  });
});
