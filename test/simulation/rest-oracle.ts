/** Promises of every deployment at rest: no writes, empty queues, no new dead-letter messages. */
import type { System } from './system/system.ts';
import type { Violations } from './violations.ts';

export class RestOracle {
  readonly #system: System;
  readonly #violations: Violations;
  #writes = 0;
  #deadLetters = 0;

  constructor(system: System, violations: Violations) {
    this.#system = system;
    this.#violations = violations;
    for (const hub of system.hubs.values())
      hub.store.onChange(() => {
        if (hub.isOurWrite) this.#writes += 1;
      });
  }

  /** Begins the period of rest. */
  begin(): void {
    this.#writes = 0;
    this.#deadLetters = this.#system.deadLetters.length;
  }

  end(): void {
    const { deadLetters, bus } = this.#system;
    if (this.#writes > 0) this.#violations.add('at rest nothing is written', `${this.#writes} writes`);
    if (deadLetters.length > this.#deadLetters)
      this.#violations.add('at rest there are no new dead-letter messages', JSON.stringify(deadLetters.at(-1)));
    const waiting = [...bus.queues.values()].filter(({ depth }) => depth > 0);
    if (waiting.length > 0)
      this.#violations.add(
        'all queues are empty in the end',
        waiting.map(({ name, depth }) => `${name} ${depth}`).join(),
      );
  }
}
