/** Creates and deletes the ClusterDrains of clusters, for the command line and the console. */
import { Fault } from '../core/fault.ts';
import type { Instant } from '../core/time.ts';
import type { Member } from '../karmada/member-cluster.ts';
import type { Hub } from '../kubernetes/hub.ts';
import { listAll } from '../kubernetes/list-all.ts';
import { requireWritten } from '../kubernetes/retry-conflicts.ts';
import { clusterDrains, isOver } from './cluster-drain.ts';
import type { NewDrain } from './new-drain.ts';
import { listMembers } from './read-fleet.ts';
import type { RebalancePolicy } from './rebalance-policy.ts';

export interface CreatedDrain {
  readonly drain: RebalancePolicy;
  /** False: it was there before, and goes on as it is. */
  readonly isNew: boolean;
}

/** Replaces a drain of the cluster whose time is over. Throws a terminal Fault if the hub has no such cluster, serves no ClusterDrains, or one of that name drains another cluster. */
export async function createDrain(hub: Hub, drain: NewDrain, now: Instant): Promise<CreatedDrain> {
  requireCluster(drain.spec.cluster, await listMembers(hub));
  return create(hub, drain, now);
}

async function create(
  hub: Hub,
  { metadata, spec }: Pick<NewDrain, 'metadata' | 'spec'>,
  now: Instant,
): Promise<CreatedDrain> {
  const { name } = metadata;
  const { cluster } = spec;
  const written = await hub.create(clusterDrains, { metadata, spec });
  if (written.result === 'done') return { drain: written.object, isNew: true };
  if (written.result === 'missing') {
    const message = 'the hub serves no ClusterDrains; apply: evenkeel hub manifests --drains';
    throw new Fault('terminal', message, { reason: 'Conflict' });
  }
  const there = await hub.get(clusterDrains, { namespace: '', name });
  if (there?.drains === cluster) {
    if (!isOver(there, now)) return { drain: there, isNew: false };
    await remove(hub, there);
    return create(hub, { metadata, spec }, now);
  }
  const message = `ClusterDrain ${name} is there already, and drains ${there?.drains}; delete it, or drain ${cluster} with a ClusterDrain of another name`;
  throw new Fault('terminal', message, { reason: 'Conflict' });
}

/** Throws a terminal Fault that names the clusters of the hub. */
export function requireCluster(cluster: string, members: readonly Member[]): void {
  const known = members.map((member) => member.cluster.name);
  if (known.includes(cluster)) return;
  const names = known.sort().join(', ') || 'none';
  throw new Fault('terminal', `${cluster}: the hub has no cluster of that name; it has ${names}`, {
    reason: 'NotFound',
  });
}

/** Those that drained the cluster. Throws a terminal Fault that names the drained clusters, if none did. */
export async function deleteDrains(hub: Hub, cluster: string): Promise<readonly RebalancePolicy[]> {
  const drains = await listAll(hub, clusterDrains, ({ uid }) => uid);
  const ofCluster = drains.filter((drain) => drain.drains === cluster);
  if (ofCluster.length === 0) {
    const others = drains.map((drain) => drain.drains).join(', ') || 'none';
    const message = `${cluster}: no ClusterDrain drains it; drained clusters: ${others}`;
    throw new Fault('terminal', message, { reason: 'NotFound' });
  }
  for (const drain of ofCluster) await remove(hub, drain);
  return ofCluster;
}

/** The functions write its status meanwhile, so that its version may change. */
async function remove(hub: Hub, { name, uid }: RebalancePolicy): Promise<void> {
  const key = { namespace: '', name };
  await requireWritten(`ClusterDrain ${name}`, async () => {
    const drain = await hub.get(clusterDrains, key);
    if (drain?.uid !== uid) return 'missing';
    const { resourceVersion } = drain;
    return (await hub.delete(clusterDrains, key, { uid, resourceVersion })).result;
  });
}
