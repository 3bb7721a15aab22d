/** The bus in process: the same route table, and a queue with dead-letter messages for each route. */
import { ExternalEventReceived } from '../shared/bus/catalogue.ts';
import { type EvenkeelEvent, SOURCE } from '../shared/bus/event.ts';
import type { EventBus } from '../shared/bus/event-bus.ts';
import { type Route, routes } from '../shared/bus/routes.ts';
import { traced } from '../shared/core/tracing.ts';
import type { Clock } from './clock.ts';
import { type LocalDeadLetter, LocalQueue } from './queue.ts';

export interface BusOptions {
  readonly clock: Clock;
  readonly newId: () => string;
  readonly maxReceives: number;
  readonly onDeadLetter: (deadLetter: LocalDeadLetter) => void;
}

export class LocalBus implements EventBus {
  readonly queues: ReadonlyMap<Route, LocalQueue>;
  readonly #options: BusOptions;

  constructor(options: BusOptions) {
    this.#options = options;
    this.queues = new Map(
      routes.map((route) => [route, new LocalQueue({ ...options, ...route, settings: route.queue })]),
    );
  }

  async publish(events: readonly EvenkeelEvent[]): Promise<void> {
    for (const event of events.map(traced)) {
      const envelope = this.#envelope(event);
      for (const [route, queue] of this.queues) {
        if (isSelected(route, event)) queue.send(JSON.stringify(envelope), { group: hubOf(event) });
      }
    }
  }

  /** An event of AWS or of a user, as it arrives on a bus. */
  receive(event: object): void {
    for (const [route, queue] of this.queues)
      if (route.consumes.some((type) => type === ExternalEventReceived.type)) queue.send(JSON.stringify(event), {});
  }

  /** Messages that are not handled yet. */
  get depth(): number {
    return [...this.queues.values()].reduce((sum, queue) => sum + queue.depth, 0);
  }

  /** Messages that are being handled, or will be without a delay. */
  get due(): number {
    return [...this.queues.values()].reduce((sum, queue) => sum + queue.due, 0);
  }

  async close(): Promise<void> {
    await Promise.all([...this.queues.values()].map((queue) => queue.close()));
  }

  #envelope({ type, detail }: EvenkeelEvent) {
    return {
      version: '0',
      id: this.#options.newId(),
      source: SOURCE,
      account: '000000000000',
      time: new Date(this.#options.clock.now()).toISOString(),
      region: 'local',
      resources: [],
      'detail-type': type,
      detail,
    };
  }
}

/** As the pattern of the deployed route's rule. */
function isSelected({ consumes, onlyFor }: Route, { type, detail }: EvenkeelEvent): boolean {
  return consumes.some((each) => each === type) && (onlyFor === undefined || detail[onlyFor] === 1);
}

/** A rule of the deployed bus sets the message group of an event to its hub. */
function hubOf({ detail }: EvenkeelEvent): string | undefined {
  return detail.hub === undefined ? undefined : String(detail.hub);
}
