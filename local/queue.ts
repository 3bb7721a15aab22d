/** One queue with its dead letters, as SQS keeps them for Lambda: delay, batches, redelivery after a failure, a bound on invocations at once. */
import type { Context, SQSBatchResponse, SQSEvent } from 'aws-lambda';
import type { QueueSettings } from '../shared/events/routes.ts';
import type { Fault } from '../shared/model/fault.ts';
import type { QueueMessage, SourceQueue } from '../shared/ports/source-queue.ts';
import type { Clock } from './clock.ts';

export interface DeadLetter {
  readonly queue: string;
  readonly body: string;
  readonly reason: string;
  readonly error: string;
}

export interface QueueOptions {
  readonly name: string;
  readonly settings: QueueSettings;
  readonly maxReceives: number;
  readonly clock: Clock;
  readonly newId: () => string;
  readonly onDeadLetter: (letter: DeadLetter) => void;
}

export type Consumer = (event: SQSEvent, context: Context) => Promise<SQSBatchResponse>;

interface Waiting {
  readonly id: string;
  readonly body: string;
  receiveCount: number;
  visibleAt: number;
}

/** What a failed message waits for when its function didn't say: SQS would wait for the rest of the visibility timeout. */
const DEFAULT_RETRY_MS = 1000;

export class LocalQueue implements SourceQueue {
  readonly name: string;
  readonly maxReceives: number;
  readonly #options: QueueOptions;
  readonly #waiting: Waiting[] = [];
  readonly #inFlight = new Map<string, Waiting>();
  #consumer: Consumer | undefined;
  readonly #deliveries = new Set<Promise<void>>();
  #wake: (() => void) | undefined;
  #closed = false;

  constructor(options: QueueOptions) {
    this.name = options.name;
    this.maxReceives = options.maxReceives;
    this.#options = options;
  }

  /** Messages that are not yet handled. */
  get depth(): number {
    return this.#waiting.length + this.#inFlight.size;
  }

  /** Those of them that a function has in hand. */
  get inFlight(): number {
    return this.#inFlight.size;
  }

  consume(consumer: Consumer): void {
    this.#consumer = consumer;
    this.#pump();
  }

  send(body: string): void {
    const { clock, newId, settings } = this.#options;
    const delay = (settings.delaySeconds + settings.batchWindowSeconds) * 1000;
    this.#waiting.push({ id: newId(), body, receiveCount: 0, visibleAt: clock.now() + delay });
    this.#pump();
  }

  async deadLetter(message: QueueMessage, { reason, message: error }: Fault): Promise<void> {
    this.#options.onDeadLetter({ queue: this.name, body: message.body, reason, error });
  }

  async deliverAgain(message: QueueMessage, seconds: number): Promise<void> {
    const kept = this.#inFlight.get(message.receipt);
    if (kept) kept.visibleAt = this.#options.clock.now() + seconds * 1000;
  }

  /** No further deliveries; resolves when those under way have ended. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#wake?.();
    await Promise.all(this.#deliveries);
  }

  #pump(): void {
    this.#wake?.();
    this.#wake = undefined;
    if (this.#closed || this.#consumer === undefined) return;
    const now = this.#options.clock.now();
    while (this.#deliveries.size < this.#options.settings.maxConcurrency) {
      const batch = this.#take(now);
      if (batch.length === 0) break;
      const delivery = this.#deliver(batch, this.#consumer).finally(() => {
        this.#deliveries.delete(delivery);
        this.#pump();
      });
      this.#deliveries.add(delivery);
    }
    const next = Math.min(...this.#waiting.map(({ visibleAt }) => visibleAt));
    if (next > now && Number.isFinite(next)) this.#wake = this.#options.clock.after(next - now, () => this.#pump());
  }

  #take(now: number): Waiting[] {
    const due = this.#waiting.filter(({ visibleAt }) => visibleAt <= now).slice(0, this.#options.settings.batchSize);
    for (const message of due) {
      this.#waiting.splice(this.#waiting.indexOf(message), 1);
      message.receiveCount += 1;
      message.visibleAt = now + DEFAULT_RETRY_MS;
      this.#inFlight.set(message.id, message);
    }
    return due;
  }

  async #deliver(batch: readonly Waiting[], consumer: Consumer): Promise<void> {
    const failed = await consumer(toSqsEvent(this.name, batch), localContext(this.name)).then(
      ({ batchItemFailures }) => new Set(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier)),
      () => new Set(batch.map(({ id }) => id)),
    );
    for (const message of batch) {
      this.#inFlight.delete(message.id);
      if (!failed.has(message.id)) continue;
      if (message.receiveCount < this.maxReceives) this.#waiting.push(message);
      else
        this.#options.onDeadLetter({
          queue: this.name,
          body: message.body,
          reason: 'MaxReceives',
          error: 'the function failed without saying why',
        });
    }
  }
}

function toSqsEvent(queue: string, batch: readonly Waiting[]): SQSEvent {
  return {
    Records: batch.map(({ id, body, receiveCount }) => ({
      messageId: id,
      receiptHandle: id,
      body,
      attributes: {
        ApproximateReceiveCount: String(receiveCount),
        SentTimestamp: '0',
        SenderId: 'local',
        ApproximateFirstReceiveTimestamp: '0',
      },
      messageAttributes: {},
      md5OfBody: '',
      eventSource: 'aws:sqs',
      eventSourceARN: `arn:aws:sqs:local:000000000000:${queue}`,
      awsRegion: 'local',
    })),
  };
}

/** The part of Lambda's context that middleware may look at. */
export function localContext(functionName: string): Context {
  return {
    functionName,
    functionVersion: 'local',
    invokedFunctionArn: `arn:aws:lambda:local:000000000000:function:${functionName}`,
    memoryLimitInMB: '0',
    awsRequestId: 'local',
    logGroupName: 'local',
    logStreamName: 'local',
    callbackWaitsForEmptyEventLoop: false,
    getRemainingTimeInMillis: () => 60_000,
    done: () => undefined,
    fail: () => undefined,
    succeed: () => undefined,
  };
}
