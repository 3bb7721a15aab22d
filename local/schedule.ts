/** One-time schedules in process, kept in a file so that a restart goes on with them. */
import { existsSync, readFileSync } from 'node:fs';
import type { EvenkeelEvent } from '../shared/events/event.ts';
import type { Instant } from '../shared/model/time.ts';
import type { EventBus } from '../shared/ports/event-bus.ts';
import type { OneTimeSchedule } from '../shared/ports/one-time-schedule.ts';
import type { Clock } from './clock.ts';
import { writeWhole } from './whole-file.ts';

interface Entry {
  readonly at: Instant;
  readonly event: EvenkeelEvent;
}

/** Node's timers take at most about 24 days; a longer wait is taken up again on the way. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export class LocalSchedule implements OneTimeSchedule {
  readonly #entries: Map<string, Entry>;
  readonly #timers = new Map<string, () => void>();
  readonly #file: string | undefined;
  readonly #clock: Clock;
  readonly #bus: EventBus;

  constructor(bus: EventBus, clock: Clock, file?: string) {
    this.#bus = bus;
    this.#clock = clock;
    this.#file = file;
    const kept =
      file !== undefined && existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as [string, Entry][]) : [];
    this.#entries = new Map(kept);
    for (const name of this.#entries.keys()) this.#arm(name);
  }

  async put(name: string, at: Instant, event: EvenkeelEvent): Promise<void> {
    this.#entries.set(name, { at, event });
    this.#save();
    this.#arm(name);
  }

  /** Names of what is still to come. */
  get names(): readonly string[] {
    return [...this.#entries.keys()];
  }

  close(): void {
    for (const cancel of this.#timers.values()) cancel();
  }

  #arm(name: string): void {
    this.#timers.get(name)?.();
    const entry = this.#entries.get(name);
    if (entry === undefined) return;
    const wait = Math.min(Math.max(0, entry.at - this.#clock.now()), LONGEST_TIMER_MS);
    this.#timers.set(
      name,
      this.#clock.after(wait, () => (this.#clock.now() >= entry.at ? void this.#fire(name, entry) : this.#arm(name))),
    );
  }

  /** Published before it is forgotten: a crash in between publishes twice, never not at all. */
  async #fire(name: string, entry: Entry): Promise<void> {
    await this.#bus.publish([entry.event]);
    if (this.#entries.get(name) !== entry) return;
    this.#entries.delete(name);
    this.#timers.delete(name);
    this.#save();
  }

  #save(): void {
    if (this.#file === undefined) return;
    writeWhole(this.#file, JSON.stringify([...this.#entries]));
  }
}
