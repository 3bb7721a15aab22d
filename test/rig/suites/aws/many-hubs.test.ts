/**
 * Many hubs that register with the deployed functions while they run: each is served, also while one does not respond and another floods the bus.
 * EVENKEEL_HUBS is their number. Each function has an instance, a process of 60 MB, for each hub that it serves at once: a hundred hubs need a machine of their own.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { GetScheduleCommand, UpdateScheduleCommand } from '@aws-sdk/client-scheduler';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EventBridgeBus } from '../../../../shared/aws/eventbridge-bus.ts';
import { BindingStatusChanged, WorkloadRebalancerChanged } from '../../../../shared/bus/catalogue.ts';
import { eachAtOnce } from '../../../../shared/core/each-at-once.ts';
import { HubRegistrar } from '../../parts/aws.ts';
import { until } from '../hub-client.ts';
import { type Deployed, drained, startDeployed } from './deployed.ts';
import { PracticeHub } from './practice-hubs.ts';

const COUNT = Number(process.env.EVENKEEL_HUBS ?? 30);
/** Rebalances at once. */
const REBALANCED_AT_ONCE = 4;
/** Events a second, and at once. */
const FLOOD_A_SECOND = 20;
const AT_ONCE = 10;
/** Events of rebalancers that do not exist. */
const LOST = 20;
const MINUTES = 60_000;
/** For a hub that is never served: the hubs and the functions share two cores with other suites. */
const WITHIN_MS = 15 * MINUTES;

let deployed: Deployed;
let bus: EventBridgeBus;
let hubs: readonly PracticeHub[] = [];
let registrar: HubRegistrar | undefined;

beforeAll(async () => {
  deployed = await startDeployed();
  bus = new EventBridgeBus(new EventBridgeClient(deployed.aws.emulator.client()), deployed.aws.deployment.busName);
  await switchSchedule('DISABLED');
  const names = Array.from({ length: COUNT }, (_, i) => `fleet-${String(i).padStart(3, '0')}`);
  hubs = await eachAtOnce(names, 10, (name) => PracticeHub.start(name));
  registrar = new HubRegistrar(deployed.aws);
  for (const { name, connection } of hubs) await registrar.register(name, connection);
}, 10 * MINUTES);

/** The other suites have one hub. */
afterAll(async () => {
  for (const { name } of hubs) await registrar?.remove(name);
  registrar?.close();
  await drained(deployed);
  await Promise.all(hubs.map((hub) => hub.close()));
  await switchSchedule('ENABLED');
}, 10 * MINUTES);

/** Creates a rebalancer on each hub, as its bridge reports it; returns the milliseconds from the event until the binding is triggered. */
async function rebalanceAll(which: readonly PracticeHub[], name: string): Promise<readonly number[]> {
  return eachAtOnce(which, REBALANCED_AT_ONCE, async (hub) => {
    await hub.rebalance(name);
    const began = performance.now();
    await bus.publish([WorkloadRebalancerChanged.of({ hub: hub.name, name })]);
    const rebalanced = async () => ((await hub.successful(name)) === 1 ? true : undefined);
    await until(`${hub.name} has rebalanced ${name}`, rebalanced, WITHIN_MS);
    return hub.triggeredAt - began;
  });
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

function text(ms: number): string {
  return `${ms.toFixed(0)} ms`;
}

function p99(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.ceil(values.length * 0.99) - 1] ?? Number.NaN;
}

/** Publishes changes of bindings of this hub until the measured work is done: as many as the emulator takes with a core to spare. */
async function flooded<T>({ name: hub }: PracticeHub, measured: Promise<T>): Promise<T> {
  let isOver = false;
  const ends = measured.finally(() => {
    isOver = true;
  });
  for (let count = 0; !isOver; count += AT_ONCE) {
    const events = Array.from({ length: AT_ONCE }, (_, i) =>
      BindingStatusChanged.of({ hub, namespace: 'default', name: `web-${count + i}` }),
    );
    await Promise.all([bus.publish(events), wait((1000 * AT_ONCE) / FLOOD_A_SECOND)]);
  }
  return ends;
}

async function publishLost({ name: hub }: PracticeHub): Promise<void> {
  await bus.publish(Array.from({ length: LOST }, (_, i) => WorkloadRebalancerChanged.of({ hub, name: `lost-${i}` })));
}

/**
 * A comparison of all hubs, each minute, takes hundreds of invocations: more than a minute on a busy machine, whose queues would grow without end.
 * And it would be measured on this machine, instead of the hubs' effect on each other.
 */
async function switchSchedule(State: 'ENABLED' | 'DISABLED'): Promise<void> {
  const name = { GroupName: 'evenkeel-resync-schedules', Name: 'evenkeel-hub-schedules' };
  const { ScheduleExpression, FlexibleTimeWindow, Target } = await deployed.schedules.send(
    new GetScheduleCommand(name),
  );
  await deployed.schedules.send(
    new UpdateScheduleCommand({ ...name, ScheduleExpression, FlexibleTimeWindow, Target, State }),
  );
  await drained(deployed);
}

describe('many hubs, registered while the functions run', () => {
  let before: readonly number[] = [];

  it('are each served', { timeout: 20 * MINUTES }, async () => {
    before = await rebalanceAll(hubs, 'before');
    expect(before).toHaveLength(COUNT);
  });

  it('are served while one of them does not respond, and another floods the bus', {
    timeout: 20 * MINUTES,
  }, async () => {
    const [silent, flooding, ...others] = hubs as [PracticeHub, PracticeHub, ...PracticeHub[]];
    silent.isHanging = true;
    await publishLost(silent);
    const after = await flooded(flooding, rebalanceAll(others, 'after'));
    expect(after).toHaveLength(COUNT - 2);
    // Printed, not asserted: the emulator, its functions and the hubs share the cores of this machine.
    console.log(
      `event to trigger, ${COUNT} hubs: median ${text(median(before))}, p99 ${text(p99(before))}; beside a hub with ${FLOOD_A_SECOND} events a second and a silent hub ${text(median(after))} and ${text(p99(after))}: ${(p99(after) / p99(before)).toFixed(2)} times`,
    );
  });

  it('leave no dead-letter message', async () => {
    await deployed.queues.areWithoutDeadLetters();
  });
});
