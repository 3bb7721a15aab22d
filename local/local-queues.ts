/** The queues of a local run, for its operator. */

import type { DeadLetter, QueueStatus, Queues, Redrive } from '../shared/bus/queues.ts';
import type { Route } from '../shared/bus/routes.ts';
import { unknownQueue } from '../shared/bus/unknown-queue.ts';
import { groupBy } from '../shared/core/group-by.ts';
import type { DeadLetters } from './dead-letters.ts';
import type { LocalQueue } from './queue.ts';

export class LocalQueues implements Queues {
  readonly #queues: ReadonlyMap<Route, LocalQueue>;
  readonly #deadLetters: DeadLetters;

  constructor({ queues }: { readonly queues: ReadonlyMap<Route, LocalQueue> }, deadLetters: DeadLetters) {
    this.#queues = queues;
    this.#deadLetters = deadLetters;
  }

  async statuses(): Promise<readonly QueueStatus[]> {
    const deadLetters = groupBy(this.#deadLetters.all, ({ queue }) => queue);
    return [...this.#queues].map(([route, { name, depth, inFlight }]) => ({
      name,
      function: route.function,
      waiting: depth - inFlight,
      inFlight,
      deadLetters: deadLetters.get(name)?.length ?? 0,
    }));
  }

  async deadLetters(limit: number, queue?: string): Promise<readonly DeadLetter[]> {
    return this.#of({ queue }).toReversed().slice(0, limit);
  }

  async redrive(which: Redrive): Promise<number> {
    const deadLetters = this.#of(which);
    const queues = new Map([...this.#queues.values()].map((queue) => [queue.name, queue]));
    for (const { queue, body } of deadLetters) queues.get(queue)?.send(body);
    this.#deadLetters.remove(new Set(deadLetters.map(({ id }) => id)));
    return deadLetters.length;
  }

  /** Dead-letter messages of removed routes are kept, but not listed: no function consumes them. */
  #of({ queue, ids }: Redrive): readonly DeadLetter[] {
    const names = [...this.#queues.values()].map(({ name }) => name);
    if (queue !== undefined && !names.includes(queue)) throw unknownQueue(queue, names);
    return this.#deadLetters.all.filter(
      (deadLetter) =>
        names.includes(deadLetter.queue) &&
        (queue === undefined || deadLetter.queue === queue) &&
        (ids === undefined || ids.includes(deadLetter.id)),
    );
  }
}
