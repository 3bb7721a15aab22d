/**
 * The descheduler proposal's story 1: nodes of a cluster are lost, replicas are pending there for good, and are taken out and
 * placed elsewhere. Played on real functions, which ask the members' estimators by gRPC.
 */
import { setTimeout as wait } from 'node:timers/promises';
import type { DeschedulingDecision } from '../../shared/model/descheduling.ts';
import { RESCHEDULING_POLICY } from '../../shared/model/rescheduling-policy.ts';
import { narrate } from '../narrate.ts';
import { deploymentOf, policyOf } from './manifests.ts';
import { become, type StoryReplicas, tell } from './replicas.ts';
import { type PracticeScene, paths, StepFailed, type Story, until } from './scene.ts';

const REPLICAS = 10;
const NAME = 'api';
/** Real hubs give a pod five minutes to find a node. */
const THRESHOLD_SECONDS = 1;
const SPARE_MS = 100;

export const descheduler: Story = {
  on: 'the practice hub',
  title: 'nodes of a cluster are lost, and what is pending there finds room elsewhere',
  settings: { unschedulableSeconds: THRESHOLD_SECONDS },
  async play(scene) {
    await start(scene);
    await loseNodes(scene);
    await deschedule(scene);
  },
};

async function start(scene: PracticeScene): Promise<void> {
  const { namespace, practice, ask } = scene;
  const workload = { name: NAME, namespace, replicas: REPLICAS };
  for (const path of [`${paths.deployments(namespace)}/${NAME}`, `${paths.policies(namespace)}/${NAME}`])
    await ask('DELETE', path);
  setRoom(practice.fleet, { member1: 10, member2: 6, member3: 4 });
  await ask('POST', paths.policies(namespace), policyOf(workload, { [RESCHEDULING_POLICY]: 'OnUnschedulable' }));
  await ask('POST', paths.deployments(namespace), deploymentOf(workload));
  await become(scene, replicasIn(scene), {
    claim: 'replicas are spread by room',
    wanted: { member1: [5, 5], member2: [3, 3], member3: [2, 2] },
  });
  await tell(
    scene,
    replicasIn(scene),
    `Deployment ${NAME} with ${REPLICAS} replicas is spread by the room of its clusters, 10 to 6 to 4`,
  );
  scene.print(`  its policy asks for it: ${RESCHEDULING_POLICY}: OnUnschedulable`);
}

async function loseNodes(scene: PracticeScene): Promise<void> {
  setRoom(scene.practice.fleet, { member1: 2, member2: 12, member3: 12 });
  await become(scene, replicasIn(scene), {
    claim: 'three replicas of member1 are pending',
    wanted: { member1: [5, 2], member2: [3, 3], member3: [2, 2] },
  });
  await tell(
    scene,
    replicasIn(scene),
    'Nodes of member1 are lost: three replicas are pending there, though others have room',
  );
}

async function deschedule(scene: PracticeScene): Promise<void> {
  const { stack, hubName, pace } = scene;
  const ended = narrate(scene);
  scene.print(
    `  the descheduler looks through the hub: what has been pending for ${THRESHOLD_SECONDS} s counts (unless set: 5 minutes)`,
  );
  await wait(THRESHOLD_SECONDS * 1000 + SPARE_MS);
  await stack.deschedule(hubName);
  const instead = () => 'no decision is recorded';
  const decision = await until({ claim: 'replicas are taken out', patienceMs: pace.patienceMs, instead }, async () => {
    const [last] = await stack.descheduling.decisions(hubName, 1);
    return last?.outcome === 'Written' ? last : undefined;
  });
  await become(scene, replicasIn(scene), {
    claim: 'they are placed elsewhere',
    wanted: { member1: [2, 2], member2: [4, 4], member3: [4, 4] },
  });
  ended();
  if (textOf(decision) !== 'member1 5 → 2, member2 3, member3 2')
    throw new StepFailed(`2/3/2 is left after taking out; instead: ${textOf(decision)}`);
  scene.print(`  decided: ${textOf(decision)}, because ${decision.reason}`);
  await tell(scene, replicasIn(scene), 'What was taken out is placed where there is room, and runs');
}

function textOf({ clusters }: DeschedulingDecision): string {
  return clusters
    .map(({ name, assigned, taken }) => `${name} ${assigned}${taken > 0 ? ` → ${assigned - taken}` : ''}`)
    .join(', ');
}

function setRoom(fleet: PracticeScene['practice']['fleet'], slots: Readonly<Record<string, number>>): void {
  for (const [name, count] of Object.entries(slots)) fleet.setCapacity(name, count);
}

function replicasIn({ namespace }: PracticeScene): StoryReplicas {
  return { binding: { namespace, name: `${NAME}-deployment` }, total: REPLICAS };
}
