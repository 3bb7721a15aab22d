/** Reads a task with its workloads, by name or uid. */
import type { Hubs } from '../kubernetes/hub.ts';
import { type RebalanceTask, type TaskWithWorkloads, workloadsOf } from './rebalance-task.ts';
import { RECENT_TASKS, type TaskRow, type TaskStore } from './task-store.ts';
import { workloadRebalancers } from './workload-rebalancer.ts';

export interface NamedTask {
  readonly hub: string;
  readonly name: string;
  /** Of the latest of that name, if it is known. */
  readonly uid?: string | undefined;
}

export async function readNamedTask(
  tasks: TaskStore,
  { hub, name, uid: known }: NamedTask,
): Promise<TaskWithWorkloads | undefined> {
  const uid = known ?? latestNamed(name, await tasks.recent(hub, RECENT_TASKS))?.uid;
  const task = uid === undefined ? undefined : await tasks.readTask({ hub, uid });
  return task && { task, workloads: workloadsOf(await tasks.readChunks(task)) };
}

/** By the index of tasks, which is a moment behind. */
function latestNamed(name: string, recent: readonly TaskRow[]): TaskRow | undefined {
  return recent.find((row) => row.name === name);
}

/** Whether the WorkloadRebalancer is on its hub; undefined if that can't be read. */
export async function rebalancerExists(
  hubs: Hubs,
  { hub: name, ...task }: Pick<RebalanceTask, 'hub' | 'uid' | 'name'>,
): Promise<boolean | undefined> {
  try {
    const hub = await hubs.open(name);
    const identity = await hub.identify(workloadRebalancers, { namespace: '', name: task.name });
    return identity?.uid === task.uid;
  } catch {
    return undefined;
  }
}
