import { describe, expect, it } from 'vitest';
import { elasticKind } from '../../../shared/elastic-workload/elastic-workload.ts';
import { MANIFEST_LIMIT, sizeOf } from '../../../shared/elastic-workload/target.ts';
import { noScalePath, targetTaken, tooLarge } from '../../../shared/elastic-workload/target-rejection.ts';
import { deployment, plain } from './elastic-cases.ts';

const group = 'scheduling.open-cluster-management.io';
const metadata = {
  ...{ name: 'web', namespace: 'shop', uid: 'u', resourceVersion: '7' },
  creationTimestamp: '2026-11-22T10:00:00Z',
};

/** A Deployment whose JSON is so long. */
function ofBytes(bytes: number) {
  const padded = (text: string) => ({ ...deployment, metadata: { name: 'web', annotations: { text } } });
  return padded('x'.repeat(bytes - sizeOf(padded(''))));
}

describe('a rejection', () => {
  it('for a target of another ElasticWorkload names both, and the remedy', () => {
    const first = {
      group,
      key: { namespace: 'shop', name: 'first' },
      uid: 'v',
      creationTimestamp: 0,
      finalizers: [],
    } as const;
    expect(targetTaken(elasticKind(group).parse({ metadata, spec: plain }), first)).toEqual({
      reason: 'TargetTaken',
      message:
        'ElasticWorkload shop/first of scheduling.open-cluster-management.io has Deployment default/web already on every cluster that the placement selects; select other clusters, or delete one of the two and create it for another object',
    });
  });

  it('for a kind without a known scale path names it, and both ways to configure the path', () => {
    expect(noScalePath({ apiVersion: 'example.org/v1', kind: 'Ring' })).toEqual({
      reason: 'NoScalePath',
      message:
        'Ring (example.org/v1) has no scale subresource; add subresources.scale to its CustomResourceDefinition, or set spec.target.scale',
    });
  });

  it('for a large manifest states its size and the limit, and there is none up to the limit', () => {
    expect(MANIFEST_LIMIT).toBe(500 * 1024);
    expect(tooLarge(ofBytes(MANIFEST_LIMIT))).toBeUndefined();
    expect(tooLarge(ofBytes(MANIFEST_LIMIT + 1))).toEqual({
      reason: 'ManifestTooLarge',
      message: 'the manifest has 501 KiB, and a ManifestWork holds at most 500; move data out of it',
    });
  });
});
