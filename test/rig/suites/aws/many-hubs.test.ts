/** A hundred hubs that register with the deployed functions while they run: each is served, also while one does not respond and another floods the bus. */
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EventBridgeBus } from '../../../../shared/aws/eventbridge-bus.ts';
import { BindingStatusChanged, WorkloadRebalancerChanged } from '../../../../shared/bus/catalogue.ts';
import { eachAtOnce } from '../../../../shared/core/each-at-once.ts';
import { HubRegistrar } from '../../parts/aws.ts';
import { until } from '../hub-client.ts';
import { type Deployed, drained, startDeployed } from './deployed.ts';
import { PracticeHub } from './practice-hubs.ts';

const COUNT = 100;
const FLOOD = 2000;
const MINUTES = 60_000;

let deployed: Deployed;
let bus: EventBridgeBus;
let hubs: readonly PracticeHub[] = [];
let registrar: HubRegistrar | undefined;

beforeAll(async () => {
  deployed = await startDeployed();
  bus = new EventBridgeBus(new EventBridgeClient(deployed.aws.emulator.client()), deployed.aws.deployment.busName);
  await drained(deployed);
  const names = Array.from({ length: COUNT }, (_, i) => `fleet-${String(i).padStart(3, '0')}`);
  hubs = await eachAtOnce(names, 10, (name) => PracticeHub.start(name));
  registrar = new HubRegistrar(deployed.aws);
  for (const { name, connection } of hubs) await registrar.register(name, connection);
}, 10 * MINUTES);

/** The other suites have one hub. */
afterAll(async () => {
  for (const { name } of hubs) await registrar?.remove(name);
  registrar?.close();
  await Promise.all(hubs.map((hub) => hub.close()));
  await drained(deployed);
}, 10 * MINUTES);

/** Creates a rebalancer on each hub, one after another, as its bridge reports it; returns the milliseconds until each is reported as successful. */
async function rebalanceAll(which: readonly PracticeHub[], name: string): Promise<readonly number[]> {
  return eachAtOnce(which, 8, async (hub) => {
    await hub.rebalance(name);
    const began = performance.now();
    await bus.publish([WorkloadRebalancerChanged.of({ hub: hub.name, name })]);
    await until(`${hub.name} has rebalanced ${name}`, async () =>
      (await hub.successful(name)) === 1 ? true : undefined,
    );
    return performance.now() - began;
  });
}

function p99(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.ceil(values.length * 0.99) - 1] ?? Number.NaN;
}

describe('a hundred hubs, registered while the functions run', () => {
  let before: readonly number[] = [];

  it('are each served', { timeout: 10 * MINUTES }, async () => {
    await rebalanceAll(hubs, 'first');
    before = await rebalanceAll(hubs.slice(2), 'second');
    expect(before).toHaveLength(COUNT - 2);
  });

  it('are served while one of them does not respond, and another floods the bus', {
    timeout: 10 * MINUTES,
  }, async () => {
    const [silent, flooding, ...others] = hubs as [PracticeHub, PracticeHub, ...PracticeHub[]];
    silent.isHanging = true;
    await bus.publish(
      Array.from({ length: 20 }, (_, i) => WorkloadRebalancerChanged.of({ hub: silent.name, name: `lost-${i}` })),
    );
    const flood = Array.from({ length: FLOOD }, (_, i) =>
      BindingStatusChanged.of({ hub: flooding.name, namespace: 'default', name: `web-${i}` }),
    );
    const [after] = await Promise.all([rebalanceAll(others, 'third'), bus.publish(flood)]);
    expect(after).toHaveLength(COUNT - 2);
    // Printed, not asserted: the emulator, its functions and the hubs share the cores of this machine.
    console.log(
      `event to reported result, ${COUNT - 2} hubs: p99 ${p99(before).toFixed(0)} ms, beside a silent and a flooding hub ${p99(after).toFixed(0)} ms`,
    );
  });

  it('leave no dead-letter message', async () => {
    expect(await deployed.queues.deadLetters()).toEqual(new Map());
  });
});
