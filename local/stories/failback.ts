/**
 * The proposal's story 1: a cluster fails and recovers; its replicas come back when somebody asks for a rebalance, and not before.
 * Played on real functions: what moves the replicas back is an audit event that reaches the hook over HTTP.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { narrate } from '../narrate.ts';
import type { Share } from '../practice-hub/fleet.ts';
import { deploymentOf, policyOf, workloadOf } from './manifests.ts';
import { type BindingKey, paths, type Scene, StepFailed, type Story, until, whereReplicasAre } from './scene.ts';

const REPLICAS = 12;
const TTL_SECONDS = 3;
/** A hub whose API server does not call our hook is compared with its tasks instead, as resync does by the clock. */
const HOOK_MS = 10_000;

const WEB = 'web';
const NAME = 'bring-web-back';

function rebalancer(namespace: string): object {
  return {
    apiVersion: 'apps.karmada.io/v1alpha1',
    kind: 'WorkloadRebalancer',
    metadata: { name: NAME },
    spec: { workloads: [{ ...workloadOf({ name: WEB }), namespace }], ttlSecondsAfterFinished: TTL_SECONDS },
  };
}

export const failback: Story = {
  on: 'any hub',
  title: 'a cluster fails and recovers, and a WorkloadRebalancer brings its replicas back',
  async play(scene) {
    await start(scene);
    await failAndRecover(scene);
    await rebalance(scene);
    await expire(scene);
  },
};

async function start(scene: Scene): Promise<void> {
  const { namespace, fleet } = scene;
  const workload = { name: WEB, namespace, replicas: REPLICAS };
  await clear(scene);
  await scene.ask('POST', paths.policies(namespace), policyOf(workload));
  await scene.ask('POST', paths.deployments(namespace), deploymentOf(workload));
  await spread(scene, 'replicas are spread', (at) => fleet.memberNames.every((name) => at.has(name)));
  await tell(scene, `Deployment web with ${REPLICAS} replicas is spread by the room that each cluster has`);
}

/** A data folder that was kept, or a hub, may hold the story's objects from the last time. */
async function clear(scene: Scene): Promise<void> {
  const { namespace, pace } = scene;
  for (const path of [
    paths.rebalancer(NAME),
    `${paths.deployments(namespace)}/web`,
    `${paths.policies(namespace)}/web`,
  ])
    await scene.ask('DELETE', path);
  const what = { claim: 'what was left of an earlier run goes', instead: () => 'the binding of web is still there' };
  await until({ ...what, patienceMs: pace.patienceMs }, async () =>
    (await scene.ask('GET', paths.binding(keyIn(scene)))) === undefined ? true : undefined,
  );
}

async function failAndRecover(scene: Scene): Promise<void> {
  const [member = ''] = scene.fleet.memberNames;
  scene.print(`  ${await scene.fleet.fail(member)}`);
  await spread(scene, `the replicas of ${member} move`, (at) => !at.has(member));
  await tell(scene, 'Steady: the others keep what they have, and only what was lost is placed anew');
  scene.print(`  ${await scene.fleet.recover(member)}`);
  const before = JSON.stringify([...(await assigned(scene))]);
  await wait(scene.pace.inertMs);
  if (JSON.stringify([...(await assigned(scene))]) !== before)
    throw new StepFailed(`nothing moves back by itself; instead: ${await where(scene)}`);
  await tell(scene, 'Inert: nothing moves back by itself');
}

async function rebalance(scene: Scene): Promise<void> {
  const [member = ''] = scene.fleet.memberNames;
  const ended = narrate({ ...scene, about: NAME });
  await scene.ask('POST', paths.rebalancers, rebalancer(scene.namespace));
  scene.print(
    `  somebody creates WorkloadRebalancer ${NAME} (ttl ${TTL_SECONDS} s); the hub's audit event goes to the hook`,
  );
  const unheard = compareIfUnheard(scene);
  try {
    await spread(scene, 'replicas are spread again', (at) => at.has(member));
  } finally {
    unheard();
  }
  await tell(
    scene,
    'Fresh: assigned anew over all that is there, because the trigger is later than the last scheduling',
  );
  const what = { claim: 'the status is filled', instead: () => 'no finishTime' };
  const finished = await until({ ...what, patienceMs: scene.pace.patienceMs }, () => finishedStatus(scene));
  ended();
  const [observed] = finished.observedWorkloads;
  scene.print(
    `  status: Deployment ${scene.namespace}/web is ${observed?.result}, observedGeneration ${finished.observedGeneration}, finishTime is set`,
  );
}

/** Returns what calls it off. */
function compareIfUnheard({ stack, hubName, print }: Scene): () => void {
  const compare = () => {
    print('  no audit event has come (docs/connect-a-hub.md, step 3); the hub is compared with its tasks instead');
    void stack.resync(hubName);
  };
  const timer = setTimeout(compare, HOOK_MS);
  const heard = stack.telemetry.listen((code, { admitted }) => {
    if (code === 'EK100' && admitted !== 0) clearTimeout(timer);
  });
  return () => {
    heard();
    clearTimeout(timer);
  };
}

async function expire(scene: Scene): Promise<void> {
  const what = { claim: 'the rebalancer is gone', instead: () => 'it is still there' };
  await until({ ...what, patienceMs: scene.pace.patienceMs }, async () =>
    (await scene.ask('GET', paths.rebalancer(NAME))) === undefined ? true : undefined,
  );
  await tell(scene, `${TTL_SECONDS} s after its finish the rebalancer is deleted; what it did stays`);
}

interface Finished {
  readonly observedWorkloads: readonly { readonly result?: string }[];
  readonly observedGeneration: number;
}

async function finishedStatus(scene: Scene): Promise<Finished | undefined> {
  const object = await scene.ask('GET', paths.rebalancer(NAME));
  const status = object?.status as (Finished & { finishTime?: string }) | undefined;
  return status?.finishTime === undefined ? undefined : status;
}

/** Waits until the assignment is as claimed, and every replica is ready. */
async function spread(scene: Scene, claim: string, holds: (at: ReadonlyMap<string, number>) => boolean): Promise<void> {
  const what = { claim, patienceMs: scene.pace.patienceMs, instead: () => where(scene) };
  await until(what, async () => {
    const shares = await scene.fleet.distribution(keyIn(scene));
    const at = assignedOf(shares);
    const total = [...at.values()].reduce((sum, count) => sum + count, 0);
    const ready = [...shares.values()].every((share) => share.ready === share.assigned);
    return total === REPLICAS && ready && holds(at) ? true : undefined;
  });
}

async function assigned(scene: Scene): Promise<ReadonlyMap<string, number>> {
  return assignedOf(await scene.fleet.distribution(keyIn(scene)));
}

function assignedOf(shares: ReadonlyMap<string, Share>): ReadonlyMap<string, number> {
  return new Map([...shares].flatMap(([name, share]) => (share.assigned > 0 ? [[name, share.assigned]] : [])));
}

function keyIn({ namespace }: Scene): BindingKey {
  return { namespace, name: 'web-deployment' };
}

function where(scene: Scene): Promise<string> {
  return whereReplicasAre(scene.fleet, keyIn(scene));
}

async function tell(scene: Scene, why: string): Promise<void> {
  scene.print(`${why}\n  now: ${await where(scene)}`);
}
