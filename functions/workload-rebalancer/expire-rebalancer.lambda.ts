/** Consumes reported finishes and due expiries: deletes the object, or schedules its expiry. */
import { awsSchedule } from '../../shared/aws/eventbridge-schedule.ts';
import { awsHubs } from '../../shared/aws/secrets-manager/secret-hubs.ts';
import { RebalanceReported, RebalancerExpiryDue } from '../../shared/bus/catalogue.ts';
import { scheduleName } from '../../shared/core/digest.ts';
import { Fault } from '../../shared/core/fault.ts';
import type { Outcome } from '../../shared/core/invocation.ts';
import { type Instant, toTimestamp } from '../../shared/core/time.ts';
import type { ContextOf } from '../../shared/runtime/moment.ts';
import { onQueue, queueTask } from '../../shared/runtime/queue-task.ts';
import type { TaskKey } from '../../shared/workload-rebalancer/rebalance-task.ts';
import { workloadRebalancers } from '../../shared/workload-rebalancer/workload-rebalancer.ts';
import { afterDelete, decideExpiry } from './expire-rebalancer.ts';

const factories = { hubs: awsHubs, schedule: awsSchedule };
type ExpireRebalancerContext = ContextOf<typeof factories>;

const CONFLICTS = 5;

export const task = queueTask({ consumes: [RebalanceReported, RebalancerExpiryDue], run });

async function run(
  detail: { hub: string; uid: string; name: string },
  ports: ExpireRebalancerContext,
): Promise<Outcome> {
  const hub = await ports.hubs.connect(detail.hub);
  const key = { namespace: '', name: detail.name };
  for (let attempt = 0; attempt < CONFLICTS; attempt++) {
    const decision = decideExpiry(await hub.get(workloadRebalancers, key), detail.uid, ports.now());
    if (decision.action === 'Keep') return decision;
    if (decision.action === 'Wait') return expireAt(decision, detail, ports);
    const { result } = await hub.delete(workloadRebalancers, key, decision.preconditions);
    const outcome = afterDelete(result, decision.reason);
    if (outcome !== undefined) return outcome;
  }
  throw new Fault('retryable', `${detail.name} kept changing under the delete`, { reason: 'Conflict' });
}

async function expireAt(
  { until, reason }: { readonly until: Instant; readonly reason: string },
  { hub, uid, name }: TaskKey & { readonly name: string },
  { schedule }: ExpireRebalancerContext,
): Promise<Outcome> {
  await schedule.put(scheduleName('expire', { hub, uid }), until, RebalancerExpiryDue.of({ hub, uid, name }));
  return { reason, fields: { expiresAt: toTimestamp(until) } };
}

export const handler = onQueue(task, factories);
