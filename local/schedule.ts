/** One-time schedules in process, stored in a file so that they survive a restart. */
import { existsSync, readFileSync } from 'node:fs';
import type { EvenkeelEvent } from '../shared/bus/event.ts';
import type { EventBus } from '../shared/bus/event-bus.ts';
import type { OneTimeSchedule } from '../shared/bus/one-time-schedule.ts';
import type { Instant } from '../shared/core/time.ts';
import { traced } from '../shared/core/tracing.ts';
import type { Clock } from './clock.ts';
import { writeWhole } from './whole-file.ts';

interface ScheduledEvent {
  readonly at: Instant;
  readonly event: EvenkeelEvent;
}

/** Node's timers are limited to about 24 days; a longer wait uses several timers. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export class LocalSchedule implements OneTimeSchedule {
  readonly #entries: Map<string, ScheduledEvent>;
  readonly #timers = new Map<string, () => void>();
  readonly #file: string | undefined;
  readonly #clock: Clock;
  readonly #bus: EventBus;
  #closed = false;

  constructor(bus: EventBus, clock: Clock, file?: string) {
    this.#bus = bus;
    this.#clock = clock;
    this.#file = file;
    const kept =
      file !== undefined && existsSync(file)
        ? (JSON.parse(readFileSync(file, 'utf8')) as [string, ScheduledEvent][])
        : [];
    this.#entries = new Map(kept);
    for (const name of this.#entries.keys()) this.#arm(name);
  }

  async put(name: string, at: Instant, event: EvenkeelEvent): Promise<void> {
    this.#entries.set(name, { at, event: traced(event) });
    this.#save();
    this.#arm(name);
  }

  /** Names of the pending schedules. */
  get names(): readonly string[] {
    return [...this.#entries.keys()];
  }

  /** Stops all timers; schedules that a running function still creates are stored for the next process. */
  close(): void {
    this.#closed = true;
    for (const cancel of this.#timers.values()) cancel();
  }

  #arm(name: string): void {
    this.#timers.get(name)?.();
    const entry = this.#entries.get(name);
    if (entry === undefined || this.#closed) return;
    const wait = Math.min(Math.max(0, entry.at - this.#clock.now()), LONGEST_TIMER_MS);
    this.#timers.set(
      name,
      this.#clock.after(wait, () => (this.#clock.now() >= entry.at ? void this.#fire(name, entry) : this.#arm(name))),
    );
  }

  /** Published before it is removed: a crash in between publishes it twice, but never loses it. */
  async #fire(name: string, entry: ScheduledEvent): Promise<void> {
    await this.#bus.publish([entry.event]);
    if (this.#closed || this.#entries.get(name) !== entry) return;
    this.#entries.delete(name);
    this.#timers.delete(name);
    this.#save();
  }

  #save(): void {
    if (this.#file === undefined) return;
    writeWhole(this.#file, JSON.stringify([...this.#entries]));
  }
}
