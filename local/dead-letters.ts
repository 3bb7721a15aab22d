/** The dead-letter messages of a local run: in memory, and in a file that survives a restart. */
import { existsSync, readFileSync } from 'node:fs';
import type { DeadLetter } from '../shared/bus/queues.ts';
import type { Clock } from './clock.ts';
import type { LocalDeadLetter as GivenUp } from './queue.ts';
import { writeWhole } from './whole-file.ts';

export interface DeadLettersOptions {
  readonly clock: Pick<Clock, 'now'>;
  readonly newId: () => string;
  /** In memory only without a file. */
  readonly file?: string;
}

export class DeadLetters {
  readonly #options: DeadLettersOptions;
  readonly #all: DeadLetter[];

  constructor(options: DeadLettersOptions) {
    this.#options = options;
    const { file, newId } = options;
    const isThere = file !== undefined && existsSync(file);
    const lines = isThere ? readFileSync(file, 'utf8').split('\n') : [];
    // Lines of older versions have no ids.
    this.#all = lines.filter(Boolean).map((line) => ({ id: newId(), ...(JSON.parse(line) as GivenUp) }));
    if (isThere) this.#write();
  }

  /** In the order of their arrival. */
  get all(): readonly DeadLetter[] {
    return this.#all;
  }

  add(deadLetter: GivenUp): void {
    const { clock, newId } = this.#options;
    this.#all.push({ id: newId(), ...deadLetter, sentAt: clock.now() });
    this.#write();
  }

  remove(ids: ReadonlySet<string>): void {
    this.#all.splice(0, this.#all.length, ...this.#all.filter(({ id }) => !ids.has(id)));
    this.#write();
  }

  /** Writes the whole file each time: it is small. */
  #write(): void {
    const { file } = this.#options;
    if (file !== undefined) writeWhole(file, this.#all.map((deadLetter) => `${JSON.stringify(deadLetter)}\n`).join(''));
  }
}
