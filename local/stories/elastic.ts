/**
 * One workload over the clusters of an Open Cluster Management hub: it spreads evenly, rebalances for a cluster that joins,
 * borrows replicas for a cluster that cannot run them and returns them, and leaves a lost cluster; replicas are removed only when others are ready.
 */
import { elasticKind } from '../../shared/elastic-workload/elastic-workload.ts';
import { placements } from '../../shared/elastic-workload/placement-decision.ts';
import { resourcePath } from '../../shared/kubernetes/resource.ts';
import { deploymentOf } from './manifests.ts';
import { type PracticeScene, StepFailed, type Story, until } from './scene.ts';

const NAME = 'shop';
const REPLICAS = 12;
const SLOTS = 20;
const READY_MS = 500;
/** The default is five minutes. */
const HESITATION_SECONDS = 3;
const LOOK_MS = 50;
/** A cluster with a learned capacity limit is retried when the limit expires. */
const TIMEOUT_MS = 60_000;

const clusters = 'cluster.open-cluster-management.io';
const kind = elasticKind('workload.open-cluster-management.io');

export const elastic: Story = {
  on: 'the practice hub',
  title: 'one workload keeps its replicas over the clusters of an Open Cluster Management hub',
  managedClusters: ['spoke1', 'spoke2', 'spoke3'].map((name) => ({ name, capacity: SLOTS, readyDelayMs: READY_MS })),
  async play(scene) {
    await start(scene);
    const newcomer = await join(scene);
    const three = { spoke1: 3, spoke2: 3, spoke3: 3, [newcomer]: 3 };
    await borrowAndReturn(scene, newcomer, three);
    await loseAndRecover(scene, newcomer, three);
  },
};

type WrittenReplicas = Readonly<Record<string, number>>;

async function start(scene: PracticeScene): Promise<void> {
  const { namespace, ask, practice } = scene;
  const { managedClusters } = practice.fleet;
  const key = { namespace, name: NAME };
  const binding = `/apis/${clusters}/v1beta2/namespaces/${namespace}/managedclustersetbindings`;
  for (const path of [resourcePath(kind, key), resourcePath(placements, key), `${binding}/global`])
    await ask('DELETE', path);
  // A data folder from an earlier story may have more than three: those get no capacity, and are not selected.
  for (const name of managedClusters.names.slice(3))
    await ask('PATCH', `/apis/${clusters}/v1/managedclusters/${name}`, tainted);
  await settle(scene, { claim: 'what an earlier story left is gone', wanted: {} });
  const apiVersion = `${clusters}/v1beta1`;
  const ofSets = { apiVersion: `${clusters}/v1beta2`, kind: 'ManagedClusterSetBinding' };
  await ask('POST', binding, { ...ofSets, metadata: { name: 'global', namespace }, spec: { clusterSet: 'global' } });
  await ask('POST', resourcePath(placements, { namespace }), {
    apiVersion,
    kind: 'Placement',
    metadata: key,
    spec: {},
  });
  await ask('POST', resourcePath(kind, { namespace }), elasticWorkload(namespace));
  await settle(scene, { claim: 'replicas are spread', wanted: { spoke1: 4, spoke2: 4, spoke3: 4 } });
  report(
    scene,
    `ElasticWorkload ${NAME}: ${REPLICAS} replicas over the clusters of Placement ${NAME}, at most 8 on each`,
  );
}

const tainted = { spec: { taints: [{ key: 'of-an-earlier-story', effect: 'NoSelect' }] } };

function elasticWorkload(namespace: string): object {
  return {
    apiVersion: `${kind.group}/${kind.version}`,
    kind: kind.kind,
    metadata: { name: NAME, namespace },
    spec: {
      spokeNamespace: namespace,
      placementRef: { name: NAME },
      distributionStrategy: { totalReplicas: REPLICAS, type: 'Even' },
      balanceStrategy: { type: 'LimitRange', limitRange: { max: 8 }, hesitationSeconds: HESITATION_SECONDS },
      target: { type: 'Inline', inline: deploymentOf({ name: NAME, namespace, replicas: 0 }) },
    },
  };
}

async function join(scene: PracticeScene): Promise<string> {
  const { managedClusters } = scene.practice.fleet;
  const name = `spoke${managedClusters.names.length + 1}`;
  managedClusters.join({ name, capacity: SLOTS, readyDelayMs: READY_MS });
  scene.print(`  ${name} joins, and the Placement selects it`);
  const wanted = { spoke1: 3, spoke2: 3, spoke3: 3, [name]: 3 };
  const fewest = await settle(scene, { claim: `${name} gets its share`, wanted });
  atLeast(REPLICAS, fewest);
  report(scene, `${name} has its share; at no time were fewer than ${REPLICAS} ready`);
  return name;
}

async function borrowAndReturn(scene: PracticeScene, newcomer: string, three: WrittenReplicas): Promise<void> {
  const { practice, print } = scene;
  const { managedClusters } = practice.fleet;
  managedClusters.setCapacity('spoke2', 0);
  print(`  spoke2 loses its nodes: its 3 replicas are pending there, ${REPLICAS - 3} of ${REPLICAS} are ready`);
  const borrowed = { spoke1: 4, spoke2: 0, spoke3: 4, [newcomer]: 4 };
  atLeast(
    REPLICAS - 3,
    await settle(scene, { claim: 'the others run the replicas that spoke2 lacks', wanted: borrowed }),
  );
  report(scene, `After ${HESITATION_SECONDS} s the others borrow the replicas that it lacks`);
  print(`  its status: ${await messageOf(scene, 'Balanced')}`);
  managedClusters.setCapacity('spoke2', SLOTS);
  print('  spoke2 has nodes again');
  atLeast(REPLICAS, await settle(scene, { claim: 'borrowed replicas are returned', wanted: three }));
  report(scene, `It is retried, and borrowed replicas are returned; at no time were fewer than ${REPLICAS} ready`);
}

async function loseAndRecover(scene: PracticeScene, newcomer: string, three: WrittenReplicas): Promise<void> {
  const { practice, print } = scene;
  const { managedClusters } = practice.fleet;
  managedClusters.fail('spoke3');
  print('  spoke3 fails: its lease stops, so the hub taints it and the Placement no longer selects it');
  const without = { spoke1: 4, spoke2: 4, [newcomer]: 4 };
  atLeast(
    REPLICAS - 3,
    await settle(scene, { claim: 'the replicas of spoke3 are placed elsewhere', wanted: without, lost: 'spoke3' }),
  );
  report(scene, 'Its replicas are placed elsewhere', 'spoke3');
  managedClusters.recover('spoke3');
  print('  spoke3 recovers, and is selected again');
  atLeast(REPLICAS, await settle(scene, { claim: 'spoke3 has its share again', wanted: three }));
  report(scene, `Each cluster has its share again; at no time were fewer than ${REPLICAS} ready`);
}

interface Awaited {
  readonly claim: string;
  /** Replicas by cluster, all of them ready; the others have none. */
  readonly wanted: WrittenReplicas;
  /** A lost cluster, whose replicas are unknown. */
  readonly lost?: string;
}

/** Waits until all is as wanted; returns the fewest replicas that were ready meanwhile. */
async function settle(scene: PracticeScene, { claim, wanted, lost }: Awaited): Promise<number> {
  let fewest = Number.POSITIVE_INFINITY;
  const watching = setInterval(() => {
    fewest = Math.min(fewest, readyNow(scene));
  }, LOOK_MS);
  try {
    const what = { claim, timeoutMs: TIMEOUT_MS, instead: () => whereTheyAre(scene) };
    await until(what, () => {
      const seen = seenOn(scene).filter(({ name }) => name !== lost);
      return (
        seen.every(({ name, replicas, ready }) => replicas === (wanted[name] ?? 0) && ready === replicas) || undefined
      );
    });
    return Math.min(fewest, readyNow(scene));
  } finally {
    clearInterval(watching);
  }
}

function atLeast(least: number, fewest: number): void {
  if (fewest < least) throw new StepFailed(`at least ${least} are ready at any time; instead: ${fewest}`);
}

interface ObservedReplicas {
  readonly name: string;
  readonly replicas: number;
  readonly ready: number;
}

function seenOn({ practice, namespace }: PracticeScene): readonly ObservedReplicas[] {
  const { managedClusters } = practice.fleet;
  return managedClusters.names.map((name) => ({ name, ...managedClusters.replicas(name, { namespace, name: NAME }) }));
}

function readyNow(scene: PracticeScene): number {
  return seenOn(scene).reduce((sum, { ready }) => sum + ready, 0);
}

function whereTheyAre(scene: PracticeScene, lost?: string): string {
  const parts = seenOn(scene).map(({ name, replicas }) => `${name} ${name === lost ? 'silent' : replicas}`);
  return `${parts.join(', ')} (${readyNow(scene)} ready)`;
}

function report(scene: PracticeScene, why: string, lost?: string): void {
  scene.print(`${why}\n  now: ${whereTheyAre(scene, lost)}`);
}

async function messageOf({ ask, namespace }: PracticeScene, type: string): Promise<string> {
  const object = await ask('GET', resourcePath(kind, { namespace, name: NAME }));
  const conditions = (object?.status?.conditions ?? []) as readonly {
    readonly type: string;
    readonly message: string;
  }[];
  return conditions.find((one) => one.type === type)?.message ?? 'nothing';
}
