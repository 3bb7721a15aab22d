/** One queue with its dead-letter messages, as SQS for Lambda: delay, batches, redelivery after a failure, limited concurrency. */
import type { Context, SQSBatchResponse, SQSEvent } from 'aws-lambda';
import type { FunctionName } from '../shared/bus/functions.ts';
import type { QueueSettings } from '../shared/bus/routes.ts';
import type { QueueMessage, SourceQueue } from '../shared/bus/source-queue.ts';
import { asFault, type Fault } from '../shared/core/fault.ts';
import type { Clock } from './clock.ts';
import { FairOrder } from './fair-order.ts';
import { invoke } from './invocation.ts';

export interface LocalDeadLetter {
  readonly queue: string;
  readonly body: string;
  readonly reason: string;
  readonly error: string;
}

export interface QueueOptions {
  readonly name: string;
  /** Behind it. */
  readonly function: FunctionName;
  readonly settings: QueueSettings;
  readonly maxReceives: number;
  readonly clock: Clock;
  readonly newId: () => string;
  readonly onDeadLetter: (deadLetter: LocalDeadLetter) => void;
}

export type Consumer = (event: SQSEvent, context: Context) => Promise<SQSBatchResponse>;

interface QueuedMessage {
  readonly id: string;
  readonly body: string;
  readonly group: string | undefined;
  receiveCount: number;
  visibleAt: number;
}

/** How a message is sent: its tenant, and its delay if it is not that of the queue. */
export interface SendOptions {
  readonly group?: string | undefined;
  readonly delaySeconds?: number;
}

/** The redelivery delay if the function set none: SQS would wait for the rest of the visibility timeout. */
const DEFAULT_RETRY_MS = 1000;

export class LocalQueue implements SourceQueue {
  readonly name: string;
  readonly maxReceives: number;
  readonly #options: QueueOptions;
  #waiting: QueuedMessage[] = [];
  readonly #order = new FairOrder();
  readonly #inFlight = new Map<string, QueuedMessage>();
  #consumer: Consumer | undefined;
  readonly #deliveries = new Set<Promise<void>>();
  #wake: (() => void) | undefined;
  #closed = false;

  constructor(options: QueueOptions) {
    this.name = options.name;
    this.maxReceives = options.maxReceives;
    this.#options = options;
  }

  /** Messages that are not handled yet. */
  get depth(): number {
    return this.#waiting.length + this.#inFlight.size;
  }

  /** Messages that are being handled. */
  get inFlight(): number {
    return this.#inFlight.size;
  }

  /** Messages that are being handled, or will be without a delay. */
  get due(): number {
    const { delaySeconds } = this.#options.settings;
    const waiting = delaySeconds > 0 ? [] : this.#waiting.filter(({ receiveCount }) => receiveCount === 0);
    return this.inFlight + waiting.length;
  }

  consume(consumer: Consumer): void {
    this.#consumer = consumer;
    this.#pump();
  }

  send(body: string, { group, delaySeconds }: SendOptions = {}): void {
    const { clock, newId, settings } = this.#options;
    const delay = ((delaySeconds ?? settings.delaySeconds) + settings.batchWindowSeconds) * 1000;
    this.#waiting.push({ id: newId(), body, group, receiveCount: 0, visibleAt: clock.now() + delay });
    this.#pump();
  }

  async deadLetter(message: QueueMessage, { reason, message: error }: Fault): Promise<void> {
    this.#options.onDeadLetter({ queue: this.name, body: message.body, reason, error });
  }

  async deliverAgain(message: QueueMessage, seconds: number): Promise<void> {
    const kept = this.#inFlight.get(message.receipt);
    if (kept) kept.visibleAt = this.#options.clock.now() + seconds * 1000;
  }

  async sendAgain({ body }: QueueMessage, hub: string, seconds: number): Promise<void> {
    this.send(body, { group: hub, delaySeconds: seconds });
  }

  /** Stops deliveries; resolves when those in progress have ended. */
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

  #take(now: number): readonly QueuedMessage[] {
    const due = this.#waiting.filter(({ visibleAt }) => visibleAt <= now);
    const batch = this.#order.next(due, this.#options.settings.batchSize, now);
    if (batch.length === 0) return batch;
    const taken = new Set(batch);
    this.#waiting = this.#waiting.filter((message) => !taken.has(message));
    for (const message of batch) {
      this.#order.begin(message);
      message.receiveCount += 1;
      message.visibleAt = now + DEFAULT_RETRY_MS;
      this.#inFlight.set(message.id, message);
    }
    return batch;
  }

  async #deliver(batch: readonly QueuedMessage[], consumer: Consumer): Promise<void> {
    const { clock, function: name } = this.#options;
    const began = clock.now();
    let error = 'the function failed without an error message';
    const failed = await invoke(name, clock, (context) => consumer(toSqsEvent(this.name, batch), context)).then(
      ({ batchItemFailures }) => new Set(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier)),
      (thrown: unknown) => {
        error = asFault(thrown).message;
        return new Set(batch.map(({ id }) => id));
      },
    );
    for (const message of batch) {
      this.#inFlight.delete(message.id);
      this.#order.end(message, clock.now() - began, clock.now());
      if (!failed.has(message.id)) continue;
      if (message.receiveCount < this.maxReceives) this.#waiting.push(message);
      else
        this.#options.onDeadLetter({
          queue: this.name,
          body: message.body,
          reason: 'MaxReceives',
          error,
        });
    }
  }
}

function toSqsEvent(queue: string, batch: readonly QueuedMessage[]): SQSEvent {
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
