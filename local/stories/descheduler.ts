/**
 * The descheduler proposal's story 1: a cluster loses nodes, some replicas are unschedulable there, and are evicted and
 * placed elsewhere. Runs on real functions, which query the members' estimators by gRPC.
 */
import type { DeschedulingDecision } from '../../shared/descheduling/descheduling.ts';
import { RESCHEDULING_POLICY } from '../../shared/karmada/rescheduling-policy.ts';
import { narrate } from '../narrate.ts';
import { deploymentOf, policyOf } from './manifests.ts';
import { become, bindingKeyIn, printDistribution } from './replicas.ts';
import { allHandled, type PracticeScene, paths, StepFailed, type Story, until } from './scene.ts';

const API = { name: 'api', replicas: 10 };
/** Real hubs give a pod five minutes to be scheduled. */
const THRESHOLD_SECONDS = 1;

export const descheduler: Story = {
  on: 'the practice hub',
  title: 'a cluster loses nodes, and its pending replicas move to other clusters',
  settings: { unschedulableSeconds: THRESHOLD_SECONDS },
  async play(scene) {
    await start(scene);
    await loseNodes(scene);
    await deschedule(scene);
  },
};

async function start(scene: PracticeScene): Promise<void> {
  const { namespace, practice, ask } = scene;
  const workload = { ...API, namespace };
  for (const path of [`${paths.deployments(namespace)}/${API.name}`, `${paths.policies(namespace)}/${API.name}`])
    await ask('DELETE', path);
  setCapacity(practice.fleet, { member1: 10, member2: 6, member3: 4 });
  await ask('POST', paths.policies(namespace), policyOf(workload, { [RESCHEDULING_POLICY]: 'OnUnschedulable' }));
  await ask('POST', paths.deployments(namespace), deploymentOf(workload));
  await become(scene, API, {
    claim: 'replicas are spread by capacity',
    wanted: { member1: [5, 5], member2: [3, 3], member3: [2, 2] },
  });
  await printDistribution(
    scene,
    API,
    `Deployment ${API.name} with ${API.replicas} replicas is spread by the capacity of its clusters, 10 to 6 to 4`,
  );
  scene.print(`  its policy enables it: ${RESCHEDULING_POLICY}: OnUnschedulable`);
}

async function loseNodes(scene: PracticeScene): Promise<void> {
  setCapacity(scene.practice.fleet, { member1: 2, member2: 12, member3: 12 });
  await become(scene, API, {
    claim: 'three replicas of member1 are pending',
    wanted: { member1: [5, 2], member2: [3, 3], member3: [2, 2] },
  });
  await printDistribution(
    scene,
    API,
    'Nodes of member1 are lost: three replicas are pending there, though others have capacity',
  );
}

async function deschedule(scene: PracticeScene): Promise<void> {
  const { stack, hubName, timing, practice } = scene;
  const ended = narrate(scene);
  scene.print(
    `  the descheduler checks the hub: replicas that are pending for ${THRESHOLD_SECONDS} s count (default: 5 minutes)`,
  );
  const pending = () => practice.fleet.unschedulable('member1', bindingKeyIn(scene, API), THRESHOLD_SECONDS * 1000);
  const long = { claim: `three replicas are pending for ${THRESHOLD_SECONDS} s`, instead: () => `${pending()} are` };
  await until({ ...long, timeoutMs: timing.timeoutMs }, () => (pending() === 3 ? true : undefined));
  const instead = () => 'no decision is recorded';
  // Checked until replicas are evicted, as by the rule of a deployment: an estimator may miss one check on a busy machine.
  const decision = await until({ claim: 'replicas are evicted', timeoutMs: timing.timeoutMs, instead }, async () => {
    const isCheckOver = stack.due() === 0;
    const [last] = await stack.descheduling.decisions(hubName, 1);
    if (last?.outcome === 'Written') return last;
    if (isCheckOver) await stack.deschedule(hubName);
    return undefined;
  });
  await become(scene, API, {
    claim: 'they are placed elsewhere',
    wanted: { member1: [2, 2], member2: [4, 4], member3: [4, 4] },
  });
  await allHandled(scene);
  ended();
  if (textOf(decision) !== 'member1 5 → 2, member2 3, member3 2')
    throw new StepFailed(`2/3/2 is left after the eviction; instead: ${textOf(decision)}`);
  scene.print(`  decided: ${textOf(decision)}, because ${decision.reason}`);
  await printDistribution(scene, API, 'The evicted replicas run on clusters with capacity');
}

function textOf({ clusters }: DeschedulingDecision): string {
  return clusters
    .map(({ name, assigned, taken }) => `${name} ${assigned}${taken > 0 ? ` → ${assigned - taken}` : ''}`)
    .join(', ');
}

function setCapacity(fleet: PracticeScene['practice']['fleet'], slots: Readonly<Record<string, number>>): void {
  for (const [name, count] of Object.entries(slots)) fleet.setCapacity(name, count);
}
