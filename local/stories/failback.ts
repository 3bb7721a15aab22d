/**
 * The proposal's story 1: a cluster fails and recovers; its replicas return only after a user requests a rebalance.
 * Runs on real functions: an audit event that reaches the hook over HTTP triggers the move.
 */
import { setTimeout as wait } from 'node:timers/promises';
import type { ObjectKey } from '../../shared/kubernetes/object-key.ts';
import { narrate } from '../narrate.ts';
import type { MemberShare } from '../practice-hub/fleet.ts';
import { deploymentOf, policyOf, workloadOf } from './manifests.ts';
import { allHandled, paths, type Scene, StepFailed, type Story, until, whereReplicasAre } from './scene.ts';

const REPLICAS = 12;
const TTL_SECONDS = 3;
/** The functions read states, a second behind: an outage of less may be missing in the history of the workload. */
const RECORDED_MS = 2000;
/** After this time without an audit event the story starts a resync, as a schedule would. */
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
  await report(scene, `Deployment web with ${REPLICAS} replicas is spread by the capacity of each cluster`);
  await wait(RECORDED_MS);
}

/** A kept data folder, or a hub, may have objects of an earlier story. */
async function clear(scene: Scene): Promise<void> {
  const { namespace, timing } = scene;
  for (const path of [
    paths.rebalancer(NAME),
    `${paths.deployments(namespace)}/web`,
    `${paths.policies(namespace)}/web`,
  ])
    await scene.ask('DELETE', path);
  const what = { claim: 'what was left of an earlier run goes', instead: () => 'the binding of web is still there' };
  await until({ ...what, timeoutMs: timing.timeoutMs }, async () =>
    (await scene.ask('GET', paths.binding(keyIn(scene)))) === undefined ? true : undefined,
  );
}

async function failAndRecover(scene: Scene): Promise<void> {
  const [member = ''] = scene.fleet.memberNames;
  scene.print(`  ${await scene.fleet.fail(member)}`);
  await spread(scene, `the replicas of ${member} move`, (at) => !at.has(member));
  await report(scene, 'Steady: the others keep their replicas, and only the lost ones are placed again');
  await wait(RECORDED_MS);
  scene.print(`  ${await scene.fleet.recover(member)}`);
  const before = JSON.stringify([...(await assigned(scene))]);
  await wait(scene.timing.inertMs);
  if (JSON.stringify([...(await assigned(scene))]) !== before)
    throw new StepFailed(`nothing moves back by itself; instead: ${await where(scene)}`);
  await report(scene, 'Inert: nothing moves back by itself');
}

async function rebalance(scene: Scene): Promise<void> {
  const [member = ''] = scene.fleet.memberNames;
  const ended = narrate({ ...scene, about: NAME });
  await scene.ask('POST', paths.rebalancers, rebalancer(scene.namespace));
  scene.print(
    `  a user creates WorkloadRebalancer ${NAME} (ttl ${TTL_SECONDS} s); the hub's audit event goes to the hook`,
  );
  const cancelResync = resyncWithoutEvent(scene);
  try {
    await spread(scene, 'replicas are spread again', (at) => at.has(member));
  } finally {
    cancelResync();
  }
  await report(scene, 'Fresh: all replicas are assigned anew, because the trigger is later than the last scheduling');
  const what = { claim: 'the status is filled', instead: () => 'no finishTime' };
  const finished = await until({ ...what, timeoutMs: scene.timing.timeoutMs }, () => finishedStatus(scene));
  await allHandled(scene);
  ended();
  const [observed] = finished.observedWorkloads;
  scene.print(
    `  status: Deployment ${scene.namespace}/web is ${observed?.result}, observedGeneration ${finished.observedGeneration}, finishTime is set`,
  );
}

/** Returns the cancel function. */
function resyncWithoutEvent({ stack, hubName, print }: Scene): () => void {
  const compare = () => {
    print(
      '  no audit event has come (docs/start/connect-a-hub.md, step 3); a resync compares the hub with its tasks instead',
    );
    void stack.resync(hubName);
  };
  const timer = setTimeout(compare, HOOK_MS);
  const stopListening = stack.telemetry.listen((code, { admitted }) => {
    if (code === 'EK100' && admitted !== 0) clearTimeout(timer);
  });
  return () => {
    stopListening();
    clearTimeout(timer);
  };
}

async function expire(scene: Scene): Promise<void> {
  const what = { claim: 'the rebalancer is gone', instead: () => 'it is still there' };
  await until({ ...what, timeoutMs: scene.timing.timeoutMs }, async () =>
    (await scene.ask('GET', paths.rebalancer(NAME))) === undefined ? true : undefined,
  );
  await report(scene, `${TTL_SECONDS} s after its finish the rebalancer is deleted; its effect stays`);
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

/** Waits for the claimed assignment, with every replica ready. */
async function spread(scene: Scene, claim: string, holds: (at: ReadonlyMap<string, number>) => boolean): Promise<void> {
  const what = { claim, timeoutMs: scene.timing.timeoutMs, instead: () => where(scene) };
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

function assignedOf(shares: ReadonlyMap<string, MemberShare>): ReadonlyMap<string, number> {
  return new Map([...shares].flatMap(([name, share]) => (share.assigned > 0 ? [[name, share.assigned]] : [])));
}

function keyIn({ namespace }: Scene): ObjectKey {
  return { namespace, name: 'web-deployment' };
}

function where(scene: Scene): Promise<string> {
  return whereReplicasAre(scene.fleet, keyIn(scene));
}

async function report(scene: Scene, why: string): Promise<void> {
  scene.print(`${why}\n  now: ${await where(scene)}`);
}
