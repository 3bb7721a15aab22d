/** Records the start of eviction tasks, and ends them when the replacement is healthy or the timeout has expired. Until then the evicted cluster keeps its pods and gets no new ones. */
import { isDeepStrictEqual } from 'node:util';
import { fromTimestamp, SECOND, toTimestamp } from '../../../shared/core/time.ts';
import { keyOf } from '../store/object-collection.ts';
import { controllerManager as by } from './actors.ts';
import { type BindingView, bindingPlurals, getByWorkKey, readBinding, readWorkKey, workKey } from './binding-view.ts';
import type { Controller, ControllerContext } from './work-loop.ts';

/** Karmada's default. */
const TIMEOUT = 600 * SECOND;

type EvictionTask = NonNullable<BindingView['spec']['gracefulEvictionTasks']>[number];

export function createGracefulEviction({ store, loop, now }: ControllerContext): Controller {
  const queue = loop.queue(endTasks);

  function endTasks(key: string): void {
    const object = getByWorkKey(store, key);
    if (object === undefined) return;
    const binding = readBinding(readWorkKey(key).plural, object);
    const tasks = binding.spec.gracefulEvictionTasks ?? [];
    if (tasks.length === 0) return;
    const replaced = isReplaced(binding);
    // Tasks as stored: the parsed ones lack some fields.
    const stored = object.spec?.gracefulEvictionTasks as readonly object[];
    const left = tasks.flatMap((task, i) => {
      if (task.creationTimestamp == null) return [{ ...stored[i], creationTimestamp: toTimestamp(now()) }];
      return (task.suppressDeletion ?? !(replaced || endOf(task) <= now())) ? [stored[i]] : [];
    });
    const body = { spec: { gracefulEvictionTasks: left } };
    if (!isDeepStrictEqual(left, stored)) store.patch(binding.plural, binding.key, { type: 'merge', body }, by);
    const next = Math.min(
      ...tasks
        .filter((task) => task.suppressDeletion == null)
        .map(endOf)
        .filter((at) => at > now()),
    );
    if (Number.isFinite(next)) queue.addAfter(key, next - now());
  }

  return {
    onChange({ plural, object }) {
      if (!bindingPlurals.includes(plural)) return;
      const tasks = object.spec?.gracefulEvictionTasks as readonly unknown[] | undefined;
      if (tasks !== undefined && tasks.length > 0) queue.add(workKey(plural, keyOf(object)));
    },
  };
}

/** Scheduled at its current generation, and healthy in every assigned cluster. */
function isReplaced({ metadata, spec, status }: BindingView): boolean {
  const scheduled = status.conditions.some(({ type, status: is }) => type === 'Scheduled' && is === 'True');
  if (!scheduled || status.schedulerObservedGeneration !== metadata.generation) return false;
  const health = new Map(status.aggregatedStatus.map(({ clusterName, health: is }) => [clusterName, is]));
  return spec.clusters.every(({ name }) => health.get(name) === 'Healthy');
}

function endOf({ creationTimestamp, gracePeriodSeconds }: EvictionTask): number {
  const timeout = typeof gracePeriodSeconds === 'number' ? gracePeriodSeconds * SECOND : TIMEOUT;
  return (fromTimestamp(creationTimestamp ?? '') ?? 0) + timeout;
}
