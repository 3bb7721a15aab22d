/** Consumes events that are not Evenkeel's own, of AWS and of users: stores those that may concern clusters, and has the hubs evaluate their policies. */
import { awsExternalEvents } from '../../shared/aws/dynamodb/dynamodb-external-event-store.ts';
import { awsRegistry } from '../../shared/aws/dynamodb/dynamodb-hub-registry.ts';
import { awsBus } from '../../shared/aws/eventbridge-bus.ts';
import { awsInstances } from '../../shared/aws/tagged-instances.ts';
import { ExternalEventReceived } from '../../shared/bus/catalogue.ts';
import { eachAtOnce } from '../../shared/core/each-at-once.ts';
import { asFault, Fault } from '../../shared/core/fault.ts';
import type { Outcome } from '../../shared/core/invocation.ts';
import type { ReceivedEvent } from '../../shared/external-events/external-event.ts';
import { parseExternalEvent } from '../../shared/external-events/parse-event.ts';
import type { ContextOf } from '../../shared/runtime/moment.ts';
import { batchTask, onQueue } from '../../shared/runtime/queue-task.ts';
import { instancesToFind, perCluster, policiesDue } from './receive-event.ts';
import { writeEvent } from './write-events.ts';

/** Each event is a read and a write of its row. */
const ROWS_AT_ONCE = 16;

const factories = {
  externalEvents: awsExternalEvents,
  instances: awsInstances,
  registry: awsRegistry,
  bus: awsBus,
};
type ReceiveEventContext = ContextOf<typeof factories>;

export const task = batchTask({ consumes: [ExternalEventReceived], runTogether });

async function runTogether(
  details: readonly { readonly body: string }[],
  ports: ReceiveEventContext,
): Promise<readonly (Outcome | Fault)[]> {
  const { registry, bus, now } = ports;
  const parsed = details.map(({ body }) => parse(body, now()));
  const received = parsed.flatMap((each) => (each === undefined || each instanceof Fault ? [] : [each]));
  const clusters = await clustersOf(received, ports);
  const outcomes = await eachAtOnce(parsed, ROWS_AT_ONCE, (each) => write(each, clusters, ports));
  // What is stored is published also if this delivery is a repetition: the first may have failed after it stored.
  const isDue = outcomes.some((outcome) => !(outcome instanceof Fault) && outcome.fields?.due === 1);
  if (isDue) await bus.publish(policiesDue(await registry.list()));
  return outcomes;
}

function parse(body: string, now: number): ReceivedEvent | undefined | Fault {
  try {
    return parseExternalEvent(body, now);
  } catch (thrown) {
    return asFault(thrown);
  }
}

async function clustersOf(
  received: readonly ReceivedEvent[],
  { instances }: ReceiveEventContext,
): Promise<ReadonlyMap<string, string>> {
  const found = await Promise.all(
    instancesToFind(received).map((each) => instances.clustersOf(each.place, each.instances)),
  );
  return new Map(found.flatMap((each) => [...each]));
}

async function write(
  received: ReceivedEvent | undefined | Fault,
  clusters: ReadonlyMap<string, string>,
  ports: ReceiveEventContext,
): Promise<Outcome | Fault> {
  if (received instanceof Fault) return received;
  if (received === undefined) return { reason: 'it concerns no cluster' };
  try {
    const events = perCluster(received, clusters);
    const written = await Promise.all(events.map((event) => writeEvent(event, ports)));
    const due = written.some((each) => each !== 'ignored') ? 1 : 0;
    const of = events.flatMap(({ eksClusters, cluster }) => eksClusters ?? cluster ?? 'unknown').join(' ');
    return { reason: due === 1 ? 'stored' : 'it changes nothing', fields: { type: received.type, cluster: of, due } };
  } catch (thrown) {
    return asFault(thrown);
  }
}

export const handler = onQueue(task, factories);
