/** Runs a task on messages of a queue: parse, coalesce, run, and say of each message what becomes of it. */
import middy from '@middy/core';
import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { type EventDefinition, parseEvent } from '../events/event.ts';
import type { Fault } from '../model/fault.ts';
import { asFault } from '../model/fault.ts';
import { isHubPaused } from '../model/hub-pause.ts';
import type { Outcome, Ports, Surroundings } from '../ports/ports.ts';
import type { QueueMessage, SourceQueue } from '../ports/source-queue.ts';
import { awsSourceQueue, awsSurroundings } from './aws-ports.ts';
import { type Environment, invocationOf, makePorts, type PortFactories } from './moment.ts';

type Detail = Readonly<Record<string, string | number>>;

export interface QueueTask<D extends Detail, P extends keyof Ports> {
  readonly hears: readonly EventDefinition<D>[];
  /** What is hinted at, where events of several types are hints at the same thing; else each type has its own key. */
  readonly about?: (detail: D) => string;
  /** `heard`: the types of the events of this hint. */
  readonly run: (detail: D, ports: Pick<Ports, P> & Surroundings, heard: ReadonlySet<string>) => Promise<Outcome>;
}

export function queueTask<D extends Detail, P extends keyof Ports>(task: QueueTask<D, P>): QueueTask<D, P> {
  return task;
}

/** What stands around a handler: the platform's, unless another run gives its own. */
export interface QueuePlatform {
  readonly surroundings: (environment: Environment) => Surroundings;
  readonly sourceQueue: (arn: string, surroundings: Surroundings, environment: Environment) => SourceQueue;
}

const lambda: QueuePlatform = { surroundings: awsSurroundings, sourceQueue: awsSourceQueue };

export type QueueHandler = (event: SQSEvent, context: Context) => Promise<SQSBatchResponse>;

/** The handler of a task: Lambda's and the local run's alike, on the ports it is given. */
export function onQueue<D extends Detail, P extends keyof Ports>(
  task: QueueTask<D, P>,
  factories: PortFactories<P>,
  platform: QueuePlatform = lambda,
): QueueHandler {
  let ports: (Pick<Ports, P> & Surroundings) | undefined;
  const made = () => (ports ??= makePorts(factories, platform.surroundings(process.env), process.env));
  const handle = async (event: SQSEvent): Promise<SQSBatchResponse> => {
    const ports = made();
    const batch = new Batch(
      task,
      ports,
      platform.sourceQueue(event.Records[0]?.eventSourceARN ?? '', ports, process.env),
    );
    const failed = await batch.handle(event.Records);
    return { batchItemFailures: failed.map((itemIdentifier) => ({ itemIdentifier })) };
  };
  return middy<SQSEvent, SQSBatchResponse>()
    .before(({ context }) => made().telemetry.begin(invocationOf(context)))
    .handler(handle);
}

/** Messages that hint at one thing. */
interface Hint<D extends Detail> {
  readonly detail: D;
  readonly heard: Set<string>;
  /** On each of its log lines: the event's type, the id that the bus gave it (of several the first's), its keys. */
  readonly about: Detail;
  readonly messages: QueueMessage[];
}

/** One delivery of several messages. */
class Batch<D extends Detail, P extends keyof Ports> {
  readonly #task: QueueTask<D, P>;
  readonly #ports: Pick<Ports, P> & Surroundings;
  readonly #queue: SourceQueue;

  constructor(task: QueueTask<D, P>, ports: Pick<Ports, P> & Surroundings, queue: SourceQueue) {
    this.#task = task;
    this.#ports = ports;
    this.#queue = queue;
  }

  /** Handles each key once: events are hints, and hints of one key are one hint. Returns the ids to be delivered again. */
  async handle(records: readonly SQSRecord[]): Promise<readonly string[]> {
    const groups = new Map<string, Hint<D>>();
    const failed: string[] = [];
    for (const message of records.map(toMessage)) {
      try {
        const { detail, definition, id } = parseEvent(this.#task.hears, message.body);
        const key = this.#task.about?.(detail) ?? `${definition.type} ${definition.key(detail)}`;
        const about = { event: definition.type, ...(id !== '' && { eventId: id }), ...detail };
        const group = groups.get(key) ?? { detail, heard: new Set(), about, messages: [] };
        group.messages.push(message);
        group.heard.add(definition.type);
        groups.set(key, group);
      } catch (thrown) {
        failed.push(...(await this.#giveBack([message], asFault(thrown), {})));
      }
    }
    const given = await Promise.all([...groups.values()].map((group) => this.#runOnce(group)));
    return [...failed, ...given.flat()];
  }

  async #runOnce({ detail, heard, about, messages }: Hint<D>): Promise<readonly string[]> {
    try {
      const { reason, fields } = await this.#task.run(detail, this.#ports, heard);
      this.#ports.telemetry.outcome('EK000', { ...about, reason, ...fields });
      return [];
    } catch (thrown) {
      const fault = asFault(thrown);
      if (!isHubPaused(fault)) return this.#giveBack(messages, fault, about);
      // Nothing to wait for: resuming has the whole hub compared, and finds what this event hinted at.
      this.#ports.telemetry.outcome('EK000', { ...about, reason: fault.message });
      return [];
    }
  }

  /** Terminal, or delivered as often as may be: to the dead letters, with the reason. Else again, later each time. */
  async #giveBack(messages: readonly QueueMessage[], fault: Fault, about: Detail): Promise<readonly string[]> {
    const kept = await Promise.all(
      messages.map(async (message) => {
        const last = message.receiveCount >= this.#queue.maxReceives;
        const code = fault.verdict === 'terminal' || last ? 'EK002' : 'EK001';
        const { reason, verdict } = fault;
        this.#ports.telemetry.outcome(code, {
          ...about,
          reason,
          verdict,
          error: fault.message,
          delivery: message.receiveCount,
        });
        try {
          if (code === 'EK002') {
            await this.#queue.deadLetter(message, fault);
            this.#ports.telemetry.count(
              'DeadLetters',
              1,
              about.event === undefined ? {} : { event: String(about.event) },
            );
            return [];
          }
          await this.#queue.deliverAgain(message, backoffSeconds(message.receiveCount, fault));
        } catch {
          // The queue itself delivers it again when its visibility timeout ends, and moves it to the dead letters in the end.
        }
        return [message.id];
      }),
    );
    return kept.flat();
  }
}

/** 1, 2, 4 … up to 300 s; or what the other side asked for, if that is longer, up to 900 s. */
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
