/**
 * A rebalance without an outage: a cluster's replicas stay until their replacement is ready elsewhere. Shows the same move
 * with and without the strategy, with pods that take a few seconds to become ready.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { DELAY_WORK_DELETION, queueOf, REDUCTION_STRATEGY } from '../../shared/graceful-reduction/replica-reduction.ts';
import { parsePlacedBinding } from '../../shared/karmada/placed-binding.ts';
import { deploymentOf, policyOf, workloadOf } from './manifests.ts';
import { drawReady, watchReady } from './ready-curve.ts';
import { become, bindingKeyIn, printDistribution } from './replicas.ts';
import { type PracticeScene, paths, StepFailed, type Story, until } from './scene.ts';

const SHOP = { name: 'shop', replicas: 12 };
const QUICK_MS = 300;
const SLOW_MS = 3000;
/** Before and after the move, so that the plot shows the states around it. */
const CALM_MS = 500;

const PLOT = { top: 16, step: 4 };

const even = { member1: 4, member2: 4, member3: 4 };
const without1 = { member1: 0, member2: 6, member3: 6 };

export const graceful: Story = {
  on: 'the practice hub',
  title: 'a rebalance takes nothing away until its replacement is ready',
  async play(scene) {
    await start(scene);
    await loseMember(scene);
    await rebalance(scene, {
      name: 'gracefully',
      fewest: SHOP.replicas,
      held: 'member2 keeps 6, member3 keeps 6',
      summary: 'Held replicas were removed once their replacement was ready: at no time were fewer than 12 of 12 ready',
    });
    await stopAsking(scene);
    await loseMember(scene);
    await rebalance(scene, {
      name: 'at-once',
      fewest: 8,
      held: 'nothing',
      summary: 'Four were removed at once, before their replacement was ready: meanwhile only 8 of 12 were ready',
    });
  },
};

async function start(scene: PracticeScene): Promise<void> {
  const { namespace, practice, ask } = scene;
  const workload = { ...SHOP, namespace };
  const left = [
    paths.rebalancer('gracefully'),
    paths.rebalancer('at-once'),
    `${paths.deployments(namespace)}/${SHOP.name}`,
    policyPath(scene),
  ];
  for (const path of left) await ask('DELETE', path);
  // A data folder from an earlier story may have more than three: those get no capacity.
  for (const [i, name] of practice.fleet.memberNames.entries()) practice.fleet.setCapacity(name, i < 3 ? 20 : 0);
  setReadyDelay(scene, QUICK_MS);
  await ask('POST', paths.policies(namespace), policyOf(workload, { [REDUCTION_STRATEGY]: DELAY_WORK_DELETION }));
  await ask('POST', paths.deployments(namespace), deploymentOf(workload));
  await settle(scene, 'replicas are spread', even);
  await isAsked(scene, DELAY_WORK_DELETION);
  await printDistribution(
    scene,
    SHOP,
    `Deployment ${SHOP.name} with ${SHOP.replicas} replicas is spread over three clusters`,
  );
  scene.print(`  its policy has ${REDUCTION_STRATEGY}: ${DELAY_WORK_DELETION}`);
}

async function loseMember(scene: PracticeScene): Promise<void> {
  setReadyDelay(scene, QUICK_MS);
  scene.print(`  ${await scene.fleet.fail('member1')}`);
  await settle(scene, 'the replicas of member1 move', without1);
  scene.print(`  ${await scene.fleet.recover('member1')}`);
  await printDistribution(scene, SHOP, 'Failover has replaced the lost replicas, and nothing moves back by itself');
}

async function stopAsking(scene: PracticeScene): Promise<void> {
  await scene.ask('PATCH', policyPath(scene), { metadata: { annotations: { [REDUCTION_STRATEGY]: null } } });
  await isAsked(scene, undefined);
  scene.print('The same again without the strategy: a user removes the annotation from the policy');
}

interface GracefulMove {
  readonly name: string;
  /** The minimum of ready replicas at any time. */
  readonly fewest: number;
  readonly held: string;
  readonly summary: string;
}

async function rebalance(scene: PracticeScene, { name, fewest, held, summary }: GracefulMove): Promise<void> {
  const { practice, namespace, ask, print } = scene;
  setReadyDelay(scene, SLOW_MS);
  const watched = watchReady(practice.fleet, bindingKeyIn(scene, SHOP));
  await wait(CALM_MS);
  const spec = { workloads: [{ ...workloadOf(SHOP), namespace }] };
  const header = { apiVersion: 'apps.karmada.io/v1alpha1', kind: 'WorkloadRebalancer' };
  await ask('POST', paths.rebalancers, { ...header, metadata: { name }, spec });
  print(`  a user creates WorkloadRebalancer ${name}; a new pod is ready after ${SLOW_MS / 1000} s`);
  await settleAssigned(scene);
  const kept = await heldNow(scene);
  print(`  assigned at once: member1 4, member2 4, member3 4; held meanwhile: ${kept}`);
  await settle(scene, 'all is ready as assigned, and nothing is held', even);
  await wait(CALM_MS);
  const seen = watched();
  if (kept !== held) throw new StepFailed(`${held} is held; instead: ${kept}`);
  if (Math.min(...seen) !== fewest)
    throw new StepFailed(`at least ${fewest} of ${SHOP.replicas} are ready; instead: ${Math.min(...seen)}`);
  print('  ready in all members, a column every 0.1 s:');
  for (const row of drawReady(seen, PLOT)) print(row);
  await printDistribution(scene, SHOP, summary);
}

/** Waits only for the assignment, not for ready replicas. */
async function settleAssigned(scene: PracticeScene): Promise<void> {
  const what = { claim: 'all is assigned anew', timeoutMs: scene.timing.timeoutMs, instead: () => 'it is as it was' };
  await until(what, () => {
    const shares = scene.practice.fleet.distribution(bindingKeyIn(scene, SHOP));
    return Object.entries(even).every(([name, count]) => shares.get(name)?.assigned === count) || undefined;
  });
}

async function heldNow(scene: PracticeScene): Promise<string> {
  const queue = queueOf(parsePlacedBinding(await bindingIn(scene)));
  return [...queue].map(([cluster, { replicas }]) => `${cluster} keeps ${replicas}`).join(', ') || 'nothing';
}

/** Waits until the binding has the annotation of its policy. */
async function isAsked(scene: PracticeScene, expected: string | undefined): Promise<void> {
  const what = {
    claim: 'the binding has the annotation of its policy',
    timeoutMs: scene.timing.timeoutMs,
    instead: () => 'not',
  };
  await until(what, async () => {
    const actual = (await bindingIn(scene))?.metadata.annotations?.[REDUCTION_STRATEGY];
    return actual === expected || undefined;
  });
}

function bindingIn(scene: PracticeScene): ReturnType<PracticeScene['ask']> {
  return scene.ask('GET', paths.binding(bindingKeyIn(scene, SHOP)));
}

function policyPath({ namespace }: PracticeScene): string {
  return `${paths.policies(namespace)}/${SHOP.name}`;
}

function setReadyDelay({ practice: { fleet } }: PracticeScene, ms: number): void {
  for (const name of fleet.memberNames) fleet.setReadyDelay(name, ms);
}

function settle(scene: PracticeScene, claim: string, wanted: Readonly<Record<string, number>>): Promise<void> {
  return become(scene, SHOP, { claim, wanted });
}
