/** Runs a task on messages of a queue: parses and coalesces them, runs the task, and reports a result per message. */
import middy from '@middy/core';
import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import type { Environment } from '../aws/client-config.ts';
import { awsSourceQueue } from '../aws/sqs/sqs-source-queue.ts';
import { type EventDefinition, parseEvent } from '../bus/event.ts';
import type { QueueMessage, SourceQueue } from '../bus/source-queue.ts';
import { deadlineExceeded, timeForRequest } from '../core/deadline.ts';
import { eachAtOnce } from '../core/each-at-once.ts';
import { asFault, Fault } from '../core/fault.ts';
import { groupBy } from '../core/group-by.ts';
import type { InvocationContext, Outcome } from '../core/invocation.ts';
import type { SpanContext, SpanStart } from '../core/span.ts';
import { inSpan, noteSpan, recorded } from '../core/tracing.ts';
import { isHubPaused } from '../kubernetes/hub-pause.ts';
import { awsContext } from './aws-context.ts';
import { type FailedMessage, type MessageResult, resultOf } from './failed-message.ts';
import { inInvocation, invocationOf, makePorts, type PortFactories, spanOfInvocation, untimed } from './moment.ts';

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

/** A task that handles the events of a hub in a batch of messages together. */
export interface BatchTask<D extends EventDetail, P extends object> {
  readonly consumes: readonly EventDefinition<D>[];
  /** Returns an outcome or a Fault for each of `details`, in their order, all of one hub. A Fault that it throws is that of all. */
  readonly runTogether: (details: readonly D[], ports: P & InvocationContext) => Promise<readonly (Outcome | Fault)[]>;
}

export function batchTask<D extends EventDetail, P extends object>(task: BatchTask<D, P>): BatchTask<D, P> {
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
  task: QueueTask<D, P> | BatchTask<D, P>,
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
    .handler((event, context) => inInvocation(context, () => recorded(made().exportSpans, () => handle(event))));
}

/** Messages with the same key. */
interface MergedMessages<D extends EventDetail> {
  readonly detail: D;
  readonly eventTypes: Set<string>;
  /** Fields of each of its log lines: the event's type, the bus's event id (of the first of several), its keys. */
  readonly about: EventDetail;
  readonly messages: Received[];
}

interface Received extends QueueMessage, FailedMessage {
  readonly cause?: SpanContext | undefined;
}

/** A batch of messages. */
class MessageBatch<D extends EventDetail, P extends object> {
  readonly #task: QueueTask<D, P> | BatchTask<D, P>;
  readonly #ports: P & InvocationContext;
  readonly #queue: SourceQueue;

  constructor(task: QueueTask<D, P> | BatchTask<D, P>, ports: P & InvocationContext, queue: SourceQueue) {
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
        const { detail, definition, id, publishedAt, isOfBridge, cause } = parseEvent(
          this.#task.consumes,
          message.body,
        );
        const about = 'about' in this.#task ? this.#task.about?.(detail) : undefined;
        const key = about ?? `${definition.type} ${definition.key(detail)}`;
        const keys: EventDetail = definition.external ? {} : detail;
        const fields = { event: definition.type, ...(id !== '' && { eventId: id }), ...keys };
        const group: MergedMessages<D> = groups.get(key) ?? {
          detail,
          eventTypes: new Set(),
          about: fields,
          messages: [],
        };
        group.messages.push({ ...message, recurs: definition.recurs === true, publishedAt, isOfBridge, cause });
        group.eventTypes.add(definition.type);
        groups.set(key, group);
      } catch (thrown) {
        const unread = { ...message, recurs: false, publishedAt: undefined, isOfBridge: false };
        failed.push(...(await this.#giveBack([unread], asFault(thrown), {})));
      }
    }
    // The hubs don't wait for each other.
    const hubs = groupBy(groups.values(), ({ detail }) => detail.hub);
    const given = await Promise.all([...hubs.values()].map((ofHub) => this.#runOfHub(ofHub)));
    return [...failed, ...given.flat(2)];
  }

  async #runOfHub(ofHub: readonly MergedMessages<D>[]): Promise<readonly (readonly string[])[]> {
    const task = this.#task;
    const ports = this.#ports;
    if ('runTogether' in task) {
      const details = ofHub.map(({ detail }) => detail);
      return inSpan(
        () => spanOf(ofHub),
        async () => {
          const ended = await this.#inTime(() => task.runTogether(details, ports));
          return Promise.all(
            ofHub.map((group, place) => this.#settle(group, ended instanceof Fault ? ended : (ended[place] ?? LOST))),
          );
        },
      );
    }
    // At most hubInFlight at once: if all ran at once, none would complete against a slow hub.
    return eachAtOnce(ofHub, ports.settings.hubInFlight, (group) =>
      inSpan(
        () => spanOf([group]),
        async () => this.#settle(group, await this.#inTime(() => task.run(group.detail, ports, group.eventTypes))),
      ),
    );
  }

  async #inTime<R>(run: () => Promise<R>): Promise<R | Fault> {
    try {
      if (timeForRequest(this.#ports.timeLeft()) === 0) throw deadlineExceeded('the message');
      return await run();
    } catch (thrown) {
      return asFault(thrown);
    }
  }

  /** Returns the ids to redeliver. */
  async #settle({ about, messages }: MergedMessages<D>, ended: Outcome | Fault): Promise<readonly string[]> {
    if (ended instanceof Fault && !isHubPaused(ended)) return this.#giveBack(messages, ended, about);
    // No retry of a paused hub needed: resuming it triggers a comparison of the whole hub, which covers this event.
    const { reason, fields } = ended instanceof Fault ? { reason: ended.message, fields: {} } : ended;
    this.#ports.telemetry.outcome('EK000', { ...about, reason, ...fields });
    noteSpan({ 'evenkeel.outcome': reason });
    return [];
  }

  /** Returns the ids to redeliver. */
  async #giveBack(messages: readonly Received[], fault: Fault, about: EventDetail): Promise<readonly string[]> {
    const { maxReceives } = this.#queue;
    const now = this.#ports.now();
    noteSpan({ 'evenkeel.outcome': fault.reason }, fault.message);
    const kept = await Promise.all(
      messages.map(async (message) => {
        const result = resultOf(message, fault, { maxReceives, now });
        const { reason, retryClass } = fault;
        const delivery = { delivery: message.receiveCount };
        this.#ports.telemetry.outcome(codes[result.action], {
          ...about,
          reason,
          retryClass,
          error: fault.message,
          ...delivery,
        });
        try {
          return (await this.#carryOut(result, message, { fault, about })) ? [] : [message.id];
        } catch {
          // SQS redelivers it when its visibility timeout ends, and finally moves it to the dead letters.
          return [message.id];
        }
      }),
    );
    return kept.flat();
  }

  /** Returns whether the message is acknowledged. */
  async #carryOut(
    result: MessageResult,
    message: Received,
    { fault, about }: { readonly fault: Fault; readonly about: EventDetail },
  ): Promise<boolean> {
    const { telemetry } = this.#ports;
    switch (result.action) {
      case 'drop':
        return true;
      case 'expire':
        telemetry.count('SchedulesExpired', 1, about.hub === undefined ? {} : { hub: String(about.hub) });
        return true;
      case 'deadLetter':
        await this.#queue.deadLetter(message, fault);
        telemetry.count('DeadLetters', 1, about.event === undefined ? {} : { event: String(about.event) });
        return true;
      case 'wait':
        await this.#queue.sendAgain(message, String(about.hub), result.seconds);
        return true;
      case 'retry':
        await this.#queue.deliverAgain(message, result.seconds);
        return false;
    }
  }
}

/** Of a task that handles these events together. What a schedule repeats finds many objects, each of which gets a trace of its own. */
function spanOf(groups: readonly MergedMessages<EventDetail>[]): SpanStart {
  const { name, attributes } = spanOfInvocation();
  const messages = groups.flatMap((group) => group.messages);
  const causes = messages.flatMap(({ cause }) => cause ?? []);
  const [{ about }] = groups as [MergedMessages<EventDetail>];
  const keys = groups.length > 1 ? { hub: about.hub, events: messages.length } : about;
  return {
    ...{ name, kind: 'Consumer', causes },
    fansOut: causes.length === 0 && messages.every(({ recurs }) => recurs),
    attributes: {
      ...attributes,
      ...Object.fromEntries(Object.entries(keys).map(([key, value]) => [`evenkeel.${key}`, value])),
    },
  };
}

/** A task that returned no outcome for a message. */
const LOST = new Fault('retryable', 'the message has no outcome', { reason: 'NoOutcome' });

const codes = { drop: 'EK004', wait: 'EK004', expire: 'EK003', deadLetter: 'EK002', retry: 'EK001' } as const;

function toMessage(record: SQSRecord): QueueMessage {
  return {
    id: record.messageId,
    receipt: record.receiptHandle,
    body: record.body,
    receiveCount: Number(record.attributes.ApproximateReceiveCount),
  };
}
