/** Logs and metrics of a function: one log line per outcome, and numbers. */
import type { LogCode } from './log-codes.ts';
import type { MetricName } from './metrics.ts';

export type LogFields = Readonly<Record<string, string | number | boolean | undefined>>;

export interface Invocation {
  readonly functionName: string;
  readonly requestId: string;
}

/** A log line or a metric, as data. */
export type TelemetryEntry =
  | { readonly code: LogCode; readonly fields: LogFields }
  | { readonly metric: MetricName; readonly value: number; readonly dimensions?: Readonly<Record<string, string>> };

export interface Telemetry {
  /** One line per outcome. Fields contain keys and counts, never a whole event and never a secret. */
  outcome(code: LogCode, fields: LogFields): void;
  count(metric: MetricName, value: number, dimensions?: Readonly<Record<string, string>>): void;
  /** Called at the start of an invocation, to set the common fields of its lines. */
  begin(invocation: Invocation): void;
}
