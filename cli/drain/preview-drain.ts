/** What a drain would move where, and what it can't move and why. */
import type { Hub } from '../../shared/kubernetes/hub.ts';
import { readPreview } from '../../shared/move-budget/read-preview.ts';
import { parseClusterDrain } from '../../shared/rebalance-policy/cluster-drain.ts';
import type { NewDrain } from '../../shared/rebalance-policy/new-drain.ts';
import { requireCluster } from '../../shared/rebalance-policy/write-drains.ts';
import type { PolicyPlan } from '../plan/plan-policy.ts';

/** Workloads without replicas on the cluster are left out. */
export async function previewDrain(hub: Hub, drain: NewDrain, cluster: string): Promise<PolicyPlan> {
  const metadata = { ...drain.metadata, uid: 'new', resourceVersion: '0', creationTimestamp: '1970-01-01T00:00:00Z' };
  const policy = parseClusterDrain({ ...drain, metadata });
  const { waves, ...preview } = await readPreview(hub, {
    ...{ policy, reason: 'Drain', failback: false, now: Date.now() },
    triggersOf: (members) => {
      requireCluster(cluster, members);
      return [{ type: 'ClusterDrained', cluster }];
    },
  });
  return {
    ...{ policy, ...preview, still: [], unselected: [] },
    waves: new Map(waves.map((wave, place) => [place + 1, wave])),
  };
}
