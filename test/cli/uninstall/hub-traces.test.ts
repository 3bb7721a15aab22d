/** Which annotations an uninstall removes: those that the functions write, and none of a user. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { functionAnnotations, heldClusters, writtenByFunctions } from '../../../cli/uninstall/hub-traces.ts';
import { QUEUE } from '../../../shared/graceful-reduction/replica-reduction.ts';

/** Why an uninstall leaves the others: users write them, they go with their object, or a user asked for that object. */
const others: Readonly<Record<string, string>> = {
  'evenkeel.dev/replica-reduction-strategy': 'a user, unless strategy-from is beside it',
  'evenkeel.dev/replica-reduction-grace-period-seconds': 'a user, unless strategy-from is beside it',
  'evenkeel.dev/replica-reduction-suppress-deletion': 'a user, unless strategy-from is beside it',
  'evenkeel.dev/rescheduling-policy': 'a user',
  'evenkeel.dev/descheduling': 'a user',
  'evenkeel.dev/rebalancing': 'a user',
  'evenkeel.dev/move-limit': 'a user',
  'evenkeel.dev/price': 'a user',
  'evenkeel.dev/eks-cluster': 'a user',
  'evenkeel.dev/zones': 'a user',
  'evenkeel.dev/auto-scaling-groups': 'a user',
  'evenkeel.dev/capacity-reservations': 'a user',
  'evenkeel.dev/preserve-available-replicas': 'a user, on a WorkloadRebalancer',
  'evenkeel.dev/assigns': 'on a WorkloadRebalancer of a wave, or of evenkeel undo',
  'evenkeel.dev/requested-by': 'on a WorkloadRebalancer or ClusterDrain that a user asked for in the console',
  'evenkeel.dev/rebalance-policy': 'on a WorkloadRebalancer of a wave',
  'evenkeel.dev/rebalance-wave': 'on a WorkloadRebalancer of a wave',
  'evenkeel.dev/drains': 'on a WorkloadRebalancer of a wave',
  'evenkeel.dev/drain-share': 'on a WorkloadRebalancer of a wave',
  'evenkeel.dev/approved': 'on a RebalancePolicy',
  'evenkeel.dev/for-events': 'on a ClusterDrain',
  'evenkeel.dev/elastic-workload': 'on an ElasticWorkload, and on a ManifestWork',
  'evenkeel.dev/target': 'on an ElasticWorkload',
  'evenkeel.dev/score': 'on an ElasticWorkload',
  'evenkeel.dev/content': 'on a ManifestWork',
  'evenkeel.dev/scaled-there': 'on a ManifestWork',
  'evenkeel.dev/put-back': 'on a manifest of a ManifestWork',
  'evenkeel.dev/drain': 'a taint of a cluster, which is removed as such',
};

describe('the annotations that an uninstall removes', () => {
  it('are all of the product that are not listed with the reason to stay', () => {
    const files = execFileSync('git', ['ls-files', 'shared', 'functions', 'cli'], { encoding: 'utf8' });
    const named = files
      .split('\n')
      .filter((path) => path.endsWith('.ts') && !path.startsWith('cli/uninstall'))
      .flatMap((path) => [...readFileSync(path, 'utf8').matchAll(/= '(evenkeel\.dev\/[a-z-]+)'/g)])
      .map(([, name = '']) => name);
    expect(named.length).toBeGreaterThan(30);
    expect([...new Set(named)].sort()).toEqual([...writtenByFunctions, ...Object.keys(others)].sort());
  });

  it('leave a strategy that a user wrote to the binding', () => {
    const annotations = {
      'evenkeel.dev/replica-reduction-strategy': 'DelayWorkDeletion',
      'evenkeel.dev/triggered-by': 'x/1',
      'example.com/owner': 'shop',
    };
    expect(functionAnnotations(annotations)).toEqual(['evenkeel.dev/triggered-by']);
  });

  it('include a strategy that the functions copied from a policy', () => {
    const annotations = {
      'evenkeel.dev/replica-reduction-strategy': 'DelayWorkDeletion',
      'evenkeel.dev/replica-reduction-strategy-from': 'PropagationPolicy shop/web',
    };
    expect(functionAnnotations(annotations)).toEqual([
      'evenkeel.dev/replica-reduction-strategy-from',
      'evenkeel.dev/replica-reduction-strategy',
    ]);
  });

  it('name the clusters of held reductions in order', () => {
    expect(heldClusters({ [`${QUEUE}m2`]: '{}', [`${QUEUE}m1`]: '{}', other: '' })).toEqual(['m1', 'm2']);
  });
});
