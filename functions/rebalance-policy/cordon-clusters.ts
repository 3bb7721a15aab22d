/** Decides which clusters get the taint of a ClusterDrain, and which lose it because their drain was deleted or is over. */
import * as z from 'zod/mini';
import type { Instant } from '../../shared/core/time.ts';
import { clusters, type Taint, taint } from '../../shared/karmada/assignment/cluster.ts';
import { DRAIN_TAINT, isDrained, type Member } from '../../shared/karmada/member-cluster.ts';
import type { Patch } from '../../shared/kubernetes/hub.ts';
import { objectMeta, parseObject } from '../../shared/kubernetes/hub-object.ts';
import type { Resource } from '../../shared/kubernetes/resource.ts';
import { isOver } from '../../shared/rebalance-policy/cluster-drain.ts';
import type { RebalancePolicy } from '../../shared/rebalance-policy/rebalance-policy.ts';

export interface TaintChange {
  readonly cluster: string;
  /** The name of its ClusterDrain; absent if the taint is removed. */
  readonly drain?: string;
}

/**
 * The taint keeps new replicas away, and moves none. A dry run taints nothing. A drain that is not accepted (isAccepted) sets no taint, and
 * leaves one that is set: it may have been edited while it went on.
 */
export function taintChanges(
  members: readonly Member[],
  policies: readonly RebalancePolicy[],
  { isAccepted, now }: { readonly isAccepted: (drain: RebalancePolicy) => boolean; readonly now: Instant },
): readonly TaintChange[] {
  const active = policies.filter(
    (drain) => drain.deletionTimestamp === undefined && !drain.spec.dryRun && !isOver(drain, now),
  );
  const drainOf = new Map(active.map((drain) => [drain.drains, drain]));
  return members.flatMap((member) => {
    const cluster = member.cluster.name;
    const drain = drainOf.get(cluster);
    if (isDrained(member) === (drain !== undefined)) return [];
    if (drain === undefined) return [{ cluster }];
    return isAccepted(drain) ? [{ cluster, drain: drain.name }] : [];
  });
}

export interface TaintedCluster {
  readonly resourceVersion: string;
  readonly taints: readonly Taint[];
}

const schema = z.object({
  metadata: objectMeta,
  spec: z._default(z.object({ taints: z.nullish(z.array(taint)) }), {}),
});

export const taintedClusters: Resource<TaintedCluster> = {
  ...clusters,
  parse: (object) => {
    const { metadata, spec } = parseObject(schema, object, 'Cluster');
    return { resourceVersion: metadata.resourceVersion, taints: spec.taints ?? [] };
  },
};

/** Conditional on the version that was read: a merge patch replaces the whole list. */
export function taintPatch({ resourceVersion, taints }: TaintedCluster, { drain }: TaintChange): Patch {
  const others = taints.filter(({ key }) => key !== DRAIN_TAINT);
  const ours = drain === undefined ? [] : [{ key: DRAIN_TAINT, value: drain, effect: 'NoSchedule' }];
  return { merge: { metadata: { resourceVersion }, spec: { taints: [...others, ...ours] } } };
}
