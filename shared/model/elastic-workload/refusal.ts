/** Why an ElasticWorkload can't be carried out, in words that say what to do: the same on a hub and in a plan. */
import { keyText } from '../object-key.ts';
import type { Claim, ElasticWorkload } from './elastic-workload.ts';
import type { Kind } from './scale-paths.ts';
import { MANIFEST_LIMIT, type Manifest, sizeOf, targetOf } from './target.ts';

export interface Refusal {
  readonly reason:
    | 'UnknownKind'
    | 'NoScalePath'
    | 'ManifestTooLarge'
    | 'PlacementNotFound'
    | 'ImportNotFound'
    | 'ImportForbidden'
    | 'TargetTaken';
  readonly message: string;
}

export function targetTaken({ spec }: Pick<ElasticWorkload, 'spec'>, first: Claim): Refusal {
  const { kind = '', name = '' } = targetOf(spec) ?? {};
  return {
    reason: 'TargetTaken',
    message: `ElasticWorkload ${keyText(first.key)} of ${first.group} has ${kind} ${spec.spokeNamespace}/${name} already; delete one of the two, or give this one another name or spokeNamespace`,
  };
}

export function noScalePath({ apiVersion, kind }: Kind): Refusal {
  return {
    reason: 'NoScalePath',
    message: `${kind} (${apiVersion}) has no scale subresource; add subresources.scale to its CustomResourceDefinition, or say spec.target.scale`,
  };
}

/** Undefined where a ManifestWork takes it. */
export function tooLarge(manifest: Manifest): Refusal | undefined {
  const bytes = sizeOf(manifest);
  if (bytes <= MANIFEST_LIMIT) return undefined;
  const message = `the manifest has ${Math.ceil(bytes / 1024)} KiB, and a ManifestWork takes ${MANIFEST_LIMIT / 1024}; move data out of it`;
  return { reason: 'ManifestTooLarge', message };
}
