/** Hears that a finish is on the object, or that an expiry is due; deletes the object, or looks again at its time. */
import { awsHubs, awsSchedule } from '../../shared/edge/aws-ports.ts';
import { onQueue, queueTask } from '../../shared/edge/queue-task.ts';
import { RebalanceReported } from '../../shared/events/catalogue/rebalance-reported.ts';
import { RebalancerExpiryDue } from '../../shared/events/catalogue/rebalancer-expiry-due.ts';
import { Fault } from '../../shared/model/fault.ts';
import { scheduleName } from '../../shared/model/schedule-name.ts';
import { toTimestamp } from '../../shared/model/time.ts';
import { workloadRebalancers } from '../../shared/model/workload-rebalancer.ts';
import type { Outcome, Ports, Surroundings } from '../../shared/ports/ports.ts';
import { decideExpiry } from './expire-rebalancer.ts';

type Uses = Pick<Ports, 'hubs' | 'schedule'> & Surroundings;

const CONFLICTS = 5;

export const task = queueTask({ hears: [RebalanceReported, RebalancerExpiryDue], run });

async function run(detail: { hub: string; uid: string; name: string }, ports: Uses): Promise<Outcome> {
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
    if (deleted.verdict === 'done') return { reason: `deleted: ${decision.reason}` };
    if (deleted.verdict === 'missing') return { reason: 'the object is gone already' };
    // A conflict: somebody edited it between our look and our delete. Look again.
  }
  throw new Fault('retryable', `${detail.name} kept changing under the delete`, { reason: 'Conflict' });
}

export const handler = onQueue(task, { hubs: awsHubs, schedule: awsSchedule });
