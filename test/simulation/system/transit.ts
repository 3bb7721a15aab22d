/** The bus between publishers and queues: delivery at least once, in any order, and events may be lost. */
import type { EvenkeelEvent } from '../../../shared/bus/event.ts';
import type { EventBus } from '../../../shared/bus/event-bus.ts';
import type { Adversity } from './adversity.ts';
import type { InstanceContext } from './instance.ts';
import { HUB } from './only-hub.ts';

const MINUTE = 60_000;
/** The maximum delays of late events. */
const LATE = [2000, 30_000, 10 * MINUTE, 3 * 60 * MINUTE] as const;

export class Transit implements EventBus {
  readonly #context: InstanceContext;
  readonly #adversity: Adversity;
  readonly #publish: (event: EvenkeelEvent) => Promise<void>;
  readonly #published = new Map<string, number>();
  /** While true, no event is delivered. */
  isCut = false;

  constructor(context: InstanceContext, adversity: Adversity, publish: (event: EvenkeelEvent) => Promise<void>) {
    this.#context = context;
    this.#adversity = adversity;
    this.#publish = publish;
  }

  async publish(events: readonly EvenkeelEvent[]): Promise<void> {
    this.carry(events, 'from outside');
  }

  carry(events: readonly EvenkeelEvent[], from: string): void {
    for (const event of events) this.#carryOne(event, from);
  }

  #carryOne(event: EvenkeelEvent, from: string): void {
    const { injector, random } = this.#context;
    const { hub = HUB, name: object = '' } = event.detail;
    const base = `${event.type}(${hub === HUB ? '' : `${hub} `}${object}) ${from}`;
    const turn = (this.#published.get(base) ?? 0) + 1;
    this.#published.set(base, turn);
    const name = `${base} ${turn}`;
    const injected = injector.at(name, ['event lost', 'event twice', 'event late']);
    if (this.isCut || this.#adversity.isRegionLost || injected === 'event lost') return;
    const late = random.of(`late ${name}`) * random.pick(`how late ${name}`, LATE);
    this.#deliver(event, injected === 'event late' ? late : random.of(`travel ${name}`) * 50);
    if (injected === 'event twice') this.#deliver(event, late);
  }

  #deliver(event: EvenkeelEvent, ms: number): void {
    this.#context.clock.after(ms + this.#adversity.busDelayMs, () => void this.#publish(event));
  }
}
