/** Consumes HubSchedulesDue, once a minute: publishes the recurring events that are due since the last time, and counts silent hubs. */
import { awsRegistry } from '../../shared/aws/dynamodb/dynamodb-hub-registry.ts';
import { awsTasks } from '../../shared/aws/dynamodb/dynamodb-task-store.ts';
import { awsBus } from '../../shared/aws/eventbridge-bus.ts';
import { HubSchedulesDue } from '../../shared/bus/catalogue.ts';
import { eachAtOnce } from '../../shared/core/each-at-once.ts';
import type { Outcome } from '../../shared/core/invocation.ts';
import { objectiveTelemetry } from '../../shared/core/objectives.ts';
import { emit } from '../../shared/runtime/emit.ts';
import type { ContextOf } from '../../shared/runtime/moment.ts';
import { onQueue, queueTask } from '../../shared/runtime/queue-task.ts';
import { dueEvents, hubsToCompare, isPublished, type PublishWindow, silentHubs } from './publish-due.ts';

/** A hub's last comparison is one read of one row: a few hundred of a minute take less than a second. */
const READS_AT_ONCE = 16;

const factories = { registry: awsRegistry, tasks: awsTasks, bus: awsBus };
type PublishDueContext = ContextOf<typeof factories>;

export const task = queueTask({ consumes: [HubSchedulesDue], run });

const reasons = { done: 'published what is due', changed: 'another invocation published it too' } as const;

/**
 * Publishes before it marks: if it fails between the two, the next minute publishes the same events again. A concurrent invocation may do so
 * too. Both are harmless, because the events are hints.
 */
async function run(_: object, ports: PublishDueContext): Promise<Outcome> {
  const { registry, bus, telemetry, settings, now } = ports;
  const { resyncMinutes, deschedulingMinutes, tokenHours } = settings;
  const [after, hubs] = [await registry.publishedUntil(), await registry.list()];
  const until = now();
  if (isPublished(after, until)) return { reason: 'everything is published up to a later time' };
  const rates = { resyncMinutes, deschedulingMinutes, tokenHours };
  const window = { hubs, after, until, rates };
  const events = dueEvents(window);
  await bus.publish(events);
  const marked = await registry.markPublished(after, until);
  telemetry.count('SchedulesPublished', 1);
  const silent = await countSilent(window, ports);
  const fields = { hubs: hubs.length, published: events.length, silent };
  return { reason: reasons[marked], fields };
}

/**
 * Silence is measured until `after`, when events were last published: if no invocation ran for an hour, the hubs are not to blame. The alarm
 * on this function reports that.
 */
async function countSilent(window: PublishWindow, { tasks, telemetry }: PublishDueContext): Promise<number> {
  const compared = await eachAtOnce(hubsToCompare(window), READS_AT_ONCE, async (hub) => ({
    hub,
    comparedAt: await tasks.comparedAt(hub),
  }));
  const silent = silentHubs(compared, window);
  for (const hub of silent) telemetry.count('HubsNotCompared', 1, { hub });
  const counts = { kept: compared.length - silent.length, missed: silent.length };
  emit(telemetry, objectiveTelemetry('comparisons', counts));
  return silent.length;
}

export const handler = onQueue(task, factories);
