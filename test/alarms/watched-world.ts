/** A whole deployment in virtual time, with the schedule of every minute, and what its alarms would see. */
import { HubSchedulesDue } from '../../shared/bus/catalogue.ts';
import type { EvenkeelEvent } from '../../shared/bus/event.ts';
import type { World } from '../fakes/world.ts';
import { firedAlarms, type Sample } from './alarm-model.ts';

const MINUTE = 60;

export class WatchedWorld {
  readonly #samples: Sample[] = [];
  readonly #world: World;
  readonly #from: number;
  /** Whether EventBridge Scheduler puts the event of every minute. */
  isScheduled = true;

  constructor(world: World) {
    this.#world = world;
    this.#from = world.clock.now();
    const { telemetry } = world;
    const count = telemetry.count.bind(telemetry);
    telemetry.count = (metric, value, dimensions) => {
      count(metric, value, dimensions);
      this.add({ metric, value, ...(dimensions && { dimensions }) });
    };
  }

  add(sample: Omit<Sample, 'at'>): void {
    this.#samples.push({ ...sample, at: this.#world.clock.now() });
  }

  /** Events that the bus loses from now on. */
  lose(isLost: (event: EvenkeelEvent) => boolean): void {
    const { bus } = this.#world;
    const publish = bus.publish.bind(bus);
    bus.publish = (events) => publish(events.filter((event) => !isLost(event)));
  }

  async pass(minutes: number): Promise<void> {
    for (let minute = 0; minute < minutes; minute += 1) {
      if (this.isScheduled) await this.#world.bus.publish([HubSchedulesDue.of({})]);
      await this.#world.pass(MINUTE);
      this.#measureQueues();
    }
  }

  /** As SQS reports the dead-letter queues that are not empty. */
  #measureQueues(): void {
    for (const [queue, messages] of Map.groupBy(this.#world.deadLetters, (message) => message.queue))
      this.add({
        metric: 'ApproximateNumberOfMessagesVisible',
        value: messages.length,
        of: `evenkeel-${queue}-dead-letters`,
      });
  }

  get fired(): readonly string[] {
    return firedAlarms({ samples: this.#samples, from: this.#from, until: this.#world.clock.now() });
  }
}
