/** The functions of a rebalance, on a bus, a table and a hub with the latency of deployed ones; it counts all billed units. */
import { setTimeout as wait } from 'node:timers/promises';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { systemClock } from '../../local/clock.ts';
import { DeadLetters } from '../../local/dead-letters.ts';
import { type GivenPorts, LocalDeployment } from '../../local/deployment.ts';
import { localContext } from '../../local/invocation.ts';
import { LocalHubs } from '../../local/local-hubs.ts';
import { DynamoDbTaskStore } from '../../shared/aws/dynamodb/dynamodb-task-store.ts';
import type { EventBus } from '../../shared/bus/event-bus.ts';
import type { OneTimeSchedule } from '../../shared/bus/one-time-schedule.ts';
import { logCodes } from '../../shared/core/log-codes.ts';
import type { LogReader } from '../../shared/core/log-reader.ts';
import { parseSettings } from '../../shared/core/settings.ts';
import type { Telemetry } from '../../shared/core/telemetry.ts';
import type { CircuitBreaker } from '../../shared/kubernetes/client/circuit-breaker.ts';
import { ConcurrencyLimiter } from '../../shared/kubernetes/client/concurrency-limiter.ts';
import { LimitedHubClient } from '../../shared/kubernetes/client/hub-client.ts';
import { KubernetesHub } from '../../shared/kubernetes/client/kubernetes-hub.ts';
import { type ApiRequest, createTransport, type Transport } from '../../shared/kubernetes/client/transport.ts';
import type { HttpHandler } from '../../shared/runtime/http-task.ts';
import type { Backend } from './backend-process.ts';
import { countedTable } from './counted-table.ts';
import type { Counter } from './counts.ts';

/** Latency in milliseconds of calls within a region, and to a hub in it. */
export const LATENCY = { hub: 10, table: 5, bus: 15, schedule: 20 } as const;
/** Fixed fields of a log line: time, function, request, memory. */
const LINE_BYTES = 300;
const PUT_EVENTS_ENTRIES = 10;
export const TABLE = 'evenkeel';
export const HUB = 'bench';
export const TOKEN = 'a-token-of-the-bench';
/** Short, so that a run ends within seconds. */
const settings = parseSettings({ rescheduleCheckSeconds: 2 });

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
  const deadLetters = new DeadLetters({ clock: systemClock, newId });
  const bus: EventBus = {
    publish: async (events) => {
      counter.events += events.length;
      await wait(LATENCY.bus * Math.ceil(events.length / PUT_EVENTS_ENTRIES));
      await deployment.bus.publish(events);
    },
  };
  const telemetry = telemetryOf(counter);
  const deployment = new LocalDeployment({ clock: systemClock, newId, settings, telemetry, deadLetters, bus });
  const transport = createTransport(
    { server: backend.hub, hookTokens: [] },
    { maxSockets: settings.hubInFlight, timeoutMs: 10_000 },
  );
  const hubs = new LocalHubs(HUB, [TOKEN]);
  hubs.opened(hubOn(transport, counter));
  const table = countedTable(backend.table, counter, LATENCY.table);
  const schedule: OneTimeSchedule = {
    put: async (...put) => {
      counter.schedules += 1;
      await wait(LATENCY.schedule);
      await deployment.schedule.put(...put);
    },
  };
  // The ports that the functions of a rebalance use.
  const ports: Partial<GivenPorts> = { hubs, hookAccess: hubs, tasks: new DynamoDbTaskStore(table, TABLE), schedule };
  const { hookRoutes } = deployment.run(ports as GivenPorts, (name, handler) => (batch, context) => {
    // Sent one by one, received and deleted together.
    counter.queueRequests += batch.Records.length + 2;
    return counter.timed(name, () => handler(batch, context));
  });
  const hook = hookRoutes.find(({ path }) => path.endsWith('/audit'))?.handler as HttpHandler;
  return {
    transport,
    postAudit: async (auditEvents) => {
      counter.hookRequests += 1;
      const context = localContext('cluster-hook');
      const { statusCode } = await counter.timed('cluster-hook/admit-change', () => hook(postOf(auditEvents), context));
      if (statusCode !== 200) throw new Error(`the hook answered ${statusCode ?? 'nothing'}`);
    },
    isIdle: () => {
      const [deadLetter] = deadLetters.all;
      if (deadLetter) throw new Error(`${deadLetter.queue} has a dead-letter message: ${deadLetter.error}`);
      return deployment.bus.depth === 0 && deployment.schedule.names.length === 0;
    },
    close: async () => {
      await deployment.close();
      transport.close();
      table.destroy();
    },
  };
}

export function telemetryOf(counter: Counter): Telemetry & LogReader {
  return {
    outcome: (code, fields) => {
      counter.logBytes += LINE_BYTES + JSON.stringify({ code, message: logCodes[code].description, ...fields }).length;
    },
    count: () => {
      counter.logBytes += LINE_BYTES;
    },
    begin: () => {},
    lastLines: async () => new Map(),
    lines: async () => [],
  };
}

export function hubOn(transport: Transport, counter: Counter, breaker?: CircuitBreaker): KubernetesHub {
  const late: Transport = {
    ...transport,
    send: async (request: ApiRequest) => {
      counter.hubRequests += 1;
      await wait(LATENCY.hub);
      return transport.send(request);
    },
    stream: async (request, limits) => {
      counter.hubRequests += 1;
      await wait(LATENCY.hub);
      return transport.stream(request, limits);
    },
  };
  const limiter = new ConcurrencyLimiter({
    max: settings.hubInFlight,
    now: () => performance.now(),
    wait: async (ms) => wait(ms),
    onCut: () => {},
  });
  return new KubernetesHub(HUB, {
    client: new LimitedHubClient({ transport: late, limiter, breaker }),
    onUnreadable: () => {},
  });
}

export function postOf(items: readonly object[]): APIGatewayProxyEventV2 {
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
