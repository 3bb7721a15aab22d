/** Consumes reported finishes and due expiries: deletes the object, or schedules its expiry. */
import { awsSchedule } from '../../shared/adapters/scheduler/eventbridge-schedule.ts';
import { awsHubs } from '../../shared/adapters/secrets-manager/secret-hubs.ts';
import { onQueue, queueTask } from '../../shared/edge/queue-task.ts';
import { RebalanceReported, RebalancerExpiryDue } from '../../shared/events/catalogue.ts';
import { scheduleName } from '../../shared/model/digest.ts';
import { Fault } from '../../shared/model/fault.ts';
import { toTimestamp } from '../../shared/model/time.ts';
import { workloadRebalancers } from '../../shared/model/workload-rebalancer.ts';
import type { Hubs } from '../../shared/ports/hub.ts';
import type { InvocationContext, Outcome } from '../../shared/ports/invocation.ts';
import type { OneTimeSchedule } from '../../shared/ports/one-time-schedule.ts';
import { decideExpiry } from './expire-rebalancer.ts';

interface ExpireRebalancerContext extends InvocationContext {
  readonly hubs: Hubs;
  readonly schedule: OneTimeSchedule;
}

const CONFLICTS = 5;

export const task = queueTask({ consumes: [RebalanceReported, RebalancerExpiryDue], run });

async function run(
  detail: { hub: string; uid: string; name: string },
  ports: ExpireRebalancerContext,
): Promise<Outcome> {
  const hub = await ports.hubs.connect(detail.hub);
  const key = { namespace: '', name: detail.name };
  for (let attempt = 0; attempt < CONFLICTS; attempt++) {
    const object = await hub.get(workloadRebalancers, key);
    const decision = decideExpiry(object, detail.uid, ports.now());
    if (decision.action === 'Keep' || object === undefined) return decision;
    if (decision.action === 'Wait') {
      const { hub: hubName, uid, name } = detail;
      await ports.schedule.put(
        scheduleName('expire', detail),
        decision.until,
        RebalancerExpiryDue.of({ hub: hubName, uid, name }),
      );
      return { reason: decision.reason, fields: { expiresAt: toTimestamp(decision.until) } };
    }
    const { uid, resourceVersion } = object;
    const deleted = await hub.delete(workloadRebalancers, key, { uid, resourceVersion });
    if (deleted.result === 'done') return { reason: `deleted: ${decision.reason}` };
    if (deleted.result === 'missing') return { reason: 'the object is gone already' };
    // A conflict: the object was edited between read and delete. Read it again.
  }
  throw new Fault('retryable', `${detail.name} kept changing under the delete`, { reason: 'Conflict' });
}

export const handler = onQueue(task, { hubs: awsHubs, schedule: awsSchedule });
