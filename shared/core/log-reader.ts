/** Reads the functions' logs, for users who trace an outcome. The log is the record: it is not duplicated for this. */
import type { LogCode } from './log-codes.ts';
import type { LogFields } from './telemetry.ts';
import type { Instant } from './time.ts';

export interface LogEntry {
  readonly at: Instant;
  readonly code: LogCode;
  readonly fields: LogFields;
}

export interface LogQuery {
  /** Lines that have all fields of any of these, including `code`, with these exact values. At least one. */
  readonly about: readonly Readonly<Record<string, string>>[];
  readonly since: Instant;
  readonly limit: number;
}

/** Of the functions that receive the events of hubs. */
export interface LastLineQuery {
  readonly code: LogCode;
  /** The field that lines are grouped by. */
  readonly by: string;
  readonly since: Instant;
}

export interface LogReader {
  /** At most `limit`, newest first; a line appears seconds after its event. */
  lines(query: LogQuery): Promise<readonly LogEntry[]>;
  /** The time of the last line of each value of the field. */
  lastLines(query: LastLineQuery): Promise<ReadonlyMap<string, Instant>>;
}
