/** The bus between whoever says an event and the queues: at least once, in no order, and hints may be lost. */
import type { LocalBus } from '../../../local/bus.ts';
import type { EvenkeelEvent } from '../../../shared/events/event.ts';
import type { EventBus } from '../../../shared/ports/event-bus.ts';
import type { Around } from './instance.ts';

const MINUTE = 60_000;
/** How much later an event may come than the others. */
const LATE = [2000, 30_000, 10 * MINUTE, 3 * 60 * MINUTE] as const;

export class Transit implements EventBus {
  readonly #context: Around;
  readonly #bus: LocalBus;
  readonly #said = new Map<string, number>();
  /** While it is, no event is delivered at all. */
  isCut = false;

  constructor(context: Around, bus: LocalBus) {
    this.#context = context;
    this.#bus = bus;
  }

  async publish(events: readonly EvenkeelEvent[]): Promise<void> {
    this.carry(events, 'from outside');
  }

  carry(events: readonly EvenkeelEvent[], from: string): void {
    for (const event of events) this.#carryOne(event, from);
  }

  #carryOne(event: EvenkeelEvent, from: string): void {
    const { fate, lots } = this.#context;
    const base = `${event.type}(${String(event.detail.name ?? '')}) ${from}`;
    const turn = (this.#said.get(base) ?? 0) + 1;
    this.#said.set(base, turn);
    const name = `${base} ${turn}`;
    const mishap = fate.at(name, ['event lost', 'event twice', 'event late']);
    if (this.isCut || mishap === 'event lost') return;
    const late = lots.of(`late ${name}`) * lots.pick(`how late ${name}`, LATE);
    this.#deliver(event, mishap === 'event late' ? late : lots.of(`travel ${name}`) * 50);
    if (mishap === 'event twice') this.#deliver(event, late);
  }

  #deliver(event: EvenkeelEvent, ms: number): void {
    this.#context.clock.after(ms, () => void this.#bus.publish([event]));
  }
}
