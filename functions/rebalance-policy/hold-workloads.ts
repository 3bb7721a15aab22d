/** Leases: while a wave may be in flight, no other run moves its workloads. */
import type { Wave } from '../../shared/model/rebalance-policy/policy-run.ts';
import type { Instant } from '../../shared/model/time.ts';
import type { PolicyStore } from '../../shared/ports/policy-store.ts';
import { putOff } from './fill-wave.ts';

/** Takes leases of the workloads that are about to move; a workload that another run holds is postponed. */
export function hold(
  workloads: Wave['workloads'],
  { hub, ...lease }: { readonly hub: string; readonly run: string; readonly until: Instant },
  { policies, now }: { readonly policies: PolicyStore; readonly now: () => Instant },
): Promise<Wave['workloads']> {
  return Promise.all(
    workloads.map(async (decision) => {
      if (decision.outcome !== 'Moving') return decision;
      const taken = await policies.takeLease(hub, decision.binding, lease, now());
      return taken ? decision : putOff(decision, 'the run of another policy is moving it');
    }),
  );
}

/** Releases the wave's leases. Postponed workloads are in another wave, which may be in flight. */
export async function release(
  { hub, run, workloads }: Wave,
  { policies }: { readonly policies: PolicyStore },
): Promise<void> {
  const own = workloads.filter(({ outcome }) => outcome !== 'PutOff');
  await Promise.all(own.map(({ binding }) => policies.releaseLease(hub, binding, run)));
}
