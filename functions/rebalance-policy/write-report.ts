/** Writes a policy's status if it changed. */
import { type RebalancePolicy, rebalancePolicies } from '../../shared/model/rebalance-policy/rebalance-policy.ts';
import { isSameJson } from '../../shared/model/same-json.ts';
import type { Instant } from '../../shared/model/time.ts';
import type { Hub } from '../../shared/ports/hub.ts';
import type { PolicyStore } from '../../shared/ports/policy-store.ts';
import { type Report, statusOf } from './report-policy.ts';

const MAX_ATTEMPTS = 5;

/**
 * The policy is read before its state, so that an older report can't replace a newer one: after a concurrent report, either
 * our write conflicts by resourceVersion, or our state is the newer one. `seen`: the policy as it was just read;
 * if its status is up to date, no request is sent.
 */
export async function writeReport(
  hub: Hub,
  { policy: { name, uid }, seen, ...about }: ReportOn,
  { policies, now }: { readonly policies: PolicyStore; readonly now: () => Instant },
): Promise<void> {
  const read = () => hub.get(rebalancePolicies, { namespace: '', name });
  let policy = seen ?? (await read());
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    if (policy?.uid !== uid) return;
    const state = await policies.readState({ hub: hub.name, uid });
    const status = statusOf({ ...about, policy, state }, now());
    if (isSameJson(status, policy.status)) return;
    const merge = { metadata: { resourceVersion: policy.resourceVersion }, status: withNulls(status) };
    const written = await hub.patch(rebalancePolicies, { namespace: '', name }, { merge, subresource: 'status' });
    if (written.result !== 'conflict') return;
    policy = await read();
  }
}

interface ReportOn extends Omit<Report, 'state' | 'policy'> {
  readonly policy: Pick<RebalancePolicy, 'name' | 'uid'>;
  readonly seen?: RebalancePolicy;
}

/** A merge patch removes only fields that are null in it. */
function withNulls({ lastRun, nextScheduleTime = null as never, ...status }: ReturnType<typeof statusOf>): object {
  return { ...status, nextScheduleTime, lastRun: lastRun ? { finishedAt: null, ...lastRun } : null };
}
