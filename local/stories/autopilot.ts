/**
 * Policies act without users: a cluster fails and recovers, one flaps, one joins, and a schedule fires. The only inputs are
 * the hub's audit events and the clock.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { deploymentOf, policyOf, rebalancePolicyOf, WITHOUT_COOL_DOWN } from './manifests.ts';
import { printRun } from './policy-runs.ts';
import { become, printDistribution } from './replicas.ts';
import { type PracticeScene, paths, type Story } from './scene.ts';

const WEB = { name: 'web', replicas: 12 };
const STABLE_SECONDS = 2;
/** A blip ends before anything is evicted: one second after its taint, whose time is in whole seconds. */
const BLIP_MS = 200;
const SECOND_MS = 1000;

export const autopilot: Story = {
  on: 'the practice hub',
  title: 'policies bring replicas home, give a new cluster its share, and follow a schedule, without a user',
  settings: { policyLookSeconds: 1 },
  async play(scene) {
    await start(scene);
    await comeHome(scene);
    await flap(scene);
    await join(scene);
    await keepToCalendar(scene);
  },
};

function policyObject(name: string, triggers: object): object {
  return rebalancePolicyOf({ name, workload: WEB.name, triggers, strategy: WITHOUT_COOL_DOWN });
}

async function start(scene: PracticeScene): Promise<void> {
  const { namespace, practice, ask } = scene;
  const workload = { ...WEB, namespace };
  for (const path of [
    paths.rebalancePolicy('home'),
    paths.rebalancePolicy('every-minute'),
    `${paths.deployments(namespace)}/${WEB.name}`,
    `${paths.policies(namespace)}/${WEB.name}`,
  ])
    await ask('DELETE', path);
  // A data folder from an earlier story may have more than three: those get no capacity.
  for (const [i, name] of practice.fleet.memberNames.entries()) practice.fleet.setCapacity(name, i < 3 ? 20 : 0);
  await ask('POST', paths.policies(namespace), policyOf(workload));
  await ask('POST', paths.deployments(namespace), deploymentOf(workload));
  await settle(scene, 'replicas are spread', { member1: 4, member2: 4, member3: 4 });
  const stableFor = `${STABLE_SECONDS}s`;
  const triggers = { clusterRecovered: { stableFor }, clusterJoined: { stableFor } };
  await ask('POST', paths.rebalancePolicies, policyObject('home', triggers));
  await printDistribution(
    scene,
    WEB,
    `Deployment ${WEB.name} with ${WEB.replicas} replicas is spread over three clusters`,
  );
  scene.print(
    `  RebalancePolicy home: clusterRecovered and clusterJoined, once a cluster was healthy for ${stableFor} (unless set: 5m)`,
  );
}

async function comeHome(scene: PracticeScene): Promise<void> {
  scene.print(`  ${await scene.fleet.fail('member1')}`);
  await settle(scene, 'the replicas of member1 move', { member1: 0, member2: 6, member3: 6 });
  await printDistribution(scene, WEB, 'Failover has replaced the lost replicas');
  scene.print(`  ${await scene.fleet.recover('member1')}`);
  await settle(scene, 'replicas come home', { member1: 4, member2: 4, member3: 4 });
  await printRun(scene, 'home', 'ClusterRecovered member1');
  await printDistribution(scene, WEB, 'Replicas have come home by themselves');
}

async function flap(scene: PracticeScene): Promise<void> {
  await wait(SECOND_MS - (Date.now() % SECOND_MS));
  scene.practice.fleet.fail('member2');
  await wait(BLIP_MS);
  scene.practice.fleet.recover('member2');
  scene.print('  member2 flaps: it is NotReady for a moment');
  await printRun(scene, 'home', 'ClusterRecovered member2');
  await settle(scene, 'nothing has moved', { member1: 4, member2: 4, member3: 4 });
  await printDistribution(scene, WEB, 'Nothing has moved: assigned anew, everything would stay where it is');
}

async function join(scene: PracticeScene): Promise<void> {
  const { fleet } = scene.practice;
  const name = `member${fleet.memberNames.length + 1}`;
  fleet.join({ name, capacity: 20, readyDelayMs: 700 });
  scene.print(`  ${name} joins the fleet`);
  await settle(scene, `${name} gets its share`, { member1: 3, member2: 3, member3: 3, [name]: 3 });
  await printRun(scene, 'home', `ClusterJoined ${name}`);
  await printDistribution(scene, WEB, 'The new cluster has its share');
}

async function keepToCalendar(scene: PracticeScene): Promise<void> {
  const { fleet } = scene.practice;
  const newcomer = fleet.memberNames.at(-1) ?? '';
  fleet.setCapacity(newcomer, 80);
  await scene.ask('POST', paths.rebalancePolicies, policyObject('every-minute', { schedule: { cron: '* * * * *' } }));
  scene.print(
    `  ${newcomer} gets more nodes, which no trigger of home waits for; RebalancePolicy every-minute: cron "* * * * *"`,
  );
  await printRun(scene, 'every-minute', 'Schedule');
  await settle(scene, 'the schedule has balanced the replicas', { member1: 2, member2: 2, member3: 2, [newcomer]: 6 });
  await printDistribution(scene, WEB, 'The scheduled run has balanced the replicas');
}

function settle(scene: PracticeScene, claim: string, wanted: Readonly<Record<string, number>>): Promise<void> {
  return become(scene, WEB, { claim, wanted });
}
