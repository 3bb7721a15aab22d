/** A rebalancer of 5,000 workloads after a cluster's recovery: every binding is patched exactly once and rescheduled. Prints time and memory. */
import { bindingKey } from '../../shared/karmada/binding.ts';
import { type PlacedBinding, parsePlacedBinding } from '../../shared/karmada/placed-binding.ts';
import { readyIn, reportsOf, whyNotAssigned } from '../../shared/karmada/readiness.ts';
import { isTriggerPending, triggerStateOf } from '../../shared/karmada/trigger-state.ts';
import type { ObjectReference } from '../../shared/kubernetes/object-reference.ts';
import { controllerManager as actor } from '../practice-hub/controllers/actors.ts';
import type { KubeObject } from '../practice-hub/store/objects.ts';
import { deploymentOf, policyOf } from './manifests.ts';
import { type PracticeScene, paths, StepFailed, type Story, until } from './scene.ts';

const WORKLOADS = 5000;
const REPLICAS = 2;
const CAPACITY = 10_000;
/** For a run that hangs: a busy machine takes minutes. */
const TIMEOUT_MS = 600_000;
const name = 'all-of-them';
const namespace = 'default';

const workloads: readonly ObjectReference[] = Array.from({ length: WORKLOADS }, (_, i) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  namespace,
  name: `web-${String(i).padStart(4, '0')}`,
}));

export const large: Story = {
  on: 'the practice hub',
  title: `a WorkloadRebalancer of ${WORKLOADS} workloads`,
  // Its figures are those of a rebalance alone.
  settings: { placementHistoryDays: 0 },
  async play(scene) {
    const memory = watchMemory();
    await place(scene);
    const triggers = countTriggers(scene);
    const started = performance.now();
    const object = {
      apiVersion: 'apps.karmada.io/v1alpha1',
      kind: 'WorkloadRebalancer',
      metadata: { name },
      spec: { workloads },
    };
    const created = await scene.ask('POST', paths.rebalancers, object);
    const seconds = () => ((performance.now() - started) / 1000).toFixed(1);
    const instead = () => `${triggers.size} bindings are triggered`;
    const status = await until({ claim: 'the rebalancer finishes', timeoutMs: TIMEOUT_MS, instead }, () =>
      finishedStatus(scene),
    );
    const successful = status.filter(({ result }) => result === 'Successful').length;
    scene.print(`finished in ${seconds()} s: ${successful} of ${status.length} Successful in its status`);
    await allBindings(scene, 'is rescheduled and ready', (binding) => isRescheduled(binding) && isReady(binding));
    scene.print(`${WORKLOADS} of ${WORKLOADS} were rescheduled and ready within ${seconds()} s`);
    scene.print(`  now: ${replicasOf(scene)}`);
    const once = [...triggers.values()].filter((count) => count === 1).length;
    scene.print(`${once} of ${WORKLOADS} bindings were patched exactly once`);
    const task = await scene.stack.tasks.readTask({ hub: scene.hubName, uid: created?.metadata.uid ?? '' });
    const done = (task?.chunks ?? 0) - (task?.pendingChunks.length ?? 0);
    scene.print(`the table shows ${done} of ${task?.chunks ?? 0} chunks done, state ${task?.state ?? 'unknown'}`);
    scene.print(`peak memory of this process, hub and table in it: ${memory()} MB`);
    if (successful !== WORKLOADS || once !== WORKLOADS || done !== 50)
      throw new StepFailed('these numbers should be 5000, 5000 and 50');
  },
};

/** While member3 is down, all replicas move to the others, and stay there after its recovery. */
async function place(scene: PracticeScene): Promise<void> {
  const { fleet } = scene.practice;
  await scene.ask('DELETE', paths.rebalancer(name));
  // A data folder from an earlier story may have more than three: those get no capacity.
  for (const [i, member] of fleet.memberNames.entries()) fleet.setCapacity(member, i < 3 ? CAPACITY : 0);
  scene.print(await scene.fleet.fail('member3'));
  createIfAbsent(scene, 'propagationpolicies', ofAll(policyOf({ name, namespace, replicas: REPLICAS })));
  for (const { name } of workloads)
    createIfAbsent(scene, 'deployments', deploymentOf({ name, namespace, replicas: REPLICAS }));
  await allBindings(
    scene,
    'runs without member3',
    (binding) => isReady(binding) && !clustersOf(binding).includes('member3'),
  );
  scene.print(`${WORKLOADS} Deployments with ${REPLICAS} replicas each run on the other clusters`);
  scene.print(`  now: ${replicasOf(scene)}`);
  scene.print(await scene.fleet.recover('member3'));
}

function createIfAbsent({ practice: { server } }: PracticeScene, plural: string, object: object): void {
  const { metadata } = object as KubeObject;
  if (server.store.get(plural, { namespace, name: metadata.name }) === undefined)
    server.store.create(plural, object, actor);
}

/** A single policy for all Deployments of the namespace. */
function ofAll(policy: object): object {
  const { spec, ...rest } = policy as KubeObject;
  return { ...rest, spec: { ...spec, resourceSelectors: [{ apiVersion: 'apps/v1', kind: 'Deployment' }] } };
}

function bindingsOf({ practice: { server } }: PracticeScene): readonly PlacedBinding[] {
  return server.store.list('resourcebindings', namespace).filter(isOfStory).map(parsePlacedBinding);
}

const bindingNames = new Set(workloads.map((workload) => bindingKey(workload).name));

function isOfStory({ metadata }: KubeObject): boolean {
  return bindingNames.has(metadata.name);
}

/** Waits until each of the story's bindings satisfies the claim. */
async function allBindings(
  scene: PracticeScene,
  does: string,
  isSo: (binding: PlacedBinding) => boolean,
): Promise<void> {
  const instead = () => `${bindingsOf(scene).filter(isSo).length} of them do`;
  await until({ claim: `each of ${WORKLOADS} workloads ${does}`, timeoutMs: TIMEOUT_MS, instead }, async () => {
    await scene.practice.fleet.settled();
    const all = bindingsOf(scene);
    return all.length === WORKLOADS && all.every(isSo) ? true : undefined;
  });
}

function clustersOf({ spec }: PlacedBinding): readonly string[] {
  return spec.clusters.flatMap(({ name, replicas }) => (replicas > 0 ? [name] : []));
}

function isReady(binding: PlacedBinding): boolean {
  const reports = reportsOf(binding);
  return (
    whyNotAssigned(binding) === undefined &&
    binding.spec.clusters.every(({ name, replicas }) => readyIn(reports.get(name), replicas) >= replicas)
  );
}

function isRescheduled(binding: PlacedBinding): boolean {
  return binding.spec.rescheduleTriggeredAt != null && !isTriggerPending(triggerStateOf(binding));
}

/** "member1 5000, member2 5000, member3 0 (10000 of 10000 ready)". */
function replicasOf(scene: PracticeScene): string {
  const assigned = new Map(scene.fleet.memberNames.map((member) => [member, 0]));
  let [ready, all] = [0, 0];
  for (const binding of bindingsOf(scene)) {
    const reports = reportsOf(binding);
    for (const { name, replicas } of binding.spec.clusters) {
      assigned.set(name, (assigned.get(name) ?? 0) + replicas);
      ready += Math.min(replicas, readyIn(reports.get(name), replicas));
      all += replicas;
    }
  }
  return `${[...assigned].map(([member, replicas]) => `${member} ${replicas}`).join(', ')} (${ready} of ${all} ready)`;
}

/** How often each binding's trigger changed. */
function countTriggers({ practice: { server } }: PracticeScene): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  server.store.onChange(({ plural, object, previous }) => {
    const changed = object.spec?.rescheduleTriggeredAt !== previous?.spec?.rescheduleTriggeredAt;
    if (plural === 'resourcebindings' && changed && isOfStory(object))
      counts.set(object.metadata.name, (counts.get(object.metadata.name) ?? 0) + 1);
  });
  return counts;
}

async function finishedStatus({ practice: { server } }: PracticeScene) {
  const object = server.store.get('workloadrebalancers', { namespace: '', name });
  const status = object?.status as { finishTime?: string; observedWorkloads: { result?: string }[] } | undefined;
  return status?.finishTime === undefined ? undefined : status.observedWorkloads;
}

/** Peak resident memory, in MB. */
function watchMemory(): () => number {
  let peak = 0;
  const look = () => {
    peak = Math.max(peak, process.memoryUsage.rss());
  };
  const timer = setInterval(look, 50);
  return () => {
    look();
    clearInterval(timer);
    return Math.round(peak / 1024 / 1024);
  };
}
