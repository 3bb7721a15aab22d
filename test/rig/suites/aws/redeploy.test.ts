/** `cdk deploy` of a changed setting while a task is open. */
import { beforeAll, describe, expect, it } from 'vitest';
import { environmentName } from '../../../../shared/core/settings.ts';
import { deployStacks } from '../../parts/aws-deployment.ts';
import { functionProcesses } from '../../parts/aws-functions.ts';
import { patchesOf } from '../audit-log.ts';
import { deploymentIn, type Rebalancer, until } from '../hub-client.ts';
import { type Deployed, generationsOf, HUB, SETTINGS, startDeployed, taskKeyOf, taskOnce } from './deployed.ts';

const NAME = `redeployed-${Date.now()}`;
const WORKLOADS = 240;
const TRIGGERS = 'evenkeel-trigger-bindings';
const IN_FLIGHT = environmentName('hubInFlight');
/** Of the functions that a deploy may interrupt. */
const QUEUES = ['plan-rebalance', 'trigger-bindings', 'report-progress', 'report-finish'] as const;
/** For interrupted messages: the emulator ends a function's processes when it deploys the function. */
const VISIBLE_AGAIN_SECONDS = 8;

let deployed: Deployed;

beforeAll(async () => {
  deployed = await startDeployed();
});

describe('a changed setting that is deployed while a rebalancer of 240 workloads is in progress', () => {
  let rebalancer: Rebalancer;
  let wanted: number;

  beforeAll(async () => {
    const { client, queues, hub } = deployed;
    const workloads = Array.from({ length: WORKLOADS }, (_, index) => `w${String(index).padStart(4, '0')}`);
    await client.bindings(NAME, workloads);
    await queues.withVisibilityTimeout(QUEUES, VISIBLE_AGAIN_SECONDS, async () => {
      const created = await client.rebalancer(
        NAME,
        workloads.map((workload) => deploymentIn(NAME, workload)),
      );
      await until('some bindings are triggered', async () => (patchesOf(hub, NAME).size > 20 ? true : undefined));
      wanted = Number(deployedInFlight()) === 8 ? 12 : 8;
      await whileHubStands(async () => {
        const settings = { ...SETTINGS, hubInFlight: wanted };
        await deployStacks(deployed.rig, deployed.aws.emulator, { hub: HUB, settings });
        expect(await deployed.tasks.readTask(taskKeyOf(created))).toMatchObject({ state: 'Running' });
      });
      rebalancer = await client.finished(NAME);
    });
  });

  it('loses nothing: the rebalancer finishes with each workload successful and each binding triggered once', async () => {
    const results = rebalancer.status?.observedWorkloads.map(({ result }) => result);
    expect(results).toEqual(Array.from({ length: WORKLOADS }, () => 'Successful'));
    const triggers = await deployed.client.triggers(NAME);
    expect(new Set(triggers.values())).toEqual(new Set([rebalancer.metadata.creationTimestamp]));
    expect(await generationsOf(deployed, NAME)).toEqual(Array.from({ length: WORKLOADS }, () => 2));
    expect(new Set(patchesOf(deployed.hub, NAME).values())).toEqual(new Set([1]));
    const task = await taskOnce(deployed, rebalancer, ({ state }) => state === 'Finished');
    expect(task).toMatchObject({ successful: WORKLOADS, failed: 0, pendingChunks: [] });
    await deployed.queues.areWithoutDeadLetters();
  });

  it('is in the environment of the functions afterwards', () => {
    expect(deployedInFlight()).toBe(String(wanted));
  });
});

/** The value in the environment of the function that writes the triggers. */
function deployedInFlight(): string | undefined {
  const settings = functionProcesses(deployed.aws.emulator)
    .filter(({ functionName }) => functionName === TRIGGERS)
    .map(({ environment }) => environment[IN_FLIGHT]);
  expect(new Set(settings).size).toBe(1);
  return settings[0];
}

/** Suspends the hub's API server, so that requests neither succeed nor fail and the task stays open. */
async function whileHubStands(act: () => Promise<void>): Promise<void> {
  const pid = deployed.rig.processes.pid('hub-apiserver');
  if (pid === undefined) throw new Error('the hub does not run');
  process.kill(pid, 'SIGSTOP');
  try {
    await act();
  } finally {
    process.kill(pid, 'SIGCONT');
  }
}
