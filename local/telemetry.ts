/** Telemetry of the local run: JSON lines in a file, and listeners. */
import { appendFileSync } from 'node:fs';
import { type LogCode, logCodes } from '../shared/core/log-codes.ts';
import { isAbout } from '../shared/core/log-line.ts';
import type { LastLineQuery, LogEntry, LogQuery, LogReader } from '../shared/core/log-reader.ts';
import { type MetricName, metrics } from '../shared/core/metrics.ts';
import { type MetricLabels, type PrometheusMetric, PrometheusMetrics } from '../shared/core/prometheus-metrics.ts';
import type { LogFields, Telemetry } from '../shared/core/telemetry.ts';
import type { Instant } from '../shared/core/time.ts';
import { activeTraceId } from '../shared/core/tracing.ts';
import type { Clock } from './clock.ts';
import { fullDisk } from './full-disk.ts';

export type LogListener = (code: LogCode, fields: LogFields) => void;

/** Lines kept in memory, for queries. */
const KEPT = 20_000;

export const OUTCOMES = 'evenkeel_outcomes_total';

/** `evenkeel_replicas_descheduled_total` for ReplicasDescheduled. */
export function counterOf(metric: MetricName): string {
  return `evenkeel${metric.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}_total`;
}

export const localSeries: Readonly<Record<string, PrometheusMetric>> = {
  [OUTCOMES]: { type: 'counter', help: 'Outcomes of functions, by the code of their log line.' },
  ...Object.fromEntries(
    (Object.keys(metrics) as MetricName[]).map((name) => [
      counterOf(name),
      { type: 'counter', help: `${name} in the namespace Evenkeel of CloudWatch.` },
    ]),
  ),
};

export class LocalTelemetry implements Telemetry, LogReader {
  readonly counts = new Map<string, number>();
  readonly #lines: LogEntry[] = [];
  readonly #clock: Clock;
  readonly #file: string | undefined;
  readonly #listeners = new Set<LogListener>();
  readonly #prometheus = new PrometheusMetrics(localSeries);

  constructor(clock: Clock, file?: string) {
    this.#clock = clock;
    this.#file = file;
  }

  outcome(code: LogCode, given: LogFields): void {
    const traceId = activeTraceId();
    const fields = traceId === undefined ? given : { ...given, traceId };
    this.#prometheus.add(OUTCOMES, 1, { code, level: logCodes[code].level });
    for (const listener of this.#listeners) listener(code, fields);
    this.#lines.push({ at: this.#clock.now(), code, fields });
    if (this.#lines.length > KEPT) this.#lines.splice(0, KEPT / 2);
    if (this.#file === undefined) return;
    const time = new Date(this.#clock.now()).toISOString();
    try {
      appendFileSync(this.#file, `${JSON.stringify({ time, code, message: logCodes[code].description, ...fields })}\n`);
    } catch (thrown) {
      // An exception here would make the function fail and be retried repeatedly.
      if (fullDisk(thrown) === undefined) throw thrown;
      process.nextTick(() => {
        throw thrown;
      });
    }
  }

  count(metric: MetricName, value: number, dimensions: MetricLabels = {}): void {
    this.counts.set(metric, (this.counts.get(metric) ?? 0) + value);
    this.#prometheus.add(counterOf(metric), value, dimensions);
  }

  /** What the functions count on CloudWatch in a deployment, and their outcomes, in the text format of Prometheus. */
  prometheus(): string {
    return this.#prometheus.text();
  }

  begin(): void {
    // Functions run concurrently, so each line contains its event and key.
  }

  /** Of this process; lines of earlier ones are only in the file. */
  async lines({ about, since, limit }: LogQuery): Promise<readonly LogEntry[]> {
    const found = this.#lines.filter(({ at, code, fields }) => at >= since && isAbout({ code, ...fields }, about));
    return found.slice(-limit).reverse();
  }

  async lastLines({ code, by, since }: LastLineQuery): Promise<ReadonlyMap<string, Instant>> {
    const found = this.#lines.filter((line) => line.code === code && line.at >= since);
    return new Map(found.map(({ at, fields }) => [String(fields[by]), at]));
  }

  listen(listener: LogListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
