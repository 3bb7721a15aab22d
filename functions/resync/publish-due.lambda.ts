/** Consumes HubSchedulesDue, once a minute: publishes the recurring events that are due since the last time, and counts silent hubs. */
import { awsRegistry } from '../../shared/aws/dynamodb/dynamodb-hub-registry.ts';
import { awsTasks } from '../../shared/aws/dynamodb/dynamodb-task-store.ts';
import { awsBus } from '../../shared/aws/eventbridge-bus.ts';
import { HubSchedulesDue } from '../../shared/bus/catalogue.ts';
import type { EventBus } from '../../shared/bus/event-bus.ts';
import { eachAtOnce } from '../../shared/core/each-at-once.ts';
import type { InvocationContext, Outcome } from '../../shared/core/invocation.ts';
import { sum } from '../../shared/core/sum.ts';
import type { Instant } from '../../shared/core/time.ts';
import { isSilent } from '../../shared/kubernetes/hub-reach.ts';
import type { HubRegistry } from '../../shared/kubernetes/hub-registry.ts';
import { onQueue, queueTask } from '../../shared/runtime/queue-task.ts';
import type { TaskStore } from '../../shared/workload-rebalancer/task-store.ts';
import { dueEvents, hubsToCompare } from './publish-due.ts';

/** A hub's last comparison is one read of one row: a few hundred of a minute take less than a second. */
const READS_AT_ONCE = 16;

interface PublishDueContext extends InvocationContext {
  readonly registry: HubRegistry;
  readonly tasks: TaskStore;
  readonly bus: EventBus;
}

export const task = queueTask({ consumes: [HubSchedulesDue], run });

/**
 * Publishes before it marks: if it fails between the two, the next minute publishes the same events again. A concurrent invocation may do so
 * too. Both are harmless, because the events are hints.
 */
async function run(_: object, ports: PublishDueContext): Promise<Outcome> {
  const { registry, bus, telemetry, settings, now } = ports;
  const { resyncMinutes, deschedulingMinutes, tokenHours } = settings;
  const [after, hubs] = [await registry.publishedUntil(), await registry.list()];
  const until = now();
  if (after !== undefined && until <= after) return { reason: 'everything is published up to a later time' };
  const rates = { resyncMinutes, deschedulingMinutes, tokenHours };
  const window = { hubs, after, until, rates };
  const events = dueEvents(window);
  await bus.publish(events);
  const marked = await registry.markPublished(after, until);
  telemetry.count('SchedulesPublished', 1);
  const silent = after === undefined ? 0 : await countSilent(hubsToCompare(window), after, ports);
  const fields = { hubs: hubs.length, published: events.length, silent };
  return { reason: marked === 'done' ? 'published what is due' : 'another invocation published it too', fields };
}

/**
 * Silence is measured until `after`, when events were last published: if no invocation ran for an hour, the hubs are not to blame. The alarm
 * on this function reports that.
 */
async function countSilent(hubs: readonly string[], after: Instant, ports: PublishDueContext): Promise<number> {
  const { tasks, telemetry, settings } = ports;
  const silent = await eachAtOnce(hubs, READS_AT_ONCE, async (hub) => {
    const comparedAt = await tasks.comparedAt(hub);
    if (!isSilent({ comparedAt, resyncMinutes: settings.resyncMinutes, now: after })) return 0;
    telemetry.count('HubsNotCompared', 1, { hub });
    return 1;
  });
  return sum(silent);
}

export const handler = onQueue(task, { registry: awsRegistry, tasks: awsTasks, bus: awsBus });
