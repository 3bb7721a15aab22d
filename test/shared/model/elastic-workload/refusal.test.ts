import { describe, expect, it } from 'vitest';
import { elasticKind } from '../../../../shared/model/elastic-workload/elastic-workload.ts';
import { noScalePath, targetTaken, tooLarge } from '../../../../shared/model/elastic-workload/refusal.ts';
import { MANIFEST_LIMIT, sizeOf } from '../../../../shared/model/elastic-workload/target.ts';
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

describe('a refusal', () => {
  it('of a target that another has names both, and what to do', () => {
    const first = { group, key: { namespace: 'shop', name: 'first' }, uid: 'v', creationTimestamp: 0 } as const;
    expect(targetTaken(elasticKind(group).parse({ metadata, spec: plain }), first)).toEqual({
      reason: 'TargetTaken',
      message:
        'ElasticWorkload shop/first of scheduling.open-cluster-management.io has Deployment default/web already; delete one of the two, or give this one another name or spokeNamespace',
    });
  });

  it('of a kind that can not be scaled names it, and both ways to say how', () => {
    expect(noScalePath({ apiVersion: 'example.org/v1', kind: 'Ring' })).toEqual({
      reason: 'NoScalePath',
      message:
        'Ring (example.org/v1) has no scale subresource; add subresources.scale to its CustomResourceDefinition, or say spec.target.scale',
    });
  });

  it('of a manifest says how large it is and how large it may be, and is none up to that', () => {
    expect(MANIFEST_LIMIT).toBe(500 * 1024);
    expect(tooLarge(ofBytes(MANIFEST_LIMIT))).toBeUndefined();
    expect(tooLarge(ofBytes(MANIFEST_LIMIT + 1))).toEqual({
      reason: 'ManifestTooLarge',
      message: 'the manifest has 501 KiB, and a ManifestWork takes 500; move data out of it',
    });
  });
});
