/** The bus in process: the same route table, each route with a queue and dead letters of its own. */
import { type EvenkeelEvent, SOURCE } from '../shared/events/event.ts';
import { patternOf, type Route, routes } from '../shared/events/routes.ts';
import type { EventBus } from '../shared/ports/event-bus.ts';
import type { Clock } from './clock.ts';
import { type DeadLetter, LocalQueue } from './queue.ts';

export interface BusOptions {
  readonly clock: Clock;
  readonly newId: () => string;
  readonly maxReceives: number;
  readonly onDeadLetter: (letter: DeadLetter) => void;
}

export class LocalBus implements EventBus {
  readonly queues: ReadonlyMap<Route, LocalQueue>;
  readonly #options: BusOptions;

  constructor(options: BusOptions) {
    this.#options = options;
    this.queues = new Map(
      routes.map((route) => [route, new LocalQueue({ ...options, name: route.name, settings: route.queue })]),
    );
  }

  async publish(events: readonly EvenkeelEvent[]): Promise<void> {
    for (const event of events) {
      const envelope = this.#envelope(event);
      for (const [route, queue] of this.queues) {
        if (matches(patternOf(route), envelope)) queue.send(JSON.stringify(envelope));
      }
    }
  }

  /** Messages that no function has handled yet. */
  get depth(): number {
    return [...this.queues.values()].reduce((sum, queue) => sum + queue.depth, 0);
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

/** EventBridge's exact matching: each field of the pattern names the values it takes. The route table uses nothing else, and its type allows nothing else. */
function matches(pattern: ReturnType<typeof patternOf>, event: { source: string; 'detail-type': string }): boolean {
  return pattern.source.includes(event.source) && pattern['detail-type'].includes(event['detail-type']);
}
