/** Divides the manifests of all features into those of every hub and those that each feature adds. */
import { type HubFeature, type HubFeatures, hubFeatureNames, hubFeatures } from '../shared/kubernetes/hub-features.ts';
import { commonManifests } from '../shared/manifests/parts.ts';
import { parseTarget } from '../shared/manifests/target.ts';
import type { PrintedManifest } from '../shared/manifests/to-yaml.ts';

interface NamedObject {
  readonly kind: string;
  readonly metadata: { readonly name: string };
}

/** What a package has for one component. */
export interface ComponentManifests {
  /** The flag of its feature without dashes; the folder of the component. */
  readonly name: string;
  readonly feature: HubFeature;
  readonly description: string;
  /** Names of components that it needs. */
  readonly needs: readonly string[];
  readonly manifests: readonly PrintedManifest[];
}

/** Only on API servers that serve MutatingAdmissionPolicies; on others the webhook `hold-webhook` does the same. */
export const HOLD_POLICY = 'hold-policy';

export function manifestsWith(features: HubFeatures): readonly PrintedManifest[] {
  // The parts in question contain neither the name nor the URL.
  return commonManifests(
    parseTarget({ hub: 'hub', url: 'https://hook.invalid', account: 'evenkeel/evenkeel', ...features }),
  );
}

export function kindOf({ object }: PrintedManifest): string {
  return (object as NamedObject).kind;
}

function keyOf(manifest: PrintedManifest): string {
  return `${kindOf(manifest)} ${(manifest.object as NamedObject).metadata.name}`;
}

function flagOf(feature: HubFeature): string {
  return hubFeatures[feature].flag.slice(2);
}

function directNeeds(feature: HubFeature): readonly HubFeature[] {
  const features: Readonly<Record<HubFeature, { readonly flag: string; readonly needs?: readonly HubFeature[] }>> =
    hubFeatures;
  return features[feature].needs ?? [];
}

/** Also what those need in turn. */
export function allNeeds(feature: HubFeature): readonly HubFeature[] {
  return [...new Set(directNeeds(feature).flatMap((needed) => [...allNeeds(needed), needed]))];
}

/** What the feature adds to the features that it needs. */
function added(feature: HubFeature): readonly PrintedManifest[] {
  const before = Object.fromEntries(allNeeds(feature).map((needed) => [needed, true]));
  const known = new Set(manifestsWith(before).map(keyOf));
  return manifestsWith({ ...before, [feature]: true }).filter((manifest) => !known.has(keyOf(manifest)));
}

/** One component per feature that adds objects, and one for the policy that holds reductions. */
export function components(): readonly ComponentManifests[] {
  return hubFeatureNames.flatMap((feature): readonly ComponentManifests[] => {
    const manifests = added(feature);
    const isHold = (manifest: PrintedManifest) => kindOf(manifest).startsWith('MutatingAdmissionPolicy');
    const rest = manifests.filter((manifest) => !isHold(manifest));
    const hold = manifests.filter(isHold);
    const name = flagOf(feature);
    const { description } = hubFeatures[feature];
    const needs = allNeeds(feature).map(flagOf);
    return [
      ...(rest.length > 0 ? [{ name, feature, description, needs, manifests: rest }] : []),
      ...(hold.length > 0
        ? [
            {
              ...{ name: HOLD_POLICY, feature, needs: [name], manifests: hold },
              description: 'reductions are held by a MutatingAdmissionPolicy in the API server',
            },
          ]
        : []),
    ];
  });
}
