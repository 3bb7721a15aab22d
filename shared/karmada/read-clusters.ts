/** Reads a hub's member clusters, to compute capacity or to select among them. */

import * as z from 'zod/mini';
import { eachAtOnce } from '../core/each-at-once.ts';
import { asFault } from '../core/fault.ts';
import type { Hub } from '../kubernetes/hub.ts';
import { objectMeta, parseObject } from '../kubernetes/hub-object.ts';
import { listAll } from '../kubernetes/list-all.ts';
import { type Resource, writtenVersion } from '../kubernetes/resource.ts';
import { type Cluster, clusters as clusterKind } from './assignment/cluster.ts';

interface ReadCluster {
  readonly resourceVersion: string;
  readonly cluster: Cluster;
}

/** Reads in progress: bindings of one batch are processed concurrently and share one. */
const running = new WeakMap<Hub, Promise<readonly Cluster[]>>();
/** Those that were read last, by name: only of hubs with more than a page of them. */
const known = new WeakMap<Hub, ReadonlyMap<string, ReadCluster>>();

/** 1,000 clusters with all their APIs are tens of megabytes, so concurrent bindings do not each read them, and a later call reads only those that changed. */
export function readClusters(hub: Hub): Promise<readonly Cluster[]> {
  const reading = running.get(hub) ?? readAll(hub).finally(() => running.delete(hub));
  running.set(hub, reading);
  return reading;
}

async function readAll(hub: Hub): Promise<readonly Cluster[]> {
  const before = known.get(hub);
  const read =
    (before && (await readChanged(hub, before))) ?? (await listAll(hub, whole, ({ cluster }) => cluster.name));
  if (read.length > clusterKind.pageSize) known.set(hub, new Map(read.map((each) => [each.cluster.name, each])));
  return read.map(({ cluster }) => cluster);
}

/** Undefined if most of them changed: a list is cheaper. */
async function readChanged(
  hub: Hub,
  before: ReadonlyMap<string, ReadCluster>,
): Promise<readonly ReadCluster[] | undefined> {
  const versions = await listAll(hub, metadataOnly, ({ name }) => name);
  const unchanged = versions.flatMap(({ name, resourceVersion }) => {
    const kept = before.get(name);
    return kept?.resourceVersion === resourceVersion ? [kept] : [];
  });
  const names = new Set(unchanged.map(({ cluster }) => cluster.name));
  const changed = versions.filter(({ name }) => !names.has(name));
  if (changed.length > clusterKind.pageSize) return undefined;
  try {
    const read = await eachAtOnce(changed, AT_ONCE, ({ name }) => hub.get(whole, { namespace: '', name }));
    return [...unchanged, ...read.filter((each) => each !== undefined)];
  } catch (thrown) {
    // Not granted, as by manifests of an earlier version.
    if (asFault(thrown).reason === 'Forbidden') return undefined;
    throw thrown;
  }
}

/** The limit of the hub's client applies too. */
const AT_ONCE = 16;

const whole: Resource<ReadCluster> = {
  ...clusterKind,
  parse: (object) => ({
    resourceVersion: writtenVersion(clusterKind).parse(object).resourceVersion,
    cluster: clusterKind.parse(object),
  }),
};

const metadata = z.object({ metadata: objectMeta });

const metadataOnly: Resource<{ readonly name: string; readonly resourceVersion: string }> = {
  ...clusterKind,
  pageSize: 500,
  metadataOnly: true,
  parse: (object) => parseObject(metadata, object, clusterKind.kind).metadata,
};
