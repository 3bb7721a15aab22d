/** Runs a task on messages of a queue: parses and coalesces them, runs the task, and reports a result per message. */
import middy from '@middy/core';
import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import type { Environment } from '../aws/client-config.ts';
import { awsSourceQueue } from '../aws/sqs/sqs-source-queue.ts';
import { type EventDefinition, parseEvent } from '../bus/event.ts';
import type { QueueMessage, SourceQueue } from '../bus/source-queue.ts';
import { deadlineExceeded, timeForRequest } from '../core/deadline.ts';
import { eachAtOnce } from '../core/each-at-once.ts';
import type { Fault } from '../core/fault.ts';
import { asFault } from '../core/fault.ts';
import type { InvocationContext, Outcome } from '../core/invocation.ts';
import { isHubPaused } from '../kubernetes/hub-pause.ts';
import { awsContext } from './aws-context.ts';
import { inInvocation, invocationOf, makePorts, type PortFactories, untimed } from './moment.ts';

export type EventDetail = Readonly<Record<string, string | number>>;

export interface QueueTask<D extends EventDetail, P extends object> {
  readonly consumes: readonly EventDefinition<D>[];
  /** The coalescing key, if events of several types refer to the same object; otherwise each type has its own key. */
  readonly about?: (detail: D) => string;
  /** `eventTypes`: the types of the coalesced events. */
  readonly run: (detail: D, ports: P & InvocationContext, eventTypes: ReadonlySet<string>) => Promise<Outcome>;
}

export function queueTask<D extends EventDetail, P extends object>(task: QueueTask<D, P>): QueueTask<D, P> {
  return task;
}

/** Platform dependencies of a handler: Lambda's by default. */
export interface QueuePlatform {
  readonly context: (environment: Environment) => InvocationContext;
  readonly sourceQueue: (arn: string, context: InvocationContext, environment: Environment) => SourceQueue;
}

const lambda: QueuePlatform = { context: awsContext, sourceQueue: awsSourceQueue };

export type QueueHandler = (event: SQSEvent, context: Context) => Promise<SQSBatchResponse>;

/** The handler of a task, for Lambda and the local run, with the given ports. */
export function onQueue<D extends EventDetail, P extends object>(
  task: QueueTask<D, P>,
  factories: PortFactories<P>,
  platform: QueuePlatform = lambda,
): QueueHandler {
  let ports: (P & InvocationContext) | undefined;
  const made = () => (ports ??= makePorts(factories, platform.context(process.env), process.env));
  const handle = async (event: SQSEvent): Promise<SQSBatchResponse> => {
    const ports = made();
    const batch = new MessageBatch(
      task,
      ports,
      platform.sourceQueue(event.Records[0]?.eventSourceARN ?? '', ports, process.env),
    );
    const failed = await batch.handle(event.Records);
    return { batchItemFailures: failed.map((itemIdentifier) => ({ itemIdentifier })) };
  };
  return middy<SQSEvent, SQSBatchResponse>(untimed)
    .before(({ context }) => made().telemetry.begin(invocationOf(context)))
    .handler((event, context) => inInvocation(context, () => handle(event)));
}

/** Messages with the same key. */
interface MergedMessages<D extends EventDetail> {
  readonly detail: D;
  readonly eventTypes: Set<string>;
  /** Fields of each of its log lines: the event's type, the bus's event id (of the first of several), its keys. */
  readonly about: EventDetail;
  readonly messages: Received[];
}

/** `recurs`: a schedule publishes its event again. */
interface Received extends QueueMessage {
  readonly recurs: boolean;
}

/** A batch of messages. */
class MessageBatch<D extends EventDetail, P extends object> {
  readonly #task: QueueTask<D, P>;
  readonly #ports: P & InvocationContext;
  readonly #queue: SourceQueue;

  constructor(task: QueueTask<D, P>, ports: P & InvocationContext, queue: SourceQueue) {
    this.#task = task;
    this.#ports = ports;
    this.#queue = queue;
  }

  /** Handles each key once: events are hints, and hints of one key coalesce. Returns the ids to redeliver. */
  async handle(records: readonly SQSRecord[]): Promise<readonly string[]> {
    const groups = new Map<string, MergedMessages<D>>();
    const failed: string[] = [];
    for (const message of records.map(toMessage)) {
      try {
        const { detail, definition, id } = parseEvent(this.#task.consumes, message.body);
        const key = this.#task.about?.(detail) ?? `${definition.type} ${definition.key(detail)}`;
        const about = { event: definition.type, ...(id !== '' && { eventId: id }), ...detail };
        const group = groups.get(key) ?? { detail, eventTypes: new Set(), about, messages: [] };
        group.messages.push({ ...message, recurs: definition.recurs === true });
        group.eventTypes.add(definition.type);
        groups.set(key, group);
      } catch (thrown) {
        failed.push(...(await this.#giveBack([{ ...message, recurs: false }], asFault(thrown), {})));
      }
    }
    // At most hubInFlight at once: if all ran at once, none would complete against a slow hub.
    const given = await eachAtOnce([...groups.values()], this.#ports.settings.hubInFlight, (group) =>
      this.#runOnce(group),
    );
    return [...failed, ...given.flat()];
  }

  async #runOnce({ detail, eventTypes, about, messages }: MergedMessages<D>): Promise<readonly string[]> {
    try {
      if (timeForRequest(this.#ports.timeLeft()) === 0) throw deadlineExceeded('the message');
      const { reason, fields } = await this.#task.run(detail, this.#ports, eventTypes);
      this.#ports.telemetry.outcome('EK000', { ...about, reason, ...fields });
      return [];
    } catch (thrown) {
      const fault = asFault(thrown);
      if (!isHubPaused(fault)) return this.#giveBack(messages, fault, about);
      // No retry needed: resuming a hub triggers a comparison of the whole hub, which covers this event.
      this.#ports.telemetry.outcome('EK000', { ...about, reason: fault.message });
      return [];
    }
  }

  /**
   * Terminal errors and the last delivery go to the dead letters, with the reason. Other errors are redelivered with backoff. Recurring events
   * expire instead: otherwise a hub that is down for a day would leave one useless dead letter a minute.
   */
  async #giveBack(messages: readonly Received[], fault: Fault, about: EventDetail): Promise<readonly string[]> {
    const kept = await Promise.all(
      messages.map(async (message) => {
        const last = message.receiveCount >= this.#queue.maxReceives;
        const givenUp = fault.retryClass === 'terminal' || last;
        const code = givenUp ? (message.recurs ? 'EK003' : 'EK002') : 'EK001';
        const { reason, retryClass } = fault;
        this.#ports.telemetry.outcome(code, {
          ...about,
          reason,
          retryClass,
          error: fault.message,
          delivery: message.receiveCount,
        });
        if (code === 'EK003') {
          this.#ports.telemetry.count('SchedulesExpired', 1, about.hub === undefined ? {} : { hub: String(about.hub) });
          return [];
        }
        const dimensions: Record<string, string> = about.event === undefined ? {} : { event: String(about.event) };
        try {
          if (code === 'EK002') {
            await this.#queue.deadLetter(message, fault);
            this.#ports.telemetry.count('DeadLetters', 1, dimensions);
            return [];
          }
          await this.#queue.deliverAgain(message, backoffSeconds(message.receiveCount, fault));
        } catch {
          // SQS redelivers it when its visibility timeout ends, and finally moves it to the dead letters.
        }
        return [message.id];
      }),
    );
    return kept.flat();
  }
}

/** 1, 2, 4 … up to 300 s; or the server's Retry-After, if that is longer, up to 900 s. */
export function backoffSeconds(receiveCount: number, fault: Fault): number {
  const own = Math.min(2 ** (receiveCount - 1), 300);
  return Math.min(Math.max(own, Math.ceil((fault.retryAfterMs ?? 0) / 1000)), 900);
}

function toMessage(record: SQSRecord): QueueMessage {
  return {
    id: record.messageId,
    receipt: record.receiptHandle,
    body: record.body,
    receiveCount: Number(record.attributes.ApproximateReceiveCount),
  };
}
