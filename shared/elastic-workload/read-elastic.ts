/** Reads all inputs of one ElasticWorkload, or finds why it is rejected. For the function that balances it. */

import { asFault } from '../core/fault.ts';
import type { Hub } from '../kubernetes/hub.ts';
import { listAll, listIfServed } from '../kubernetes/list-all.ts';
import { keyText } from '../kubernetes/object-key.ts';
import {
  type ElasticWorkload,
  type ElasticWorkloadIdentity,
  elasticClaims,
  elasticKind,
  OWNER_LABEL,
  ownerLabel,
  TARGET_LABEL,
} from './elastic-workload.ts';
import type { KnownWorkload } from './known-workload.ts';
import { managedClusters } from './managed-cluster.ts';
import { manifestWorks, type Work, workNames } from './manifest-work.ts';
import { PLACEMENT_LABEL, placementDecisions, placements, selectionOf } from './placement-decision.ts';
import { readScores } from './read-scores.ts';
import {
  customKinds,
  customPaths,
  knownPaths,
  type ManifestKind,
  pluralGuess,
  type ScalePaths,
} from './scale-paths.ts';
import { isBefore, type Manifest, manifestFrom, targetIdentity, targetLabel, targetOf } from './target.ts';
import { noScalePath, type TargetRejection, targetChanged, targetTaken, tooLarge } from './target-rejection.ts';

export type ResolvedTarget = { readonly known: KnownWorkload } | { readonly rejected: TargetRejection };

export async function readElastic(hub: Hub, elastic: ElasticWorkload): Promise<ResolvedTarget> {
  const others = await claimsOnTargetOf(hub, elastic);
  const target = targetOf(elastic.spec);
  if (target === undefined) return { rejected: unknownKind('spec.target has no block of its type') };
  const paths = await pathsOf(hub, target, elastic.spec.target.scale);
  if ('reason' in paths) return { rejected: paths };
  const [manifest, selected] = await Promise.all([manifestOf(hub, elastic, paths), selectionFor(hub, elastic)]);
  if ('rejected' in manifest) return manifest;
  if ('rejected' in selected) return selected;
  const [allWorks, scores] = await Promise.all([
    worksOf(hub, elastic),
    readScores(hub, elastic.spec.distributionStrategy),
  ]);
  // After our ManifestWorks: a number there that a rival has set is of a ManifestWork which this list has.
  const rivals = await Promise.all(others.map((other) => rivalOf(hub, other)));
  const earlier = rivals
    .filter(({ claim }) => isBefore(claim, elastic))
    .toSorted((a, b) => (isBefore(a.claim, b.claim) ? -1 : 1));
  const { selection, taken } = withoutTaken({ selected, works: allWorks }, earlier);
  const [first] = taken.values();
  if (first !== undefined && selection.whole && selection.clusters.length === 0)
    return { rejected: targetTaken(elastic, first) };
  const works = allWorks.filter(({ cluster }) => !earlier.some(({ clusters }) => clusters.has(cluster)));
  const names = new Set([...selection.clusters, ...works.map(({ cluster }) => cluster)]);
  const found = await hub.getMany(
    managedClusters,
    [...names].map((name) => ({ namespace: '', name })),
  );
  const clusters = new Map([...found.values()].map((cluster) => [cluster.name, cluster]));
  return {
    known: {
      elastic,
      manifest: manifest.manifest,
      paths,
      selection,
      clusters,
      works,
      taken,
      contested: new Set(rivals.flatMap(({ works: theirs }) => theirs)),
      scores,
    },
  };
}

/** Another ElasticWorkload of the same target. */
interface Rival {
  readonly claim: ElasticWorkloadIdentity;
  /** The clusters that have its ManifestWorks. */
  readonly works: readonly string[];
  /** Those, and the clusters that its placement selects. */
  readonly clusters: ReadonlySet<string>;
  /** False while its PlacementDecisions are being written: it may get more clusters. */
  readonly whole: boolean;
}

async function rivalOf(hub: Hub, claim: ElasticWorkloadIdentity): Promise<Rival> {
  const [elastic, names] = await Promise.all([
    hub.get(elasticKind(claim.group), claim.key),
    listAll(hub, workNames, keyText, { labelSelector: selectorOf(claim) }),
  ]);
  const selection = elastic && (await selectionFor(hub, elastic));
  const { clusters, whole } =
    selection === undefined || 'rejected' in selection ? { clusters: [], whole: true } : selection;
  const works = names.map(({ namespace }) => namespace);
  return { claim, works, clusters: new Set([...works, ...clusters]), whole };
}

/**
 * Removes clusters of earlier ElasticWorkloads from a selection: each cluster belongs to the oldest one that selects it. While the selection
 * of an earlier one is incomplete, no new cluster is used.
 */
function withoutTaken(
  { selected, works }: { readonly selected: KnownWorkload['selection']; readonly works: readonly Work[] },
  earlier: readonly Rival[],
): Pick<KnownWorkload, 'selection' | 'taken'> {
  const taken = new Map(
    selected.clusters.flatMap((cluster) => {
      const first = earlier.find(({ clusters }) => clusters.has(cluster));
      return first === undefined ? [] : [[cluster, first.claim] as const];
    }),
  );
  const free = selected.clusters.filter((cluster) => !taken.has(cluster));
  if (earlier.every(({ whole }) => whole)) return { selection: { ...selected, clusters: free }, taken };
  const begun = free.filter((cluster) => works.some((work) => work.cluster === cluster));
  return { selection: { clusters: begun, whole: false }, taken };
}

/**
 * Why an object with an edited target is rejected: the managed clusters would lose the old object before the new one is ready. The
 * CRD rejects such a write, unless the object is older than that rule.
 */
export async function targetChange(hub: Hub, elastic: ElasticWorkload): Promise<TargetRejection | undefined> {
  const claimed = elastic.labels[TARGET_LABEL];
  const target = targetIdentity(elastic.spec);
  if (claimed === undefined || target === undefined || claimed === targetLabel(elastic.spec)) return undefined;
  const works = await worksOf(hub, elastic);
  const other = works.find((work) => work.target !== undefined && work.target !== target)?.target;
  return other === undefined ? undefined : targetChanged(other, target);
}

export async function worksOf(hub: Hub, elastic: Pick<ElasticWorkload, 'group' | 'key'>): Promise<readonly Work[]> {
  const works = new Map<string, Work>();
  for await (const page of hub.list(manifestWorks, { labelSelector: selectorOf(elastic) }))
    for (const work of page) works.set(work.cluster, work);
  return [...works.values()];
}

function selectorOf(elastic: Pick<ElasticWorkload, 'group' | 'key'>): string {
  return `${OWNER_LABEL}=${ownerLabel(elastic)}`;
}

/** Only ElasticWorkloads of the same object carry the same label. Each sets it before it lists, so of two at least one finds the other. */
async function claimsOnTargetOf(hub: Hub, elastic: ElasticWorkload): Promise<readonly ElasticWorkloadIdentity[]> {
  const label = targetLabel(elastic.spec);
  if (label === undefined) return [];
  const claims = await Promise.all(
    elasticClaims.map((kind) =>
      listIfServed(hub, kind, ({ uid }) => uid, { labelSelector: `${TARGET_LABEL}=${label}` }),
    ),
  );
  return claims.flat().filter(({ uid }) => uid !== elastic.uid);
}

async function pathsOf(
  hub: Hub,
  kind: ManifestKind,
  scale: ElasticWorkload['spec']['target']['scale'],
): Promise<ScalePaths | TargetRejection> {
  const known = knownPaths(kind, scale);
  if (known !== undefined) return known;
  // By its likely name first: the list of all is megabytes on a hub that has many.
  const guessed = await hub.get(customKinds, { namespace: '', name: pluralGuess(kind) });
  const found = customPaths(kind, guessed === undefined ? [] : [guessed]);
  const paths =
    found === 'UnknownKind' ? customPaths(kind, await listAll(hub, customKinds, ({ name }) => name)) : found;
  if (paths === 'UnknownKind') return unknownKind(`the hub does not know the kind ${kind.kind} (${kind.apiVersion})`);
  return paths === 'NoScalePath' ? noScalePath(kind) : paths;
}

function unknownKind(what: string): TargetRejection {
  return {
    reason: 'UnknownKind',
    message: `${what}; apply its CustomResourceDefinition to the hub, or set spec.target.scale`,
  };
}

async function manifestOf(
  hub: Hub,
  { key, spec }: ElasticWorkload,
  paths: ScalePaths,
): Promise<{ readonly manifest: Manifest } | { readonly rejected: TargetRejection }> {
  const { target } = spec;
  const object = target.type === 'Inline' ? target.inline : await importOf(hub, { key, spec }, paths);
  if (object === undefined || isRejection(object))
    return { rejected: object ?? unknownKind('spec.target has no block of its type') };
  const manifest = manifestFrom(object, spec);
  const rejected = tooLarge(manifest);
  return rejected === undefined ? { manifest } : { rejected };
}

function isRejection(object: object): object is TargetRejection {
  return 'reason' in object && 'message' in object && !('kind' in object);
}

/** Only from its own namespace: write access to an ElasticWorkload must not grant read access to other namespaces. */
async function importOf(
  hub: Hub,
  { key, spec }: Pick<ElasticWorkload, 'key' | 'spec'>,
  { group, version, kind, resource }: ScalePaths,
): Promise<Manifest | TargetRejection> {
  const name = spec.target.import?.name ?? '';
  const { namespace } = key;
  const whole = {
    group,
    version,
    kind,
    plural: resource,
    namespaced: true,
    pageSize: 1,
    parse: (object: unknown) => object as Manifest,
  };
  try {
    const found = await hub.get(whole, { namespace, name });
    const message = `there is no ${kind} ${namespace}/${name} on the hub; create it there with 0 replicas, or give spec.target.import another name`;
    return found ?? { reason: 'ImportNotFound', message };
  } catch (thrown) {
    if (asFault(thrown).reason !== 'Forbidden') throw thrown;
    const message = `${kind} ${namespace}/${name} may not be read; grant get on ${resource}.${group} to Evenkeel's account on the hub`;
    return { reason: 'ImportForbidden', message };
  }
}

async function selectionFor(
  hub: Hub,
  { key, spec }: ElasticWorkload,
): Promise<KnownWorkload['selection'] | { readonly rejected: TargetRejection }> {
  const { namespace } = key;
  const { name } = spec.placementRef;
  const labelSelector = `${PLACEMENT_LABEL}=${name}`;
  const [placement, slices] = await Promise.all([
    hub.get(placements, { namespace, name }),
    listAll(hub, placementDecisions, (slice) => slice.name, { namespace, labelSelector }),
  ]);
  if (placement !== undefined) return selectionOf(placement, slices);
  const message = `there is no Placement ${namespace}/${name}; create it in the namespace of the ElasticWorkload, or give spec.placementRef another name`;
  return { rejected: { reason: 'PlacementNotFound', message } };
}
