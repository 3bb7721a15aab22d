/** Why an ElasticWorkload is rejected, with the fix: the same text on a hub and in a plan. */

import { listed } from '../core/count.ts';
import { keyText } from '../kubernetes/object-key.ts';
import type { ElasticWorkload, ElasticWorkloadIdentity } from './elastic-workload.ts';
import type { ManifestKind } from './scale-paths.ts';
import { MANIFEST_LIMIT, type Manifest, sizeOf, targetOf } from './target.ts';

export interface TargetRejection {
  readonly reason:
    | 'UnknownKind'
    | 'NoScalePath'
    | 'ManifestTooLarge'
    | 'PlacementNotFound'
    | 'ImportNotFound'
    | 'ImportForbidden'
    | 'TargetTaken'
    | 'TargetChanged';
  readonly message: string;
}

export function targetTaken({ spec }: Pick<ElasticWorkload, 'spec'>, first: ElasticWorkloadIdentity): TargetRejection {
  const { kind = '', name = '' } = targetOf(spec) ?? {};
  return {
    reason: 'TargetTaken',
    message: `ElasticWorkload ${keyText(first.key)} of ${first.group} has ${kind} ${spec.spokeNamespace}/${name} already on every cluster that the placement selects; select other clusters, or delete one of the two and create it for another object`,
  };
}

/** The clusters that an earlier ElasticWorkload owns, if this one owns others. */
export function takenText(taken: ReadonlyMap<string, ElasticWorkloadIdentity>): string {
  const owners = new Map([...taken].map(([cluster, { key }]) => [cluster, keyText(key)]));
  const names = [...new Set(owners.values())].map((owner) => {
    const clusters = [...owners].flatMap(([cluster, of]) => (of === owner ? [cluster] : []));
    return `ElasticWorkload ${owner} has the target on ${listed(clusters)}`;
  });
  return `${names.join('; ')}; this one runs on the others that the placement selects`;
}

export function targetChanged(before: string, after: string): TargetRejection {
  return {
    reason: 'TargetChanged',
    message: `the clusters run ${before}, and spec.target and spec.spokeNamespace name ${after} since; write the former back, and create another ElasticWorkload for the other object`,
  };
}

export function noScalePath({ apiVersion, kind }: ManifestKind): TargetRejection {
  return {
    reason: 'NoScalePath',
    message: `${kind} (${apiVersion}) has no scale subresource; add subresources.scale to its CustomResourceDefinition, or set spec.target.scale`,
  };
}

/** Undefined if a ManifestWork can hold it. */
export function tooLarge(manifest: Manifest): TargetRejection | undefined {
  const bytes = sizeOf(manifest);
  if (bytes <= MANIFEST_LIMIT) return undefined;
  const message = `the manifest has ${Math.ceil(bytes / 1024)} KiB, and a ManifestWork holds at most ${MANIFEST_LIMIT / 1024}; move data out of it`;
  return { reason: 'ManifestTooLarge', message };
}
