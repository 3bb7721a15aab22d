/** The task store on DynamoDB: one conditional write a transition; a failed condition is classified by reading the task. */
import { ConditionalCheckFailedException, type DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, GetCommand, PutCommand, QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Chunk, RebalanceTask, Rescheduling, TaskKey } from '../../model/rebalance-task.ts';
import type { TransitionName } from '../../model/task-transitions.ts';
import { type Instant, SECOND, wholeSecond } from '../../model/time.ts';
import type { AtPlan, Committed, Completion, TaskStore } from '../../ports/task-store.ts';
import { awsFault } from '../aws/aws-fault.ts';
import {
  chunkPrefix,
  chunkSort,
  fromChunkRow,
  fromTaskRow,
  META,
  partition,
  type Row,
  toChunkRow,
  toTaskRow,
} from './rows.ts';
import { conditionOf } from './transition-condition.ts';

/** The parts of an update besides its condition. */
interface Change {
  readonly update: string;
  readonly names: Readonly<Record<string, string>>;
  readonly values: Readonly<Record<string, unknown>>;
  readonly alsoIf?: string;
  /** Whether a task on which the condition failed shows that this very step was taken before. */
  readonly already: (task: RebalanceTask) => boolean;
}

export class DynamoDbTaskStore implements TaskStore {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;

  constructor(client: DynamoDBClient, table: string) {
    this.#client = DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } });
    this.#table = table;
  }

  async readTask(key: TaskKey): Promise<RebalanceTask | undefined> {
    const row = await this.#read(key, META);
    return row && fromTaskRow(row);
  }

  async readChunk(at: AtPlan, number: number): Promise<Chunk | undefined> {
    const row = await this.#read(at, chunkSort(at.plan, number));
    return row && fromChunkRow(row, at);
  }

  async readChunks(at: AtPlan): Promise<readonly Chunk[]> {
    const chunks: Chunk[] = [];
    let from: Row | undefined;
    do {
      const page = await this.#call(
        new QueryCommand({
          TableName: this.#table,
          ConsistentRead: true,
          KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
          ExpressionAttributeValues: { ':pk': partition(at), ':prefix': chunkPrefix(at) },
          ExclusiveStartKey: from,
        }),
      );
      chunks.push(...(page.Items ?? []).map((row) => fromChunkRow(row, at)));
      from = page.LastEvaluatedKey;
    } while (from !== undefined);
    return chunks;
  }

  async writeChunks(chunks: readonly Chunk[], expiresAt: Instant): Promise<void> {
    await Promise.all(
      chunks.map((chunk) => this.#put(toChunkRow(chunk, Math.ceil(expiresAt / SECOND)), 'attribute_not_exists(pk)')),
    );
  }

  async commitPlan(task: RebalanceTask, replaces: string | undefined): Promise<Committed> {
    const condition = conditionOf('plan', task.plan);
    const done =
      replaces === undefined
        ? await this.#put(toTaskRow(task), 'attribute_not_exists(pk)')
        : await this.#put(toTaskRow(task), `${condition.expression} AND #plan = :replaces`, {
            names: { ...condition.names, '#plan': 'plan' },
            values: { ...condition.values, ':replaces': replaces },
          });
    if (done) return { verdict: 'done', task };
    const stored = await this.readTask(task);
    return stored?.plan === task.plan ? { verdict: 'already', task: stored } : { verdict: 'stale', task: stored };
  }

  async saveChunk(chunk: Chunk): Promise<boolean> {
    return this.#attempt(
      new UpdateCommand({
        TableName: this.#table,
        Key: { pk: partition(chunk.task), sk: chunkSort(chunk.plan, chunk.number) },
        UpdateExpression: 'SET #workloads = :workloads, #version = :next',
        ConditionExpression: '#version = :version',
        ExpressionAttributeNames: { '#workloads': 'workloads', '#version': 'version' },
        ExpressionAttributeValues: {
          ':workloads': JSON.stringify(chunk.workloads),
          ':version': chunk.version,
          ':next': chunk.version + 1,
        },
      }),
    ).then((answer) => answer !== undefined);
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

  markReported(at: AtPlan, pending: number, now: Instant): Promise<Committed> {
    return this.#transition('markReported', at, {
      update: 'SET #reported = :reported, #updatedAt = :now',
      names: { '#reported': 'reportedPending', '#updatedAt': 'updatedAt' },
      values: { ':reported': pending, ':now': now },
      already: () => false,
    });
  }

  markRescheduling(at: AtPlan, rescheduling: Rescheduling): Promise<Committed> {
    return this.#transition('markRescheduling', at, {
      update: 'SET #rescheduling = :rescheduling, #updatedAt = :now',
      names: { '#rescheduling': 'rescheduling', '#updatedAt': 'updatedAt' },
      values: { ':rescheduling': rescheduling, ':now': rescheduling.lookedAt },
      already: () => false,
    });
  }

  async #transition(name: TransitionName, at: AtPlan, change: Change): Promise<Committed> {
    const condition = conditionOf(name, at.plan);
    const answer = await this.#attempt(
      new UpdateCommand({
        TableName: this.#table,
        Key: { pk: partition(at), sk: META },
        UpdateExpression: change.update,
        ConditionExpression: [condition.expression, ...(change.alsoIf ? [change.alsoIf] : [])].join(' AND '),
        ExpressionAttributeNames: { ...condition.names, ...change.names },
        ExpressionAttributeValues: { ...condition.values, ...change.values },
        ReturnValues: 'ALL_NEW',
      }),
    );
    if (answer !== undefined) return { verdict: 'done', task: fromTaskRow(answer.Attributes ?? {}) };
    const task = await this.readTask(at);
    return task && change.already(task) ? { verdict: 'already', task } : { verdict: 'stale', task };
  }

  async #read(key: TaskKey, sk: string): Promise<Row | undefined> {
    const answer = await this.#call(
      new GetCommand({ TableName: this.#table, Key: { pk: partition(key), sk }, ConsistentRead: true }),
    );
    return answer.Item;
  }

  async #put(
    row: Row,
    condition: string,
    also: { names?: Record<string, string>; values?: Row } = {},
  ): Promise<boolean> {
    const command = new PutCommand({
      TableName: this.#table,
      Item: row,
      ConditionExpression: condition,
      ...(also.names && { ExpressionAttributeNames: also.names }),
      ...(also.values && { ExpressionAttributeValues: also.values }),
    });
    return (await this.#attempt(command)) !== undefined;
  }

  /** Undefined where the condition did not hold. */
  #attempt(command: UpdateCommand): Promise<{ Attributes?: Row } | undefined>;
  #attempt(command: PutCommand): Promise<object | undefined>;
  async #attempt(command: UpdateCommand | PutCommand): Promise<object | undefined> {
    try {
      return await this.#client.send(command as UpdateCommand);
    } catch (thrown) {
      if (thrown instanceof ConditionalCheckFailedException) return undefined;
      throw awsFault('DynamoDB', thrown);
    }
  }

  #call(command: GetCommand): Promise<{ Item?: Row }>;
  #call(command: QueryCommand): Promise<{ Items?: Row[]; LastEvaluatedKey?: Row }>;
  async #call(command: GetCommand | QueryCommand): Promise<object> {
    try {
      return await this.#client.send(command as GetCommand);
    } catch (thrown) {
      throw awsFault('DynamoDB', thrown);
    }
  }
}
