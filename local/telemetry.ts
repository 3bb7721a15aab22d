/** Telemetry of the local run: JSON lines in a file, and whoever listens. */
import { appendFileSync } from 'node:fs';
import { type LogCode, logCodes } from '../shared/model/log-codes.ts';
import type { Fields, Telemetry } from '../shared/ports/telemetry.ts';
import type { Clock } from './clock.ts';

export type Listener = (code: LogCode, fields: Fields) => void;

export class LocalTelemetry implements Telemetry {
  readonly counts = new Map<string, number>();
  readonly #clock: Clock;
  readonly #file: string | undefined;
  readonly #listeners = new Set<Listener>();

  constructor(clock: Clock, file?: string) {
    this.#clock = clock;
    this.#file = file;
  }

  outcome(code: LogCode, fields: Fields): void {
    for (const listener of this.#listeners) listener(code, fields);
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

  listen(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
