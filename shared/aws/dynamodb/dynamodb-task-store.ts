/** The task store on DynamoDB: one conditional write a transition; a failed condition is classified by reading the task. */
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { tasksByHub } from '../../core/environment.ts';
import { type Instant, wholeSecond } from '../../core/time.ts';
import type { Chunk, RebalanceTask, Rescheduling, TaskKey } from '../../workload-rebalancer/rebalance-task.ts';
import type {
  AtPlan,
  Committed,
  Completion,
  Report,
  TaskRow,
  TaskStore,
} from '../../workload-rebalancer/task-store.ts';
import type { TransitionName } from '../../workload-rebalancer/task-transitions.ts';
import { rowFormats } from './row-formats.ts';
import {
  chunkPrefix,
  chunkSort,
  fromChunkRow,
  fromTaskIndexRow,
  fromTaskRow,
  META,
  partition,
  toChunkRow,
  toTaskRow,
} from './rows.ts';
import { type RowKey, seconds, Table, tableStore } from './table.ts';
import { conditionOf } from './transition-condition.ts';

/** The parts of an update besides its condition. */
interface UpdateParts {
  readonly update: string;
  readonly names: Readonly<Record<string, string>>;
  readonly values: Readonly<Record<string, unknown>>;
  readonly alsoIf?: string;
  /** Whether a task on which the condition failed shows that this very step was taken before. */
  readonly already?: (task: RebalanceTask) => boolean;
}

export class DynamoDbTaskStore implements TaskStore {
  readonly #table: Table;

  constructor(client: DynamoDBClient, table: string) {
    this.#table = new Table(client, table, rowFormats.tasks);
  }

  async comparedAt(hub: string): Promise<Instant | undefined> {
    const row = await this.#table.read(comparedKey(hub));
    return row?.at as Instant | undefined;
  }

  async markCompared(hub: string, at: Instant): Promise<void> {
    await this.#table.update(comparedKey(hub), 'SET #at = :at', {
      condition: 'attribute_not_exists(#at) OR #at < :at',
      names: { '#at': 'at' },
      values: { ':at': at },
    });
  }

  async readTask(key: TaskKey): Promise<RebalanceTask | undefined> {
    const row = await this.#table.read(metaKey(key));
    return row && fromTaskRow(row);
  }

  async recent(hub: string, limit: number): Promise<readonly TaskRow[]> {
    const found: TaskRow[] = [];
    for await (const page of this.#table.queryIndex(tasksByHub, hub, limit)) {
      found.push(...page.map(fromTaskIndexRow));
      if (found.length >= limit) break;
    }
    return found.slice(0, limit);
  }

  async readChunk(at: AtPlan, number: number): Promise<Chunk | undefined> {
    const row = await this.#table.read({ pk: partition(at), sk: chunkSort(at.plan, number) });
    return row && fromChunkRow(row, at);
  }

  async readChunks(at: AtPlan): Promise<readonly Chunk[]> {
    const chunks: Chunk[] = [];
    for await (const page of this.#table.query(partition(at), chunkPrefix(at)))
      chunks.push(...page.map((row) => fromChunkRow(row, at)));
    return chunks;
  }

  async writeChunks(chunks: readonly Chunk[], expiresAt: Instant): Promise<void> {
    await Promise.all(
      chunks.map((chunk) =>
        this.#table.put(toChunkRow(chunk, seconds(expiresAt)), { condition: 'attribute_not_exists(pk)' }),
      ),
    );
  }

  async commitPlan(task: RebalanceTask, replaces: string | undefined): Promise<Committed> {
    const condition = conditionOf('plan', task.plan);
    const done =
      replaces === undefined
        ? await this.#table.put(toTaskRow(task), { condition: 'attribute_not_exists(pk)' })
        : await this.#table.put(toTaskRow(task), {
            condition: `${condition.expression} AND #plan = :replaces`,
            names: { ...condition.names, '#plan': 'plan' },
            values: { ...condition.values, ':replaces': replaces },
          });
    if (done) return { result: 'done', task };
    const stored = await this.readTask(task);
    return stored?.plan === task.plan ? { result: 'already', task: stored } : { result: 'stale', task: stored };
  }

  async saveChunk(chunk: Chunk): Promise<boolean> {
    const key = { pk: partition(chunk.task), sk: chunkSort(chunk.plan, chunk.number) };
    const saved = await this.#table.update(key, 'SET #workloads = :workloads, #version = :next', {
      condition: '#version = :version',
      names: { '#workloads': 'workloads', '#version': 'version' },
      values: {
        ':workloads': JSON.stringify(chunk.workloads),
        ':version': chunk.version,
        ':next': chunk.version + 1,
      },
    });
    return saved !== undefined;
  }

  completeChunk(at: AtPlan, { number, successful, failed }: Completion, now: Instant): Promise<Committed> {
    return this.#transition('completeChunk', at, {
      update: 'SET #updatedAt = :now ADD #successful :successful, #failed :failed DELETE #pending :done',
      names: {
        '#updatedAt': 'updatedAt',
        '#successful': 'successful',
        '#failed': 'failed',
        '#pending': 'pendingChunks',
      },
      values: {
        ':now': now,
        ':successful': successful,
        ':failed': failed,
        ':done': new Set([number]),
        ':number': number,
      },
      alsoIf: 'contains(#pending, :number)',
      already: (task) => task.plan === at.plan && task.state !== 'Abandoned' && !task.pendingChunks.includes(number),
    });
  }

  markProgressed(at: AtPlan, now: Instant): Promise<Committed> {
    return this.#transition('markProgressed', at, {
      update: 'SET #updatedAt = :now REMOVE #reported',
      names: { '#updatedAt': 'updatedAt', '#reported': 'reportedPending' },
      values: { ':now': now },
    });
  }

  finish(at: AtPlan, finishTime: Instant): Promise<Committed> {
    return this.#transition('finish', at, {
      update: 'SET #state = :finished, #finishTime = :finishTime, #updatedAt = :now',
      names: { '#state': 'state', '#finishTime': 'finishTime', '#updatedAt': 'updatedAt' },
      values: { ':finished': 'Finished', ':finishTime': wholeSecond(finishTime), ':now': finishTime },
      already: (task) => task.plan === at.plan && task.state === 'Finished',
    });
  }

  abandon(at: AtPlan, now: Instant): Promise<Committed> {
    return this.#transition('abandon', at, {
      update: 'SET #state = :abandoned, #updatedAt = :now',
      names: { '#state': 'state', '#updatedAt': 'updatedAt' },
      values: { ':abandoned': 'Abandoned', ':now': now },
      already: (task) => task.plan === at.plan && task.state === 'Abandoned',
    });
  }

  markReported(at: AtPlan, { pending, statusVersion }: Report, now: Instant): Promise<Committed> {
    return this.#transition('markReported', at, {
      update: `SET #reported = :reported, #quietSince = :now, #updatedAt = :now${statusVersion === undefined ? ' REMOVE #version' : ', #version = :version'}`,
      names: {
        '#reported': 'reportedPending',
        '#quietSince': 'quietSince',
        '#updatedAt': 'updatedAt',
        '#version': 'statusVersion',
      },
      values: { ':reported': pending, ':now': now, ...(statusVersion !== undefined && { ':version': statusVersion }) },
    });
  }

  markRescheduling(at: AtPlan, rescheduling: Rescheduling): Promise<Committed> {
    return this.#transition('markRescheduling', at, {
      update: 'SET #rescheduling = :rescheduling, #updatedAt = :now',
      names: { '#rescheduling': 'rescheduling', '#updatedAt': 'updatedAt' },
      values: { ':rescheduling': rescheduling, ':now': rescheduling.checkedAt },
    });
  }

  async #transition(name: TransitionName, at: AtPlan, change: UpdateParts): Promise<Committed> {
    const condition = conditionOf(name, at.plan);
    const row = await this.#table.update(metaKey(at), change.update, {
      condition: [condition.expression, ...(change.alsoIf ? [change.alsoIf] : [])].join(' AND '),
      names: { ...condition.names, ...change.names },
      values: { ...condition.values, ...change.values },
    });
    if (row !== undefined) return { result: 'done', task: fromTaskRow(row) };
    const task = await this.readTask(at);
    return task && change.already?.(task) ? { result: 'already', task } : { result: 'stale', task };
  }
}

function comparedKey(hub: string): RowKey {
  return { pk: `HUB#${hub}`, sk: 'COMPARED' };
}

function metaKey(key: TaskKey): RowKey {
  return { pk: partition(key), sk: META };
}

export const awsTasks = tableStore<TaskStore>(DynamoDbTaskStore);
