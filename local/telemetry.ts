/** Telemetry of the local run: JSON lines in a file, and whoever listens. */
import { appendFileSync } from 'node:fs';
import { isAbout } from '../shared/model/journal-line.ts';
import { type LogCode, logCodes } from '../shared/model/log-codes.ts';
import type { Journal, JournalLine, JournalQuestion } from '../shared/ports/journal.ts';
import type { Fields, Telemetry } from '../shared/ports/telemetry.ts';
import type { Clock } from './clock.ts';

export type Listener = (code: LogCode, fields: Fields) => void;

/** Lines that are kept in memory, for questions. */
const KEPT = 20_000;

export class LocalTelemetry implements Telemetry, Journal {
  readonly counts = new Map<string, number>();
  readonly #lines: JournalLine[] = [];
  readonly #clock: Clock;
  readonly #file: string | undefined;
  readonly #listeners = new Set<Listener>();

  constructor(clock: Clock, file?: string) {
    this.#clock = clock;
    this.#file = file;
  }

  outcome(code: LogCode, fields: Fields): void {
    for (const listener of this.#listeners) listener(code, fields);
    this.#lines.push({ at: this.#clock.now(), code, fields });
    if (this.#lines.length > KEPT) this.#lines.splice(0, KEPT / 2);
    if (this.#file === undefined) return;
    const time = new Date(this.#clock.now()).toISOString();
    appendFileSync(this.#file, `${JSON.stringify({ time, code, message: logCodes[code].says, ...fields })}\n`);
  }

  count(metric: string, value: number): void {
    this.counts.set(metric, (this.counts.get(metric) ?? 0) + value);
  }

  begin(): void {
    // Several functions speak at once here: a line names its event and key itself.
  }

  /** Of this process: what one before it told is in its file. */
  async lines({ about, since, limit }: JournalQuestion): Promise<readonly JournalLine[]> {
    const found = this.#lines.filter(
      ({ at, code, fields }) => at >= since && isAbout({ code: code, ...fields }, about),
    );
    return found.slice(-limit).reverse();
  }

  listen(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
