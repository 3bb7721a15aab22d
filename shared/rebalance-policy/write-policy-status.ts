/** Writes the status of a RebalancePolicy or a ClusterDrain. */

import type { Hub } from '../kubernetes/hub.ts';
import { retryConflicts } from '../kubernetes/retry-conflicts.ts';
import { policyKind } from './cluster-drain.ts';
import type { PolicyState } from './policy-run.ts';
import type { PolicyStore } from './policy-store.ts';
import type { RebalancePolicy } from './rebalance-policy.ts';

export interface PolicyStatusWrite {
  readonly policy: Pick<RebalancePolicy, 'name' | 'uid' | 'drains'>;
  /** The policy as it was just read: if its status is up to date, no request is sent. */
  readonly seen?: RebalancePolicy;
  /** A merge patch of the status; undefined if the status is up to date. */
  readonly change: (policy: RebalancePolicy, state: PolicyState | undefined) => object | undefined;
}

/**
 * The policy is read before its state, so that an older report can't replace a newer one: after a concurrent report, either
 * our write conflicts by resourceVersion, or our state is the newer one.
 */
export async function writePolicyStatus(
  hub: Hub,
  { policy: written, seen, change }: PolicyStatusWrite,
  policies: Pick<PolicyStore, 'readState'>,
): Promise<void> {
  const { name, uid } = written;
  const key = { namespace: '', name };
  const kind = policyKind(written);
  await retryConflicts(async (attempt) => {
    const policy = (attempt === 0 ? seen : undefined) ?? (await hub.get(kind, key));
    const status = policy?.uid === uid && change(policy, await policies.readState({ hub: hub.name, uid }));
    if (!policy || !status) return 'done';
    const merge = { metadata: { resourceVersion: policy.resourceVersion }, status };
    return (await hub.patch(kind, key, { merge, subresource: 'status' })).result;
  });
}
