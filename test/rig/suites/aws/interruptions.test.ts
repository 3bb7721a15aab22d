/** Deployed functions that are killed while they run, and duplicated events: the final state is the same, and no trigger is written twice. */
import { beforeAll, describe, expect, it } from 'vitest';
import { routes } from '../../../../shared/bus/routes.ts';
import { functionProcesses } from '../../parts/aws-functions.ts';
import { patchesOf } from '../audit-log.ts';
import { deploymentIn, type Rebalancer, until } from '../hub-client.ts';
import { type Deployed, generationsOf, settled, startDeployed, taskKeyOf, taskOnce } from './deployed.ts';

const SUFFIX = Date.now();
const WORKLOADS = 400;
/** Short enough to wait for the redelivery of a killed function's chunk; long enough that no running function's message is redelivered. */
const VISIBLE_AGAIN_SECONDS = 8;

let deployed: Deployed;

beforeAll(async () => {
  deployed = await startDeployed();
});

describe('a rebalancer of 400 workloads whose functions are killed while they run', () => {
  const name = `killed-${SUFFIX}`;
  let rebalancer: Rebalancer;

  beforeAll(async () => {
    await makeBindings(name);
    await deployed.queues.withVisibilityTimeout(['trigger-bindings'], VISIBLE_AGAIN_SECONDS, async () => {
      await create(name);
      await until('some bindings are triggered', async () =>
        patchesOf(deployed.hub, name).size > 20 ? true : undefined,
      );
      expect(killFunctions('evenkeel-trigger-bindings')).toBeGreaterThan(0);
      expect(patchesOf(deployed.hub, name).size).toBeLessThan(WORKLOADS);
      rebalancer = await deployed.client.finished(name);
    });
  });

  it('finishes with each workload successful', () => {
    const results = rebalancer.status?.observedWorkloads.map(({ result }) => result);
    expect(results).toEqual(Array.from({ length: WORKLOADS }, () => 'Successful'));
  });

  it('has triggered each binding once, with its creation', async () => {
    // A write whose client was killed is audited as a failure even if it was applied; the generation shows whether it was.
    const generations = await generationsOf(deployed, name);
    expect(generations).toEqual(Array.from({ length: WORKLOADS }, () => 2));
    expect(new Set(patchesOf(deployed.hub, name).values())).toEqual(new Set([1]));
    const triggers = await deployed.client.triggers(name);
    expect(new Set(triggers.values())).toEqual(new Set([rebalancer.metadata.creationTimestamp]));
  });

  it('counts each workload once in its task, and leaves no dead letter', async () => {
    const task = await taskOnce(deployed, rebalancer, ({ state }) => state === 'Finished');
    expect(task).toMatchObject({ successful: WORKLOADS, failed: 0, pendingChunks: [] });
    await deployed.queues.areWithoutDeadLetters();
  });
});

describe('a finished rebalancer whose events are all repeated', () => {
  const name = `again-${SUFFIX}`;

  it('is unchanged after its events are published again in reverse order', async () => {
    await deployed.client.bindings(name, ['api', 'web']);
    await deployed.client.rebalancer(
      name,
      ['api', 'web'].map((workload) => deploymentIn(name, workload)),
    );
    const finished = await deployed.client.finished(name);
    await taskOnce(deployed, finished, ({ rescheduling }) => rescheduling !== undefined);
    const before = await everything(finished);
    const events = await deployed.tap.about(name);
    await deployed.tap.publish(events.toReversed());
    await settled(deployed);
    expect(await everything(await deployed.client.finished(name))).toEqual(before);
    expect((await deployed.tap.about(name)).length).toBeGreaterThanOrEqual(2 * events.length);
  });

  it('is unchanged after each event is sent to the queues of its routes twice', async () => {
    const finished = await deployed.client.finished(name);
    const before = await everything(finished);
    for (const event of await deployed.tap.about(name)) {
      for (const route of routes.filter(({ consumes }) =>
        (consumes as readonly string[]).includes(event['detail-type']),
      )) {
        await deployed.queues.send(route.name, event);
        await deployed.queues.send(route.name, event);
      }
    }
    await settled(deployed);
    expect(await everything(await deployed.client.finished(name))).toEqual(before);
    await deployed.queues.areWithoutDeadLetters();
  });

  it('is unchanged after a replay from the archive of the deployment', async () => {
    const finished = await deployed.client.finished(name);
    const before = await everything(finished);
    const published = (await deployed.tap.about(name)).length;
    await deployed.tap.replay(new Date(finished.metadata.creationTimestamp));
    await settled(deployed);
    expect((await deployed.tap.about(name)).length).toBeGreaterThanOrEqual(2 * published);
    expect(await everything(await deployed.client.finished(name))).toEqual(before);
    await deployed.queues.areWithoutDeadLetters();
  });

  /** Its status, its triggers and patches, and the counts of its task. */
  async function everything(rebalancer: Rebalancer) {
    const task = await deployed.tasks.readTask(taskKeyOf(rebalancer));
    return {
      status: rebalancer.status,
      patches: patchesOf(deployed.hub, name),
      triggers: await deployed.client.triggers(name),
      task: task && [task.plan, task.state, task.finishTime, task.successful, task.failed],
    };
  }
});

describe('an event with an invalid detail', () => {
  it('becomes a dead-letter message at once, with the reason in an attribute', async () => {
    const { queues } = deployed;
    const garbage = { source: 'evenkeel', 'detail-type': 'WorkloadRebalancerChanged', detail: { hub: 'NO HUB' } };
    await queues.send('plan-rebalance', garbage);
    const deadLetter = await until('there is a dead letter', () => queues.takeDeadLetter('plan-rebalance'));
    expect(deadLetter).toMatchObject({ body: JSON.stringify(garbage), reason: 'UnreadableEvent', deliveries: '1' });
    await queues.areWithoutDeadLetters();
  });
});

async function makeBindings(namespace: string): Promise<void> {
  await deployed.client.bindings(namespace, names());
}

async function create(name: string): Promise<void> {
  await deployed.client.rebalancer(
    name,
    names().map((workload) => deploymentIn(name, workload)),
  );
}

function names(): readonly string[] {
  return Array.from({ length: WORKLOADS }, (_, index) => `w${String(index).padStart(4, '0')}`);
}

/** Returns how many processes were killed. */
function killFunctions(functionName: string): number {
  const processes = functionProcesses(deployed.aws.emulator).filter((one) => one.functionName === functionName);
  for (const { pid } of processes) process.kill(pid, 'SIGKILL');
  return processes.length;
}
