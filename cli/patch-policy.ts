/** Writes a change to a RebalancePolicy or ClusterDrain, whose status the functions write meanwhile. */
import { invalidOption } from '../shared/core/fault.ts';
import type { Hub } from '../shared/kubernetes/hub.ts';
import { unread } from '../shared/kubernetes/resource.ts';
import { requireWritten } from '../shared/kubernetes/retry-conflicts.ts';
import { policyKind } from '../shared/rebalance-policy/cluster-drain.ts';
import type { RebalancePolicy } from '../shared/rebalance-policy/rebalance-policy.ts';

interface PolicyChange {
  readonly annotations?: Readonly<Record<string, string>>;
  readonly spec?: object;
}

/** Throws a terminal Fault if the policy was deleted, or replaced by another one of its name. */
export async function patchPolicy(
  hub: Hub,
  policy: RebalancePolicy,
  { annotations, spec }: PolicyChange,
): Promise<void> {
  const kind = policyKind(policy);
  const key = { namespace: '', name: policy.name };
  const result = await requireWritten(`${kind.kind} ${policy.name}`, async () => {
    const there = await hub.get(kind, key);
    if (there?.uid !== policy.uid) return 'missing';
    const { resourceVersion } = there;
    const merge = { metadata: { resourceVersion, ...(annotations && { annotations }) }, ...(spec && { spec }) };
    return (await hub.patch(unread(kind), key, { merge })).result;
  });
  if (result === 'missing') throw invalidOption(`${kind.kind} ${policy.name} was deleted meanwhile`);
}
