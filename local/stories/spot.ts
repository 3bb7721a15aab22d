/** AWS announces that it takes Spot instances back: their share of the replicas moves, each when its replacement is ready, and comes home afterwards. */
import { setTimeout as wait } from 'node:timers/promises';
import { SECOND, toTimestamp } from '../../shared/core/time.ts';
import { EKS_CLUSTER } from '../../shared/external-events/aws-cluster.ts';
import { resourcePath } from '../../shared/kubernetes/resource.ts';
import { clusterDrains } from '../../shared/rebalance-policy/cluster-drain.ts';
import type { PolicyStatus } from '../../shared/rebalance-policy/rebalance-policy.ts';
import type { KubeObject } from '../practice-hub/store/objects.ts';
import { deploymentOf, policyOf, rebalancePolicyOf, WITHOUT_COOL_DOWN } from './manifests.ts';
import { drawReady, watchReady } from './ready-curve.ts';
import { become, bindingKeyIn, printDistribution } from './replicas.ts';
import { type PracticeScene, paths, StepFailed, type Story, until } from './scene.ts';

const WEB = { name: 'web', replicas: 12 };
const QUICK_MS = 300;
const SLOW_MS = 3000;
const CALM_MS = 500;
const PLOT = { top: 16, step: 4 };
const REGION = 'eu-central-1';
const NODES = ['i-0b662ef9931388ba0', 'i-0f11ad30c1a94b2d4', 'i-01c94a6a1cf4a0a51', 'i-0d2f0a6d9bd3c6b77'];
const INTERRUPTED = NODES.slice(0, 2);
/** The time between the warning and the end of an instance. */
const WARNING_SECONDS = 120;

const even = { member1: 4, member2: 4, member3: 4 };

export const spot: Story = {
  on: 'the practice hub',
  title: 'AWS takes Spot instances back, and their replicas are ready elsewhere before that',
  settings: { policyLookSeconds: 1 },
  async play(scene) {
    await start(scene);
    await interrupt(scene);
    await comeHome(scene);
  },
};

function policyObject(name: string, triggers: object): object {
  return rebalancePolicyOf({ name, workload: WEB.name, triggers, strategy: WITHOUT_COOL_DOWN });
}

async function start(scene: PracticeScene): Promise<void> {
  const { namespace, practice, ask, stack } = scene;
  const workload = { ...WEB, namespace };
  for (const path of [
    ...['aws', 'home'].map(paths.rebalancePolicy),
    `${paths.deployments(namespace)}/${WEB.name}`,
    `${paths.policies(namespace)}/${WEB.name}`,
  ])
    await ask('DELETE', path);
  // A data folder from an earlier story may have more than three: those get no capacity.
  for (const [i, name] of practice.fleet.memberNames.entries()) {
    practice.fleet.setCapacity(name, i < 3 ? 20 : 0);
    practice.fleet.setReadyDelay(name, QUICK_MS);
  }
  const arn = `arn:aws:eks:${REGION}:111122223333:cluster/prod`;
  await ask('PATCH', `${paths.clusters}/member1`, { metadata: { annotations: { [EKS_CLUSTER]: arn } } });
  const status = { nodeSummary: { totalNum: NODES.length, readyNum: NODES.length } };
  await ask('PATCH', `${paths.clusters}/member1/status`, { status });
  for (const id of NODES) stack.instances.set(id, 'prod');
  await ask('POST', paths.policies(namespace), policyOf(workload));
  await ask('POST', paths.deployments(namespace), deploymentOf(workload));
  await settle(scene, 'replicas are spread', even);
  await ask(
    'POST',
    paths.rebalancePolicies,
    policyObject('aws', { externalEvents: [{ types: ['SpotInterruption'] }] }),
  );
  await ask('POST', paths.rebalancePolicies, policyObject('home', { clusterRecovered: { stableFor: '2s' } }));
  await printDistribution(
    scene,
    WEB,
    `Deployment ${WEB.name} with ${WEB.replicas} replicas is spread over three clusters`,
  );
  scene.print(`  member1 is EKS cluster prod with ${NODES.length} nodes: ${EKS_CLUSTER}: ${arn}`);
  scene.print(
    '  RebalancePolicy aws: externalEvents, types [SpotInterruption]; RebalancePolicy home: clusterRecovered',
  );
}

async function interrupt(scene: PracticeScene): Promise<void> {
  const { practice, stack, print } = scene;
  for (const name of practice.fleet.memberNames) practice.fleet.setReadyDelay(name, SLOW_MS);
  const watched = watchReady(practice.fleet, bindingKeyIn(scene, WEB));
  await wait(CALM_MS);
  const from = Date.now();
  for (const id of INTERRUPTED) stack.receive(warningOf(id, from));
  print(
    `  AWS sends an EC2 Spot Instance Interruption Warning for ${INTERRUPTED.length} of ${NODES.length} nodes; a new pod is ready after ${SLOW_MS / SECOND} s`,
  );
  await settle(scene, 'their share of the replicas is ready elsewhere', { member1: 2, member2: 5, member3: 5 });
  const seconds = (Date.now() - from) / SECOND;
  await wait(CALM_MS);
  const seen = watched();
  const least = Math.min(...seen);
  if (least !== WEB.replicas) throw new StepFailed(`all ${WEB.replicas} are ready at any time; instead: ${least}`);
  if (seconds > WARNING_SECONDS)
    throw new StepFailed(`the replicas are ready elsewhere in time; instead: after ${seconds} s`);
  // A move is over once the functions have observed that: before, no policy would bring the replicas home.
  const drain = await drained(scene);
  const { cluster, percent } = (drain.spec ?? {}) as { readonly cluster?: string; readonly percent?: number };
  print(`  ClusterDrain aws-member1: cluster ${cluster}, percent ${percent}`);
  print('  ready in all members, a column every 0.1 s:');
  for (const row of drawReady(seen, PLOT)) print(row);
  await printDistribution(
    scene,
    WEB,
    `Their share of the replicas is ready elsewhere before the ${WARNING_SECONDS} s are over; at no time were fewer than ${WEB.replicas} ready`,
  );
}

function drained({ ask, timing }: PracticeScene): Promise<KubeObject> {
  const read = () => ask('GET', resourcePath(clusterDrains, { name: 'aws-member1' }));
  const instead = async () => JSON.stringify((await read())?.status ?? 'no ClusterDrain');
  return until({ claim: 'the drain is over', timeoutMs: timing.timeoutMs, instead }, async () => {
    const drain = await read();
    const { conditions = [] } = (drain?.status ?? {}) as PolicyStatus;
    return conditions.some(({ type, status }) => type === 'Drained' && status === 'True') ? drain : undefined;
  });
}

function warningOf(instance: string, now: number): object {
  return {
    ...{ version: '0', id: `warning-${instance}`, source: 'aws.ec2', account: '111122223333', region: REGION },
    ...{ 'detail-type': 'EC2 Spot Instance Interruption Warning', time: toTimestamp(now) },
    resources: [`arn:aws:ec2:${REGION}a:instance/${instance}`],
    detail: { 'instance-id': instance, 'instance-action': 'terminate' },
  };
}

async function comeHome(scene: PracticeScene): Promise<void> {
  const { practice } = scene;
  for (const name of practice.fleet.memberNames) practice.fleet.setReadyDelay(name, QUICK_MS);
  await scene.ask('DELETE', paths.rebalancePolicy('aws'));
  scene.print(
    '  A user deletes RebalancePolicy aws, which ends its drain at once; else it ends after its limit of an hour',
  );
  await settle(scene, 'replicas come home', even);
  await printDistribution(
    scene,
    WEB,
    'The cluster counts as recovered, and RebalancePolicy home has brought its replicas back',
  );
}

function settle(scene: PracticeScene, claim: string, wanted: Readonly<Record<string, number>>): Promise<void> {
  return become(scene, WEB, { claim, wanted });
}
