/**
 * The proposal's story 1: a cluster fails and recovers; its replicas come back when somebody asks for a rebalance, and not before.
 * Played on real functions: what moves the replicas back is an audit event that reaches the hook over HTTP.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { narrate } from '../narrate.ts';
import type { KubeObject } from '../practice-hub/store/objects.ts';
import { ask, paths, type Scene, StepFailed, type Story, until, whereReplicasAre } from './scene.ts';

const REPLICAS = 12;
const TTL_SECONDS = 3;
/** Long enough for the practice hub's scheduler to have moved something, had it wanted to. */
const INERT_MS = 1500;
const key = { namespace: 'default', name: 'web-deployment' };

const labels = { app: 'web' };
const deployment = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', namespace: 'default', labels },
  spec: {
    replicas: REPLICAS,
    selector: { matchLabels: labels },
    template: {
      metadata: { labels },
      spec: { containers: [{ name: 'web', image: 'web', resources: { requests: { cpu: '500m' } } }] },
    },
  },
};
const policy = {
  apiVersion: 'policy.karmada.io/v1alpha1',
  kind: 'PropagationPolicy',
  metadata: { name: 'web', namespace: 'default' },
  spec: {
    resourceSelectors: [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' }],
    placement: {
      replicaScheduling: {
        replicaSchedulingType: 'Divided',
        replicaDivisionPreference: 'Weighted',
        weightPreference: { dynamicWeight: 'AvailableReplicas' },
      },
    },
  },
};
const rebalancer = {
  apiVersion: 'apps.karmada.io/v1alpha1',
  kind: 'WorkloadRebalancer',
  metadata: { name: 'bring-web-back' },
  spec: {
    workloads: [{ apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'default', name: 'web' }],
    ttlSecondsAfterFinished: TTL_SECONDS,
  },
};

export const failback: Story = {
  title: 'a cluster fails and recovers, and a WorkloadRebalancer brings its replicas back',
  async play(scene) {
    await start(scene);
    await failAndRecover(scene);
    await rebalance(scene);
    await expire(scene);
  },
};

async function start(scene: Scene): Promise<void> {
  await clear(scene);
  await ask(scene.hub, 'POST', paths.policies, policy);
  await ask(scene.hub, 'POST', paths.deployments, deployment);
  await spread(scene, 'replicas are spread', (at) => [...at.values()].every((count) => count > 0) && at.size === 3);
  tell(scene, `Deployment web with ${REPLICAS} replicas is spread by the room that each cluster has`);
}

/** A data folder that was kept may hold the story's objects from the last time. */
async function clear({ hub }: Scene): Promise<void> {
  for (const path of [paths.rebalancer('bring-web-back'), `${paths.deployments}/web`, `${paths.policies}/web`])
    await ask(hub, 'DELETE', path);
  const gone = () => (hub.store.get('resourcebindings', key) === undefined ? true : undefined);
  await until('what was left of an earlier run goes', gone, () => 'the binding of web is still there');
}

async function failAndRecover(scene: Scene): Promise<void> {
  scene.fleet.fail('member1');
  scene.print('  member1 fails: it is NotReady, and its replicas are evicted');
  await spread(scene, 'the replicas of member1 move', (at) => !at.has('member1'));
  tell(scene, 'Steady: the others keep what they have, and only what was lost is placed anew');
  scene.fleet.recover('member1');
  scene.print('  member1 recovers: it is Ready, with all its room');
  const before = JSON.stringify([...assigned(scene)]);
  await wait(INERT_MS);
  if (JSON.stringify([...assigned(scene)]) !== before)
    throw new StepFailed(`nothing moves back by itself; instead: ${where(scene)}`);
  tell(scene, 'Inert: nothing moves back by itself');
}

async function rebalance(scene: Scene): Promise<void> {
  const ended = narrate({ ...scene, about: rebalancer.metadata.name });
  await ask(scene.hub, 'POST', paths.rebalancers, rebalancer);
  scene.print(
    `  somebody creates WorkloadRebalancer bring-web-back (ttl ${TTL_SECONDS} s); the hub's audit event goes to the hook`,
  );
  await spread(scene, 'replicas are spread again', (at) => at.has('member1'));
  tell(scene, 'Fresh: assigned anew over all that is there, because the trigger is later than the last scheduling');
  const finished = await until(
    'the status is filled',
    () => finishedStatus(scene),
    () => 'no finishTime',
  );
  ended();
  const [observed] = finished.observedWorkloads;
  scene.print(
    `  status: Deployment default/web is ${observed?.result}, observedGeneration ${finished.observedGeneration}, finishTime is set`,
  );
}

async function expire(scene: Scene): Promise<void> {
  await until(
    'the rebalancer is gone',
    async () => ((await rebalancerNow(scene)) === undefined ? true : undefined),
    () => 'it is still there',
  );
  tell(scene, `${TTL_SECONDS} s after its finish the rebalancer is deleted; what it did stays`);
}

interface Finished {
  readonly observedWorkloads: readonly { readonly result?: string }[];
  readonly observedGeneration: number;
}

async function finishedStatus(scene: Scene): Promise<Finished | undefined> {
  const status = (await rebalancerNow(scene))?.status as (Finished & { finishTime?: string }) | undefined;
  return status?.finishTime === undefined ? undefined : status;
}

function rebalancerNow({ hub }: Scene): Promise<KubeObject | undefined> {
  return ask(hub, 'GET', paths.rebalancer('bring-web-back'));
}

/** Waits until the assignment is as claimed, and every replica is ready. */
async function spread(scene: Scene, claim: string, holds: (at: ReadonlyMap<string, number>) => boolean): Promise<void> {
  const looks = () => {
    const at = assigned(scene);
    const shares = scene.fleet.distribution(key);
    const total = [...at.values()].reduce((sum, count) => sum + count, 0);
    const ready = [...shares.values()].every((share) => share.ready === share.assigned);
    return total === REPLICAS && ready && holds(at) ? true : undefined;
  };
  await until(claim, looks, () => where(scene));
}

function assigned({ fleet }: Scene): ReadonlyMap<string, number> {
  return new Map(
    [...fleet.distribution(key)].flatMap(([name, share]) => (share.assigned > 0 ? [[name, share.assigned]] : [])),
  );
}

function where({ fleet }: Scene): string {
  return whereReplicasAre(fleet, key);
}

function tell(scene: Scene, why: string): void {
  scene.print(`${why}\n  now: ${where(scene)}`);
}
