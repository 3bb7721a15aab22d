/** Reads all that one ElasticWorkload goes by, or finds why it can't be carried out. For the function that balances it. */

import {
  type Claim,
  type ElasticWorkload,
  elasticClaims,
  OWNER_LABEL,
  ownerLabel,
  TARGET_LABEL,
} from '../model/elastic-workload/elastic-workload.ts';
import type { KnownWorkload } from '../model/elastic-workload/known-workload.ts';
import { managedClusters } from '../model/elastic-workload/managed-cluster.ts';
import { manifestWorks, type Work, workNames } from '../model/elastic-workload/manifest-work.ts';
import {
  PLACEMENT_LABEL,
  placementDecisions,
  placements,
  selectionOf,
} from '../model/elastic-workload/placement-decision.ts';
import { noScalePath, type Refusal, targetTaken, tooLarge } from '../model/elastic-workload/refusal.ts';
import {
  customKinds,
  customPaths,
  type Kind,
  knownPaths,
  pluralGuess,
  type ScalePaths,
} from '../model/elastic-workload/scale-paths.ts';
import { isBefore, type Manifest, manifestFrom, targetLabel, targetOf } from '../model/elastic-workload/target.ts';
import { asFault } from '../model/fault.ts';
import { keyText } from '../model/object-key.ts';
import type { Hub } from '../ports/hub.ts';
import { listAll, listIfServed } from './list-all.ts';

export type Found = { readonly known: KnownWorkload } | { readonly refused: Refusal };

export async function readElastic(hub: Hub, elastic: ElasticWorkload): Promise<Found> {
  const others = await claimsOnTargetOf(hub, elastic);
  const first = others.find((claim) => isBefore(claim, elastic));
  if (first !== undefined) return { refused: targetTaken(elastic, first) };
  const target = targetOf(elastic.spec);
  if (target === undefined) return { refused: unknownKind('spec.target has no block of its type') };
  const paths = await pathsOf(hub, target, elastic.spec.target.scale);
  if ('reason' in paths) return { refused: paths };
  const [manifest, selection] = await Promise.all([manifestOf(hub, elastic, paths), selectionFor(hub, elastic)]);
  if ('refused' in manifest) return manifest;
  if ('refused' in selection) return selection;
  const [works, theirs] = await Promise.all([
    worksOf(hub, elastic),
    Promise.all(others.map((other) => listAll(hub, workNames, keyText, { labelSelector: selectorOf(other) }))),
  ]);
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
      contested: new Set(theirs.flat().map(({ namespace }) => namespace)),
    },
  };
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

/** Only those that name the same object carry the same label; each puts it on before it looks, so that of two at least one sees the other. */
async function claimsOnTargetOf(hub: Hub, elastic: ElasticWorkload): Promise<readonly Claim[]> {
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
  kind: Kind,
  scale: ElasticWorkload['spec']['target']['scale'],
): Promise<ScalePaths | Refusal> {
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

function unknownKind(what: string): Refusal {
  return {
    reason: 'UnknownKind',
    message: `${what}; apply its CustomResourceDefinition to the hub, or say spec.target.scale`,
  };
}

async function manifestOf(
  hub: Hub,
  { key, spec }: ElasticWorkload,
  paths: ScalePaths,
): Promise<{ readonly manifest: Manifest } | { readonly refused: Refusal }> {
  const { target } = spec;
  const object = target.type === 'Inline' ? target.inline : await importOf(hub, { key, spec }, paths);
  if (object === undefined || isRefusal(object))
    return { refused: object ?? unknownKind('spec.target has no block of its type') };
  const manifest = manifestFrom(object, spec);
  const refused = tooLarge(manifest);
  return refused === undefined ? { manifest } : { refused };
}

function isRefusal(object: object): object is Refusal {
  return 'reason' in object && 'message' in object && !('kind' in object);
}

/** Of its own namespace only: who may write an ElasticWorkload is not thereby to read others'. */
async function importOf(
  hub: Hub,
  { key, spec }: Pick<ElasticWorkload, 'key' | 'spec'>,
  { group, version, kind, resource }: ScalePaths,
): Promise<Manifest | Refusal> {
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
): Promise<KnownWorkload['selection'] | { readonly refused: Refusal }> {
  const { namespace } = key;
  const { name } = spec.placementRef;
  const labelSelector = `${PLACEMENT_LABEL}=${name}`;
  const [placement, slices] = await Promise.all([
    hub.get(placements, { namespace, name }),
    listAll(hub, placementDecisions, (slice) => slice.name, { namespace, labelSelector }),
  ]);
  if (placement !== undefined) return selectionOf(placement, slices);
  const message = `there is no Placement ${namespace}/${name}; create it in the namespace of the ElasticWorkload, or give spec.placementRef another name`;
  return { refused: { reason: 'PlacementNotFound', message } };
}
