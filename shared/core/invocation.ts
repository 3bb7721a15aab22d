/** The context of an invocation and its outcome. */

import type { Settings } from './settings.ts';
import type { SpanExporter } from './span.ts';
import type { LogFields, Telemetry } from './telemetry.ts';
import type { Instant } from './time.ts';

/** What every function gets besides its ports. */
export interface InvocationContext {
  readonly settings: Settings;
  readonly telemetry: Telemetry;
  readonly now: () => Instant;
  readonly newId: () => string;
  /** Milliseconds until the current invocation ends; Infinity outside of an invocation. */
  readonly timeLeft: () => number;
  /** Where the spans of an invocation go; without it none are recorded. */
  readonly exportSpans?: SpanExporter;
}

/** The result of an event: its reason, and the fields of its log line. */
export interface Outcome {
  readonly reason: string;
  readonly fields?: LogFields;
}
