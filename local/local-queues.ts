/** The queues of a local run, for those who look after it. */
import type { Route } from '../shared/events/routes.ts';
import { unknownQueue } from '../shared/model/unknown-queue.ts';
import type { DeadLetter, QueueSight, Queues, Redrive } from '../shared/ports/queues.ts';
import type { DeadLetters } from './dead-letters.ts';
import type { LocalQueue } from './queue.ts';

export class LocalQueues implements Queues {
  readonly #queues: ReadonlyMap<Route, LocalQueue>;
  readonly #letters: DeadLetters;

  constructor({ queues }: { readonly queues: ReadonlyMap<Route, LocalQueue> }, letters: DeadLetters) {
    this.#queues = queues;
    this.#letters = letters;
  }

  async sights(): Promise<readonly QueueSight[]> {
    const letters = Map.groupBy(this.#letters.all, ({ queue }) => queue);
    return [...this.#queues].map(([route, { name, depth, inFlight }]) => ({
      name,
      function: route.function,
      waiting: depth - inFlight,
      inFlight,
      deadLetters: letters.get(name)?.length ?? 0,
    }));
  }

  async deadLetters(limit: number, queue?: string): Promise<readonly DeadLetter[]> {
    return this.#of({ queue }).toReversed().slice(0, limit);
  }

  async redrive(which: Redrive): Promise<number> {
    const letters = this.#of(which);
    const queues = new Map([...this.#queues.values()].map((queue) => [queue.name, queue]));
    for (const { queue, body } of letters) queues.get(queue)?.send(body);
    this.#letters.remove(new Set(letters.map(({ id }) => id)));
    return letters.length;
  }

  /** Letters of a route that there is no more stay where they are: no function would hear them. */
  #of({ queue, ids }: Redrive): readonly DeadLetter[] {
    const names = [...this.#queues.values()].map(({ name }) => name);
    if (queue !== undefined && !names.includes(queue)) throw unknownQueue(queue, names);
    return this.#letters.all.filter(
      (letter) =>
        names.includes(letter.queue) &&
        (queue === undefined || letter.queue === queue) &&
        (ids === undefined || ids.includes(letter.id)),
    );
  }
}
