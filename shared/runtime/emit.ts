/** Writes log lines and metrics that a decision returned. */
import type { Telemetry, TelemetryEntry } from '../core/telemetry.ts';

export function emit(telemetry: Telemetry, entries: readonly TelemetryEntry[]): void {
  for (const entry of entries) {
    if ('code' in entry) telemetry.outcome(entry.code, entry.fields);
    else telemetry.count(entry.metric, entry.value, entry.dimensions);
  }
}
