/** A deployment with registered hubs on a virtual clock; it counts all billed units. */
import { setTimeout as wait } from 'node:timers/promises';
import { DynamoDBDocumentClient, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { DeadLetters } from '../../local/dead-letters.ts';
import { LocalDeployment } from '../../local/deployment.ts';
import { hookRoutesOf } from '../../local/functions.ts';
import { localContext } from '../../local/invocation.ts';
import { createVirtualClock, type VirtualClock } from '../../local/virtual-clock.ts';
import { DynamoDbHubRegistry } from '../../shared/aws/dynamodb/dynamodb-hub-registry.ts';
import { DynamoDbTaskStore } from '../../shared/aws/dynamodb/dynamodb-task-store.ts';
import type { EvenkeelEvent } from '../../shared/bus/event.ts';
import type { EventBus } from '../../shared/bus/event-bus.ts';
import type { OneTimeSchedule } from '../../shared/bus/one-time-schedule.ts';
import { eachAtOnce } from '../../shared/core/each-at-once.ts';
import { parseSettings } from '../../shared/core/settings.ts';
import { sum } from '../../shared/core/sum.ts';
import { SECOND } from '../../shared/core/time.ts';
import { callersOf } from '../../shared/kubernetes/hook-callers.ts';
import type { HubFeature } from '../../shared/kubernetes/hub-features.ts';
import type { Backend } from '../function-cost/backend-process.ts';
import { countedTable } from '../function-cost/counted-table.ts';
import { HUB, LATENCY, postOf, TABLE, TOKEN, telemetryOf } from '../function-cost/deployment.ts';
import { HubCounter, type HubCounts } from './hub-counts.ts';
import { portsOn } from './hub-ports.ts';
import { HubTraffic } from './hub-traffic.ts';

/** What shared/aws/eventbridge-bus.ts sends at once: 8 calls with 10 events each. */
const EVENTS_AT_ONCE = 80;
const WRITES_AT_ONCE = 16;
/** Bytes that DynamoDB adds to each row. */
const ROW_OVERHEAD = 100;
/** Those that follow bindings, and policies. */
const FEATURES: readonly HubFeature[] = ['scheduler', 'policies', 'gracefulReduction'];
export const ACCOUNT = 'system:serviceaccount:evenkeel-system:evenkeel';

export interface CountedDeployment {
  readonly clock: VirtualClock;
  /** Registers the hubs that are not registered yet, and records that each was just compared with its tasks. */
  register(names: readonly string[]): Promise<void>;
  /** Publishes an event, and runs until all its effects are handled. Events that functions publish are `delivered` and counted by default. */
  handle(event: EvenkeelEvent, delivered?: boolean): Promise<void>;
  /** As the hub's API server, until all effects are handled. */
  postAudit(items: readonly object[]): Promise<void>;
  /** From now on placements of the hub are recorded. */
  recordHistory(): Promise<void>;
  setEstimator(kind: 'pods' | undefined): void;
  /** The counts since the last call. */
  take(): HubCounts;
  /** Of all rows of the table. */
  storedBytes(): Promise<number>;
  close(): Promise<void>;
}

export function deployHubs(backend: Backend): CountedDeployment {
  const [counter, clock] = [new HubCounter(), createVirtualClock(new Date().toISOString())];
  const traffic = new HubTraffic(Number(new URL(backend.hub).port));
  let ids = 0;
  const newId = () => `id-${(ids += 1)}`;
  const deadLetters = new DeadLetters({ clock, newId });
  const settings = parseSettings({});
  const counted = telemetryOf(counter);
  const telemetry: typeof counted = {
    ...counted,
    count: (metric, value, dimensions = {}) => {
      counted.count(metric, value, dimensions);
      counter.countMetric(metric, dimensions);
    },
  };
  const deployment = new LocalDeployment({ clock, newId, settings, telemetry, deadLetters });
  const { bus: queues, context } = deployment;
  let isDelivered = true;
  const bus: EventBus = {
    publish: async (events) => {
      await wait(LATENCY.bus * Math.ceil(events.length / EVENTS_AT_ONCE));
      if (!isDelivered) return;
      counter.countEvents(events);
      await queues.publish(events);
    },
  };
  const schedule: OneTimeSchedule = {
    put: async (...put) => {
      counter.schedules += 1;
      await wait(LATENCY.schedule);
      await deployment.schedule.put(...put);
    },
  };
  const table = countedTable(backend.table, counter, LATENCY.table);
  let estimator: 'pods' | undefined;
  const secret = () =>
    JSON.stringify({
      ...{ server: backend.hub, token: 'a-token-of-an-account', hookTokens: [TOKEN], account: ACCOUNT },
      ...(estimator !== undefined && { estimator: { kind: estimator } }),
    });
  // Functions behind queues and the hook use no queues and read no logs.
  const instance = () => {
    const ports = { ...portsOn({ table, counter, context, secret }), bus, schedule };
    return { ports: ports as typeof ports & { queues: never; logs: never }, context };
  };
  deployment.consume((route, queue, start) => {
    const handler = start(instance(), queue);
    const isGrouped = route.name !== 'publish-due';
    return (batch, of) => {
      // Sent one by one, received and deleted together.
      const requests = batch.Records.length + 2;
      counter.queueRequests += requests;
      if (isGrouped) counter.groupedRequests += requests;
      return counter.invoked(route.function, () => handler(batch, of));
    };
  });
  const hook = hookRoutesOf(instance(), clock).find(({ path }) => path.endsWith('/audit'))?.handler;
  if (hook === undefined) throw new Error('no function has the path of the audit webhook');

  async function settle(): Promise<void> {
    while (queues.depth > 0) {
      const inFlight = [...queues.queues.values()].some((queue) => queue.inFlight > 0);
      if (inFlight) await wait(1);
      else clock.advance(SECOND);
    }
    const [deadLetter] = deadLetters.all;
    if (deadLetter) throw new Error(`${deadLetter.queue} has a dead-letter message: ${deadLetter.error}`);
  }

  return {
    clock,
    register: async (names) => {
      const registry = new DynamoDbHubRegistry(table, TABLE, () => {});
      const callers = callersOf(HUB, { hookTokens: [TOKEN] });
      const made = { features: FEATURES, server: backend.hub, account: ACCOUNT, callers };
      const record = { ...made, state: 'Active', hasEstimator: false } as const;
      const tasks = new DynamoDbTaskStore(table, TABLE);
      await eachAtOnce(names, WRITES_AT_ONCE, async (name) => {
        await registry.write({ ...record, name }, 0);
        await tasks.markCompared(name, clock.now());
      });
    },
    handle: async (event, delivered = true) => {
      isDelivered = delivered;
      counter.countEvents([event]);
      await queues.publish([event]);
      await settle();
    },
    postAudit: async (items) => {
      const request = postOf(items);
      counter.countHookRequest(request.body ?? '');
      const { statusCode } = await counter.invoked('cluster-hook/admit-change', () =>
        hook(request, localContext('cluster-hook')),
      );
      if (statusCode !== 200) throw new Error(`the hook answered ${statusCode ?? 'nothing'}`);
      await settle();
    },
    recordHistory: async () => {
      const registry = new DynamoDbHubRegistry(table, TABLE, () => {});
      const { revision, ...record } = (await registry.read(HUB)) ?? unregistered();
      await registry.write({ ...record, features: [...FEATURES, 'history'] }, revision);
    },
    setEstimator: (kind) => {
      estimator = kind;
    },
    take: () => {
      const { bytesToHub, bytesFromHub } = traffic.take();
      counter.bytesToHub += bytesToHub;
      counter.bytesFromHub += bytesFromHub;
      return counter.take();
    },
    storedBytes: async () => {
      const { Items = [] } = await DynamoDBDocumentClient.from(table).send(new ScanCommand({ TableName: TABLE }));
      return sum(Items.map((row) => JSON.stringify(row).length + ROW_OVERHEAD));
    },
    close: async () => {
      await deployment.close();
      table.destroy();
    },
  };
}

function unregistered(): never {
  throw new Error(`hub ${HUB} is not registered`);
}
