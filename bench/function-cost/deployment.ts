/** The functions of a rebalance, on a bus, a table and a hub with the latency of deployed ones; it counts all billed units. */
import { setTimeout as wait } from 'node:timers/promises';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { task as admitChange } from '../../functions/cluster-hook/admit-change.lambda.ts';
import { LocalBus } from '../../local/bus.ts';
import { systemClock } from '../../local/clock.ts';
import { queueFunctions } from '../../local/functions.ts';
import { localContext } from '../../local/invocation.ts';
import { LocalHubs } from '../../local/local-hubs.ts';
import { LocalSchedule } from '../../local/schedule.ts';
import { DynamoDbTaskStore } from '../../shared/aws/dynamodb/dynamodb-task-store.ts';
import type { EvenkeelEvent } from '../../shared/bus/event.ts';
import { functions } from '../../shared/bus/functions.ts';
import type { InvocationContext } from '../../shared/core/invocation.ts';
import { logCodes } from '../../shared/core/log-codes.ts';
import { parseSettings } from '../../shared/core/settings.ts';
import type { Telemetry } from '../../shared/core/telemetry.ts';
import { ConcurrencyLimiter } from '../../shared/kubernetes/client/concurrency-limiter.ts';
import { LimitedHubClient } from '../../shared/kubernetes/client/hub-client.ts';
import { KubernetesHub } from '../../shared/kubernetes/client/kubernetes-hub.ts';
import { type ApiRequest, createTransport, type Transport } from '../../shared/kubernetes/client/transport.ts';
import { onHttp } from '../../shared/runtime/http-task.ts';
import { timeLeft } from '../../shared/runtime/moment.ts';
import type { Backend } from './backend-process.ts';
import { countedTable } from './counted-table.ts';
import type { Counter } from './counts.ts';

/** Latency in milliseconds of calls within a region, and to a hub in it. */
export const LATENCY = { hub: 10, table: 5, bus: 15, schedule: 20 } as const;
/** Fixed fields of a log line: time, function, request, memory. */
const LINE_BYTES = 300;
const PUT_EVENTS_ENTRIES = 10;
const TABLE = 'evenkeel';
const HUB = 'bench';
const TOKEN = 'a-token-of-the-bench';
/** Short, so that a run ends within seconds. */
const settings = parseSettings({ rescheduleCheckSeconds: 2 });
const used = [
  'workload-rebalancer/plan-rebalance',
  'workload-rebalancer/trigger-bindings',
  'workload-rebalancer/report-status',
  'workload-rebalancer/expire-rebalancer',
  'workload-rebalancer/confirm-rescheduling',
] as const;

export interface MeasuredDeployment {
  readonly transport: Transport;
  /** Posts the events of the hub's audit webhook. */
  postAudit(auditEvents: readonly object[]): Promise<void>;
  /** Whether no event is in flight or scheduled. */
  isIdle(): boolean;
  close(): Promise<void>;
}

export function deploy(backend: Backend, counter: Counter): MeasuredDeployment {
  let ids = 0;
  const newId = () => `id-${(ids += 1)}`;
  const local = new LocalBus({ clock: systemClock, newId, maxReceives: settings.maxReceives, onDeadLetter: fail });
  const bus = { publish: (events: readonly EvenkeelEvent[]) => publish(events, { local, counter }) };
  const schedule = new LocalSchedule(bus, systemClock);
  const context: InvocationContext = { settings, telemetry: telemetryOf(counter), now: Date.now, newId, timeLeft };
  const transport = createTransport(
    { server: backend.hub, hookTokens: [] },
    { maxSockets: settings.hubInFlight, timeoutMs: 10_000 },
  );
  const hubs = new LocalHubs(HUB, [TOKEN]);
  hubs.opened(hubOn(transport, counter));
  const table = countedTable(backend.table, counter, LATENCY.table);
  const tasks = new DynamoDbTaskStore(table, TABLE);
  const factories = {
    hubs: () => hubs,
    tasks: () => tasks,
    bus: () => bus,
    schedule: () => ({
      put: async (...put: Parameters<LocalSchedule['put']>) => {
        counter.schedules += 1;
        await wait(LATENCY.schedule);
        await schedule.put(...put);
      },
    }),
  };
  for (const [route, queue] of local.queues) {
    const name = used.find((each) => each === route.function);
    if (name === undefined) continue;
    const platform = { context: () => context, sourceQueue: () => queue };
    const handler = queueFunctions[name](factories as never, platform);
    queue.consume((batch, context) => {
      // Sent one by one, received and deleted together.
      counter.queueRequests += batch.Records.length + 2;
      return counter.timed(name, () => handler(batch, context));
    });
  }
  const hook = onHttp(admitChange, { hookAccess: () => hubs, bus: () => bus }, { context: () => context });
  return {
    transport,
    postAudit: async (auditEvents) => {
      counter.hookRequests += 1;
      const context = localContext('cluster-hook');
      const { statusCode } = await counter.timed('cluster-hook/admit-change', () => hook(postOf(auditEvents), context));
      if (statusCode !== 200) throw new Error(`the hook answered ${statusCode ?? 'nothing'}`);
    },
    isIdle: () => local.depth === 0 && schedule.names.length === 0,
    close: async () => {
      schedule.close();
      await local.close();
      transport.close();
      table.destroy();
    },
  };
}

function fail({ queue, error }: { readonly queue: string; readonly error: string }): never {
  throw new Error(`${queue} has a dead-letter message: ${error}`);
}

async function publish(
  events: readonly EvenkeelEvent[],
  { local, counter }: { readonly local: LocalBus; readonly counter: Counter },
): Promise<void> {
  counter.events += events.length;
  await wait(LATENCY.bus * Math.ceil(events.length / PUT_EVENTS_ENTRIES));
  await local.publish(events);
}

function telemetryOf(counter: Counter): Telemetry {
  return {
    outcome: (code, fields) => {
      counter.logBytes += LINE_BYTES + JSON.stringify({ code, message: logCodes[code].description, ...fields }).length;
    },
    count: () => {
      counter.logBytes += LINE_BYTES;
    },
    begin: () => {},
  };
}

function hubOn(transport: Transport, counter: Counter): KubernetesHub {
  const late = {
    ...transport,
    send: async (request: ApiRequest) => {
      counter.hubRequests += 1;
      await wait(LATENCY.hub);
      return transport.send(request);
    },
  };
  const limiter = new ConcurrencyLimiter({
    max: settings.hubInFlight,
    now: () => performance.now(),
    wait: async (ms) => wait(ms),
    onCut: () => {},
  });
  return new KubernetesHub(HUB, { client: new LimitedHubClient({ transport: late, limiter }), onUnreadable: () => {} });
}

function postOf(items: readonly object[]): APIGatewayProxyEventV2 {
  const event = {
    rawPath: `/hubs/${HUB}/audit`,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${TOKEN}` },
    pathParameters: { hub: HUB },
    requestContext: {},
    body: JSON.stringify({ kind: 'EventList', apiVersion: 'audit.k8s.io/v1', items }),
    isBase64Encoded: false,
  };
  return event as unknown as APIGatewayProxyEventV2;
}

export function memoryMb(name: string): number {
  return functions[name as keyof typeof functions].memoryMb;
}
