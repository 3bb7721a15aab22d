/** A rebalancer of 5,000 workloads: every binding patched exactly once, 50 chunks done, and what it took. */
import { bindingKey } from '../../shared/model/binding.ts';
import type { ObjectReference } from '../../shared/model/object-reference.ts';
import { controllerManager as actor } from '../practice-hub/controllers/actors.ts';
import { type PracticeScene, paths, StepFailed, type Story, until } from './scene.ts';

const WORKLOADS = 5000;
const name = 'all-of-them';

const workloads: readonly ObjectReference[] = Array.from({ length: WORKLOADS }, (_, i) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  namespace: 'default',
  name: `web-${String(i).padStart(4, '0')}`,
}));

export const large: Story = {
  on: 'the practice hub',
  title: `a WorkloadRebalancer of ${WORKLOADS} workloads`,
  async play(scene) {
    scene.practice.fleet.pauseScheduler();
    for (const workload of workloads) bind(scene, workload);
    scene.print(`${WORKLOADS} bindings are on the hub, last scheduled a minute ago`);
    const triggers = countTriggers(scene);
    const memory = watchMemory();
    const started = performance.now();
    const object = {
      apiVersion: 'apps.karmada.io/v1alpha1',
      kind: 'WorkloadRebalancer',
      metadata: { name },
      spec: { workloads },
    };
    const created = await scene.ask('POST', paths.rebalancers, object);
    const instead = () => `${triggers.size} bindings are triggered`;
    const what = { claim: 'the rebalancer finishes', patienceMs: scene.pace.patienceMs, instead };
    const status = await until(what, () => finishedStatus(scene));
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    const peak = memory();

    const successful = status.filter(({ result }) => result === 'Successful').length;
    scene.print(`finished in ${seconds} s: ${successful} of ${status.length} Successful in its status`);
    const once = [...triggers.values()].filter((count) => count === 1).length;
    scene.print(`${once} of ${WORKLOADS} bindings were patched exactly once`);
    const task = await scene.stack.tasks.readTask({ hub: scene.hubName, uid: created?.metadata.uid ?? '' });
    const done = (task?.chunks ?? 0) - (task?.pendingChunks.length ?? 0);
    scene.print(`the table shows ${done} of ${task?.chunks ?? 0} chunks done, state ${task?.state ?? 'unknown'}`);
    scene.print(`peak memory of this process, hub and table in it: ${peak} MB`);
    if (successful !== WORKLOADS || once !== WORKLOADS || done !== 50)
      throw new StepFailed('these numbers should be 5000, 5000 and 50');
  },
};

function bind({ practice: { server } }: PracticeScene, workload: ObjectReference): void {
  const key = bindingKey(workload);
  const object = {
    apiVersion: 'work.karmada.io/v1alpha2',
    kind: 'ResourceBinding',
    metadata: key,
    spec: { resource: workload },
  };
  server.store.create('resourcebindings', object, actor);
  const body = { status: { lastScheduledTime: new Date(Date.now() - 60_000).toISOString().replace(/\.\d+/, '') } };
  server.store.patch('resourcebindings', key, { type: 'merge', body, subresource: 'status' }, actor);
}

/** How often each binding's trigger changed. */
function countTriggers({ practice: { server } }: PracticeScene): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  server.store.onChange(({ plural, object, previous }) => {
    const changed = object.spec?.rescheduleTriggeredAt !== previous?.spec?.rescheduleTriggeredAt;
    if (plural === 'resourcebindings' && changed)
      counts.set(object.metadata.name, (counts.get(object.metadata.name) ?? 0) + 1);
  });
  return counts;
}

async function finishedStatus({ practice: { server } }: PracticeScene) {
  const object = server.store.get('workloadrebalancers', { namespace: '', name });
  const status = object?.status as { finishTime?: string; observedWorkloads: { result?: string }[] } | undefined;
  return status?.finishTime === undefined ? undefined : status.observedWorkloads;
}

/** The most resident memory until asked, in MB. */
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
