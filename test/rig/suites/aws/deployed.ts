/** The deployed system as a suite uses it: clients to act with, and readers of its state. */
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { GetScheduleCommand, ResourceNotFoundException, SchedulerClient } from '@aws-sdk/client-scheduler';
import { SQSClient } from '@aws-sdk/client-sqs';
import { REAL_HUB } from '../../../../local/run.ts';
import { DynamoDbPolicyStore } from '../../../../shared/aws/dynamodb/dynamodb-policy-store.ts';
import { DynamoDbTaskStore } from '../../../../shared/aws/dynamodb/dynamodb-task-store.ts';
import { routes } from '../../../../shared/bus/routes.ts';
import type { PolicyStore } from '../../../../shared/rebalance-policy/policy-store.ts';
import type { RebalanceTask, TaskKey } from '../../../../shared/workload-rebalancer/rebalance-task.ts';
import type { TaskStore } from '../../../../shared/workload-rebalancer/task-store.ts';
import { type Aws, startAws } from '../../parts/aws.ts';
import type { DeployedSettings } from '../../parts/aws-deployment.ts';
import { type Hub, startHub } from '../../parts/hub.ts';
import type { Rig } from '../../rig.ts';
import { bindingsPath, HubClient, type Rebalancer, until } from '../hub-client.ts';
import { rigOfSuite } from '../rig-of-suite.ts';
import { EventTap } from './event-tap.ts';
import { Queues } from './queues.ts';

/** The defaults, except for intervals that a suite would wait for. */
export const SETTINGS = {
  resyncMinutes: 1,
  rescheduleCheckSeconds: 1,
  policyLookSeconds: 1,
  hubConnectionSeconds: 5,
} as const satisfies DeployedSettings;

/**
 * Per second. A function takes seconds for its first batch on a busy machine, and each batch that comes meanwhile starts one more process: at ten per second,
 * 600 workloads of one test started 359 of them.
 */
const AUDIT_BATCHES = 2;

/** Longer than the hub collects a batch of audit events for the hook. */
const QUIET_MS = 4000;

export const ONE_TIME_GROUP = 'evenkeel-one-time-schedules';

/** The name of the hub in the deployment. */
export const HUB = REAL_HUB;

export interface Deployed {
  readonly rig: Rig;
  readonly hub: Hub;
  readonly aws: Aws;
  /** The hub's administrator. */
  readonly client: HubClient;
  /** All events on the bus since the stacks are up. */
  readonly tap: EventTap;
  readonly queues: Queues;
  /** The deployed table, read by the account's root. */
  readonly tasks: TaskStore;
  /** In the same table. */
  readonly policies: PolicyStore;
  readonly schedules: SchedulerClient;
}

export async function startDeployed(): Promise<Deployed> {
  const rig = rigOfSuite();
  const hub = await startHub(rig, { auditBatches: AUDIT_BATCHES });
  const aws = await startAws(rig, hub, SETTINGS);
  const config = aws.emulator.client();
  const sqs = new SQSClient(config);
  const table = new DynamoDBClient(config);
  return {
    rig,
    hub,
    aws,
    client: await HubClient.of(hub.adminKubeconfig),
    tap: await EventTap.on(aws.deployment.busName, { events: new EventBridgeClient(config), sqs }),
    queues: new Queues(sqs),
    tasks: new DynamoDbTaskStore(table, aws.deployment.tableName),
    policies: new DynamoDbPolicyStore(table, aws.deployment.tableName),
    schedules: new SchedulerClient(config),
  };
}

export function taskKeyOf({ metadata }: Rebalancer): TaskKey {
  return { hub: HUB, uid: metadata.uid };
}

/** The rebalancer's task once `wanted` returns true for it. */
export async function taskOnce(
  { tasks }: Deployed,
  rebalancer: Rebalancer,
  wanted: (task: RebalanceTask) => boolean,
): Promise<RebalanceTask> {
  return until(`the task of ${rebalancer.metadata.name} is as wanted`, async () => {
    const task = await tasks.readTask(taskKeyOf(rebalancer));
    return task !== undefined && wanted(task) ? task : undefined;
  });
}

/** The one-time schedule of this name, if it exists. */
export async function scheduleCalled({ schedules }: Deployed, name: string) {
  try {
    return await schedules.send(new GetScheduleCommand({ Name: name, GroupName: ONE_TIME_GROUP }));
  } catch (thrown) {
    if (thrown instanceof ResourceNotFoundException) return undefined;
    throw thrown;
  }
}

/** Resolves when every queue has been empty for a while. */
export async function settled({ queues }: Deployed): Promise<void> {
  await zeroFor(QUIET_MS, { what: 'the queues are quiet', count: (route) => queues.depth(route) });
}

/**
 * Resolves when no message has waited for a function for ten seconds. Messages of a killed invocation stay in flight for minutes, and are not awaited.
 * On a busy machine thousands of messages take minutes.
 */
export async function drained({ queues }: Deployed): Promise<void> {
  await zeroFor(10_000, { what: 'no message waits', count: (route) => queues.waiting(route), withinMs: 500_000 });
}

interface Counted {
  readonly what: string;
  readonly count: (route: string) => Promise<number>;
  readonly withinMs?: number;
}

async function zeroFor(ms: number, { what, count, withinMs }: Counted): Promise<void> {
  let since = performance.now();
  const isZero = async () => {
    const counts = await Promise.all(routes.map(({ name }) => count(name)));
    if (counts.some((one) => one > 0)) since = performance.now();
    return performance.now() - since >= ms ? true : undefined;
  };
  await until(what, isZero, withinMs);
}

/** The generations of the bindings: how often each spec was written, including its creation. */
export async function generationsOf({ client }: Deployed, namespace: string): Promise<readonly number[]> {
  const { items } = await client.get<{ items: readonly { metadata: { generation: number } }[] }>(
    bindingsPath(namespace),
  );
  return items.map(({ metadata }) => metadata.generation);
}
