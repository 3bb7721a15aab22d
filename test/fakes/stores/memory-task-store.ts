/** The task store in memory: for simulation and tests; the same contract as the one on DynamoDB. */

import { type Instant, wholeSecond } from '../../../shared/core/time.ts';
import type {
  Chunk,
  RebalanceTask,
  Rescheduling,
  TaskKey,
} from '../../../shared/workload-rebalancer/rebalance-task.ts';
import type {
  AtPlan,
  Committed,
  Completion,
  Report,
  TaskRow,
  TaskStore,
} from '../../../shared/workload-rebalancer/task-store.ts';
import { mayTransition, type TransitionName } from '../../../shared/workload-rebalancer/task-transitions.ts';

export class MemoryTaskStore implements TaskStore {
  readonly #tasks = new Map<string, RebalanceTask>();
  readonly #chunks = new Map<string, Chunk>();
  readonly #compared = new Map<string, Instant>();

  async comparedAt(hub: string): Promise<Instant | undefined> {
    return this.#compared.get(hub);
  }

  async markCompared(hub: string, at: Instant): Promise<void> {
    this.#compared.set(hub, Math.max(at, this.#compared.get(hub) ?? at));
  }

  async readTask(key: TaskKey): Promise<RebalanceTask | undefined> {
    return structuredClone(this.#tasks.get(taskText(key)));
  }

  async recent(hub: string, limit: number): Promise<readonly TaskRow[]> {
    const found = [...this.#tasks.values()].filter((task) => task.hub === hub);
    return found
      .sort((a, b) => b.updatedAt - a.updatedAt)
      .slice(0, limit)
      .map(observationOf);
  }

  async readChunk(at: AtPlan, number: number): Promise<Chunk | undefined> {
    return structuredClone(this.#chunks.get(chunkText(at, number)));
  }

  async readChunks(at: AtPlan): Promise<readonly Chunk[]> {
    const prefix = chunkText(at, '');
    const found = [...this.#chunks].filter(([text]) => text.startsWith(prefix)).map(([, chunk]) => chunk);
    return structuredClone(found.sort((a, b) => a.number - b.number));
  }

  async writeChunks(chunks: readonly Chunk[]): Promise<void> {
    for (const chunk of chunks) {
      const text = chunkText({ ...chunk.task, plan: chunk.plan }, chunk.number);
      if (!this.#chunks.has(text)) this.#chunks.set(text, structuredClone(chunk));
    }
  }

  async commitPlan(task: RebalanceTask, replaces: string | undefined): Promise<Committed> {
    const stored = this.#tasks.get(taskText(task));
    if (stored?.plan === task.plan) return { result: 'already', task: structuredClone(stored) };
    if (stored?.plan !== replaces || !mayTransition('plan', stored, task.plan))
      return { result: 'stale', task: structuredClone(stored) };
    this.#tasks.set(taskText(task), structuredClone(task));
    return { result: 'done', task: structuredClone(task) };
  }

  async saveChunk(chunk: Chunk): Promise<boolean> {
    const text = chunkText({ ...chunk.task, plan: chunk.plan }, chunk.number);
    if (this.#chunks.get(text)?.version !== chunk.version) return false;
    this.#chunks.set(text, structuredClone({ ...chunk, version: chunk.version + 1 }));
    return true;
  }

  async completeChunk(at: AtPlan, { number, successful, failed }: Completion, now: Instant): Promise<Committed> {
    return this.#transition('completeChunk', at, {
      also: (task) => task.pendingChunks.includes(number),
      change: (task) => ({
        successful: task.successful + successful,
        failed: task.failed + failed,
        pendingChunks: task.pendingChunks.filter((pending) => pending !== number),
        updatedAt: now,
      }),
      already: (task) => task.state !== 'Abandoned' && !task.pendingChunks.includes(number),
    });
  }

  async markProgressed(at: AtPlan, now: Instant): Promise<Committed> {
    return this.#transition('markProgressed', at, {
      change: () => ({ reportedPending: undefined, updatedAt: now }),
    });
  }

  async finish(at: AtPlan, finishTime: Instant): Promise<Committed> {
    return this.#transition('finish', at, {
      change: () => ({ state: 'Finished', finishTime: wholeSecond(finishTime), updatedAt: finishTime }),
      already: (task) => task.state === 'Finished',
    });
  }

  async abandon(at: AtPlan, now: Instant): Promise<Committed> {
    return this.#transition('abandon', at, {
      change: () => ({ state: 'Abandoned', updatedAt: now }),
      already: (task) => task.state === 'Abandoned',
    });
  }

  async markReported(at: AtPlan, { pending, statusVersion }: Report, now: Instant): Promise<Committed> {
    return this.#transition('markReported', at, {
      change: () => ({ reportedPending: pending, statusVersion, quietSince: now, updatedAt: now }),
    });
  }

  async markRescheduling(at: AtPlan, rescheduling: Rescheduling): Promise<Committed> {
    return this.#transition('markRescheduling', at, {
      change: () => ({ rescheduling, updatedAt: rescheduling.checkedAt }),
    });
  }

  #transition(
    name: TransitionName,
    at: AtPlan,
    step: {
      /** What is undefined is taken away. */
      readonly change: (task: RebalanceTask) => { readonly [K in keyof RebalanceTask]?: RebalanceTask[K] | undefined };
      readonly also?: (task: RebalanceTask) => boolean;
      readonly already?: (task: RebalanceTask) => boolean;
    },
  ): Committed {
    const stored = this.#tasks.get(taskText(at));
    if (stored && mayTransition(name, stored, at.plan) && (step.also?.(stored) ?? true)) {
      const changed = Object.entries({ ...stored, ...step.change(stored) }).filter(([, value]) => value !== undefined);
      const task = structuredClone(Object.fromEntries(changed)) as unknown as RebalanceTask;
      this.#tasks.set(taskText(at), task);
      return { result: 'done', task: structuredClone(task) };
    }
    const already = stored?.plan === at.plan && step.already?.(stored) === true;
    return already
      ? { result: 'already', task: structuredClone(stored) }
      : { result: 'stale', task: structuredClone(stored) };
  }
}

function observationOf(task: RebalanceTask): TaskRow {
  const { hub, uid, name, generation, state, workloads, successful, failed, updatedAt, finishTime } = task;
  const observation = { hub, uid, name, generation, state, workloads, successful, failed, updatedAt };
  return { ...observation, ...(finishTime !== undefined && { finishTime }) };
}

function taskText({ hub, uid }: TaskKey): string {
  return `${hub}/${uid}`;
}

function chunkText(at: AtPlan, number: number | ''): string {
  return `${taskText(at)}/${at.plan}/${number}`;
}
